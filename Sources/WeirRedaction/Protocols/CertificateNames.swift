import WeirPackets

/// Where the names in X.509 certificates are (RFC 5280 §4.1.2.4, §4.2.1.6), by the object identifiers before them.
enum CertificateNames {
    /// The arc of attribute types of names, 2.5.4: common name, locality, state, organization, unit.
    private static let attributes: [UInt8] = [3, 7, 8, 10, 11]
    /// Tags of strings: UTF8String, PrintableString, TeletexString, IA5String.
    private static let strings: [UInt8] = [0x0C, 0x13, 0x14, 0x16]
    /// 2.5.29.17, subjectAltName.
    private static let alternatives: [UInt8] = [0x06, 0x03, 0x55, 0x1D, 0x11]

    /// Returns the ranges of the names in a range, in ascending order.
    static func ranges(_ octets: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var place = range.lowerBound
        while place < range.upperBound {
            let found = name(octets, place, range.upperBound) ?? alternative(octets, place, range.upperBound)
            ranges += found ?? []
            place = found?.last.map { max(place + 1, $0.upperBound) } ?? place + 1
        }
        return ranges
    }

    /// An attribute of a subject or issuer: identifier, tag, length, text.
    private static func name(_ octets: [UInt8], _ place: Int, _ end: Int) -> [Range<Int>]? {
        guard octets.part(place, place + 4).elementsEqual([0x06, 0x03, 0x55, 0x04]), let type = octets.byte(place + 4),
            attributes.contains(type), let tag = octets.byte(place + 5), strings.contains(tag),
            let text = text(octets, place + 6, end)
        else { return nil }
        return [text]
    }

    /// The DNS names and addresses of mail of an extension, if its lengths have one octet.
    private static func alternative(_ octets: [UInt8], _ place: Int, _ end: Int) -> [Range<Int>]? {
        guard octets.part(place, place + alternatives.count).elementsEqual(alternatives) else { return nil }
        var place = place + alternatives.count
        // The mark of a critical extension.
        if octets.byte(place) == 0x01 { place += 3 }
        guard octets.byte(place) == 0x04, octets.byte(place + 2) == 0x30 else { return nil }
        place += 4
        var ranges: [Range<Int>] = []
        while let tag = octets.byte(place), (0x80...0x88).contains(tag), let text = text(octets, place + 1, end) {
            if tag == 0x81 || tag == 0x82 { ranges.append(text) }
            place = text.upperBound
        }
        return ranges
    }

    private static func text(_ octets: [UInt8], _ place: Int, _ end: Int) -> Range<Int>? {
        guard let length = octets.byte(place), length < 0x80, place + 1 + Int(length) <= end else { return nil }
        return place + 1..<place + 1 + Int(length)
    }
}
