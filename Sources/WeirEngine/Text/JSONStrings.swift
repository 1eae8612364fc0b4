internal import WeirPackets

/// JSON strings, written in place.
extension [UInt8] {
    /// Appends a quoted string.
    package mutating func appendJSON(_ text: String) {
        appendJSON { $0.append(text) }
    }

    /// Appends what `words` appends, as a quoted string. It is checked in place, since escapes are rare.
    package mutating func appendJSON(_ words: (inout [UInt8]) -> Void) {
        append(UInt8(ascii: "\""))
        let start = count
        words(&self)
        if needsEscape(from: start) {
            let text = Array(self[start...])
            removeSubrange(start...)
            escape(text)
        }
        append(UInt8(ascii: "\""))
    }

    private func needsEscape(from start: Int) -> Bool {
        let written = span
        var index = start
        while index < written.count {
            let octet = written[index]
            if Self.needsEscape(octet) { return true }
            if octet == Self.bracket, Self.endsMark(written, index, from: start) { return true }
            index &+= 1
            if octet >= 0xC2, index < written.count, Unprintable.mayBegin(octet, written[index]) { return true }
        }
        return false
    }

    private static let bracket = UInt8(ascii: "[")

    /// Whether `##[` is written here, which GitHub's runner interprets as a command anywhere in a line.
    private static func endsMark(_ written: Span<UInt8>, _ bracket: Int, from start: Int) -> Bool {
        bracket >= start + 2 && written[bracket - 1] == UInt8(ascii: "#") && written[bracket - 2] == UInt8(ascii: "#")
    }

    private static func needsEscape(_ octet: UInt8) -> Bool {
        octet < 0x20 || octet == UInt8(ascii: "\"") || octet == UInt8(ascii: "\\") || octet == 0x7F
    }

    /// Escapes quotation marks, reverse solidus and control characters (RFC 8259 §7), and also invisible and
    /// bidirectional characters, since reports are viewed on terminals.
    private mutating func escape(_ text: [UInt8]) {
        var rest = text[...]
        while let octet = rest.popFirst() {
            switch octet {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                append(UInt8(ascii: "\\"))
                append(octet)
            case ASCII.lineFeed: append("\\n")
            case ASCII.carriageReturn: append("\\r")
            case ASCII.tab: append("\\t")
            case 0..<0x20, 0x7F:
                appendEscape(UInt16(octet))
            case Self.bracket where suffix(2).elementsEqual("##".utf8):
                appendEscape(UInt16(octet))
            default:
                guard let next = rest.first, Unprintable.mayBegin(octet, next), escapeScalar(octet, &rest) else {
                    append(octet)
                    continue
                }
            }
        }
    }

    /// Appends the character that begins with `first` as an escape, or returns false if it needs none.
    private mutating func escapeScalar(_ first: UInt8, _ rest: inout ArraySlice<UInt8>) -> Bool {
        let length = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3
        let octets = [first] + rest.prefix(length)
        guard let scalar = String(decoding: octets, as: UTF8.self).unicodeScalars.first, Unprintable.contains(scalar)
        else { return false }
        for unit in String(scalar).utf16 { appendEscape(unit) }
        rest = rest.dropFirst(length)
        return true
    }

    private mutating func appendEscape(_ unit: UInt16) {
        let digits = Array<UInt8>("0123456789abcdef".utf8)
        append("\\u")
        for shift in [12, 8, 4, 0] as [UInt16] { append(digits[Int(unit >> shift & 15)]) }
    }
}
