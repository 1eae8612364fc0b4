/// ASCII octets used in text protocols.
public enum ASCII {
    /// Horizontal tab.
    public static let tab: UInt8 = 0x09
    /// Line feed.
    public static let lineFeed: UInt8 = 0x0A
    /// Carriage return.
    public static let carriageReturn: UInt8 = 0x0D
    /// Space.
    public static let space: UInt8 = 0x20
    /// Double quotation mark.
    public static let quote: UInt8 = 0x22
    /// Dollar sign, which begins an interleaved frame (RFC 2326 §10.12).
    public static let dollar: UInt8 = 0x24
    /// Comma.
    public static let comma: UInt8 = 0x2C
    /// Slash.
    public static let slash: UInt8 = 0x2F
    /// Colon.
    public static let colon: UInt8 = 0x3A
    /// Semicolon.
    public static let semicolon: UInt8 = 0x3B
    /// Equals sign.
    public static let equals: UInt8 = 0x3D

    /// Whether the octet is a decimal digit.
    @inline(__always)
    public static func isDigit(_ octet: UInt8) -> Bool { octet &- 0x30 < 10 }
    /// Whether the octet is a letter A to Z or a to z.
    @inline(__always)
    public static func isLetter(_ octet: UInt8) -> Bool { (octet | 0x20) &- 0x61 < 26 }
    /// Returns the octet, with A to Z converted to lowercase.
    @inline(__always)
    public static func lowercased(_ octet: UInt8) -> UInt8 { octet &- 0x41 < 26 ? octet | 0x20 : octet }
    /// Whether two strings are equal, ignoring the case of A to Z.
    public static func equalIgnoringCase(_ one: some StringProtocol, _ other: some StringProtocol) -> Bool {
        one.utf8.elementsEqual(other.utf8) { lowercased($0) == lowercased($1) }
    }
    /// Whether two strings are equal, ignoring the case of A to Z.
    ///
    /// Header field lookups use this overload. It compares lengths first, since most names already differ there.
    public static func equalIgnoringCase(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        if one == other { return true }
        return one.withOctets { one in
            other.withOctets { other in
                for index in one.indices where lowercased(one[index]) != lowercased(other[index]) { return false }
                return true
            }
        }
    }
    /// Returns the range of the first occurrence of `part` in `octets`, or nil if there is none or `part` is empty.
    public static func range(of part: [UInt8], in octets: ArraySlice<UInt8>) -> Range<Int>? {
        guard let first = part.first, part.count <= octets.count else { return nil }
        for start in octets.startIndex...(octets.endIndex - part.count) where octets[start] == first {
            let end = start + part.count
            if octets[start..<end].elementsEqual(part) { return start..<end }
        }
        return nil
    }
    /// Whether `text` contains `part`.
    public static func contains(_ text: String, _ part: String) -> Bool {
        text.withOctets { text in
            part.withOctets { part in
                guard let first = part.indices.first else { return true }
                var start = 0
                while start &+ part.count <= text.count {
                    if text[start] == part[first] {
                        var length = 1
                        while length < part.count, text[start &+ length] == part[length] { length &+= 1 }
                        if length == part.count { return true }
                    }
                    start &+= 1
                }
                return false
            }
        }
    }
}
