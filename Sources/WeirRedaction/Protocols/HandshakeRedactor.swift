import WeirPackets
import WeirProtocols

/// Replaces texts in handshake messages of TLS and DTLS (RFC 8446 §4, RFC 6347 §4.2.2): server names, and texts of certificates.
struct HandshakeRedactor {
    let text: TextRedactor

    /// A message that goes on in the next record: its type, and the octets that are left.
    struct Open {
        var type: UInt8
        var left: Int
    }

    private static let clientHello: UInt8 = 1
    /// Certificate, and the names of authorities in CertificateRequest.
    private static let withNames: Set<UInt8> = [11, 13]
    private static let types: Set<UInt8> = [0, 1, 2, 3, 4, 5, 8, 11, 12, 13, 14, 15, 16, 20, 22, 24, 25]
    /// The length of a message is stated with three octets, but no message is longer than this.
    private static let longest = 1 << 18

    /// Replaces the content of a record of DTLS, whose messages state the place and length of a fragment.
    func redactDatagram(_ octets: inout [UInt8], _ range: Range<Int>) {
        var place = range.lowerBound
        while place + 12 <= range.upperBound, let type = octets.byte(place), let high = octets.byte(place + 9),
            let low = octets.uint16(place + 10)
        {
            let end = min(range.upperBound, place + 12 + (Int(high) << 16 | Int(low)))
            body(&octets, place + 12..<end, type)
            place = end
        }
    }

    /// Replaces the content of a record of TLS; `open` is the message that goes on from the record before.
    func redact(_ octets: inout [UInt8], _ range: Range<Int>, _ open: inout Open?) {
        var place = range.lowerBound
        while place < range.upperBound {
            if let current = open {
                let end = min(range.upperBound, place + current.left)
                body(&octets, place..<end, current.type)
                open = current.left > end - place ? Open(type: current.type, left: current.left - (end - place)) : nil
                place = end
                continue
            }
            guard let type = octets.byte(place), Self.types.contains(type), let high = octets.byte(place + 1),
                let low = octets.uint16(place + 2), Int(high) << 16 | Int(low) <= Self.longest
            else {
                // In the middle of a message, or encrypted.
                return certificate(&octets, place..<range.upperBound)
            }
            place += 4
            open = Open(type: type, left: Int(high) << 16 | Int(low))
            if open?.left == 0 { open = nil }
        }
    }

    private func body(_ octets: inout [UInt8], _ range: Range<Int>, _ type: UInt8) {
        if Self.withNames.contains(type) { return certificate(&octets, range) }
        guard type == Self.clientHello, let name = Self.serverName(octets, range) else {
            return text.redact(&octets, range)
        }
        text.redact(&octets, range.lowerBound..<name.lowerBound)
        text.redactAll(&octets, name)
        text.redact(&octets, name.upperBound..<range.upperBound)
    }

    /// Returns where the server name of a ClientHello is (RFC 6066 §3): an extension with a list of one name.
    private static func serverName(_ octets: [UInt8], _ range: Range<Int>) -> Range<Int>? {
        for place in range where octets[place] == 0 {
            guard octets.byte(place + 1) == 0, let length = octets.uint16(place + 2), length > 5,
                octets.uint16(place + 4) == length - 2, octets.byte(place + 6) == 0,
                octets.uint16(place + 7) == length - 5
            else { continue }
            return place + 9..<min(range.upperBound, place + 4 + Int(length))
        }
        return nil
    }

    // MARK: - Certificates

    /// Replaces the texts and addresses of certificates.
    func certificate(_ octets: inout [UInt8], _ range: Range<Int>) {
        let addresses = Self.addresses(octets, range)
        var start = range.lowerBound
        var place = range.lowerBound
        while place < range.upperBound {
            guard let string = Self.string(octets, place, range.upperBound) else {
                place += 1
                continue
            }
            // By itself: what follows it looks like a character as often as not.
            text.redact(&octets, start..<place)
            text.redactAll(&octets, string)
            place = string.upperBound
            start = place
        }
        text.redact(&octets, start..<range.upperBound)
        for address in addresses { text.redact(address: &octets, address) }
    }

    /// Returns the range of a string whose tag is at a place: UTF8String, PrintableString, TeletexString, IA5String (ITU-T X.690 §8),
    /// and mail addresses, hosts and URIs among the names of the subject (RFC 5280 §4.2.1.6).
    private static func string(_ octets: [UInt8], _ place: Int, _ end: Int) -> Range<Int>? {
        guard [0x0C, 0x13, 0x14, 0x16, 0x81, 0x82, 0x86].contains(octets[place]), let length = octets.byte(place + 1),
            (3..<0x80).contains(length), place + 2 + Int(length) <= end
        else { return nil }
        let string = place + 2..<place + 2 + Int(length)
        return octets[string].allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? string : nil
    }

    /// 2.5.29.17, subjectAltName.
    private static let alternatives: [UInt8] = [0x06, 0x03, 0x55, 0x1D, 0x11]

    /// Returns where the IP addresses among the alternative names of the subject are, if the lengths have one octet.
    private static func addresses(_ octets: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for start in range where octets.part(start, start + alternatives.count).elementsEqual(alternatives) {
            // Behind it may be the mark of a critical extension.
            var place = start + alternatives.count
            if octets.byte(place) == 0x01 { place += 3 }
            guard octets.byte(place) == 0x04, octets.byte(place + 2) == 0x30 else { continue }
            place += 4
            while let tag = octets.byte(place), (0x80...0x88).contains(tag), let length = octets.byte(place + 1),
                length < 0x80, place + 2 + Int(length) <= range.upperBound
            {
                if tag == 0x87 { found.append(place + 2..<place + 2 + Int(length)) }
                place += 2 + Int(length)
            }
        }
        return found
    }

    /// Returns the phrases to replace for a certificate: its fingerprints in descriptions (RFC 8122 §5).
    func fingerprints(of certificate: [UInt8]) -> [(old: String, new: String)] {
        var replaced = certificate
        self.certificate(&replaced, 0..<replaced.count)
        guard replaced != certificate else { return [] }
        return ["sha-1", "sha-256", "sha-384", "sha-512"].flatMap { function -> [(old: String, new: String)] in
            func digits(_ octets: [UInt8]) -> String {
                CertificateFingerprint.text(octets, function).map { String($0.dropFirst(function.count + 1)) } ?? ""
            }
            let (old, new) = (digits(certificate), digits(replaced))
            return [(old, new), (old.lowercased(), new.lowercased())]
        }
    }
}
