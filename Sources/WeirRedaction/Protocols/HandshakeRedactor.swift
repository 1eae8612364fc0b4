import WeirPackets
import WeirProtocols

/// Replaces texts in handshake messages of TLS and DTLS: server names, and names in certificates.
struct HandshakeRedactor {
    let text: TextRedactor

    /// Replaces the content of messages in the clear.
    ///
    /// A string of a certificate (ITU-T X.690 §8) is replaced by itself: what follows it looks like a character as often as not.
    func redact(_ octets: inout [UInt8], _ range: Range<Int>) {
        let original = octets
        let names = CertificateNames.ranges(octets, range)
        var start = range.lowerBound
        var place = range.lowerBound
        while place < range.upperBound {
            guard let string = Self.string(octets, place, range.upperBound) else {
                place += 1
                continue
            }
            text.redact(&octets, start..<place)
            text.redact(&octets, string)
            place = string.upperBound
            start = place
        }
        text.redact(&octets, start..<range.upperBound)
        // Whoever else is named by them.
        for name in names { text.redact(name: &octets, name, of: original) }
    }

    /// Returns the phrases to replace for a certificate: its fingerprints in descriptions (RFC 8122 §5).
    func fingerprints(of certificate: [UInt8]) -> [(old: String, new: String)] {
        var replaced = certificate
        redact(&replaced, 0..<replaced.count)
        guard replaced != certificate else { return [] }
        return ["sha-1", "sha-256", "sha-384", "sha-512"].flatMap { function -> [(old: String, new: String)] in
            func digits(_ octets: [UInt8]) -> String {
                CertificateFingerprint.text(octets, function).map { String($0.dropFirst(function.count + 1)) } ?? ""
            }
            let (old, new) = (digits(certificate), digits(replaced))
            return [(old, new), (old.lowercased(), new.lowercased())]
        }
    }

    /// Returns the range of a string whose tag is at a place: UTF8String, PrintableString, TeletexString, IA5String, and names of
    /// the subject (RFC 5280 §4.2.1.6).
    private static func string(_ octets: [UInt8], _ place: Int, _ end: Int) -> Range<Int>? {
        guard [0x0C, 0x13, 0x14, 0x16, 0x81, 0x82, 0x86].contains(octets[place]), let length = octets.byte(place + 1),
            (3..<0x80).contains(length), place + 2 + Int(length) <= end
        else { return nil }
        let string = place + 2..<place + 2 + Int(length)
        return octets[string].allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? string : nil
    }
}
