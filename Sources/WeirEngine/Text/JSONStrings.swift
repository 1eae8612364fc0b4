internal import WeirPackets

/// Strings of JSON, written in place.
extension [UInt8] {
    /// A text in quotation marks.
    package mutating func appendJSON(_ text: String) {
        appendJSON { $0.append(text) }
    }

    /// What `words` appends, in quotation marks. It is looked through in place: hardly any has to be written anew.
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
        for index in start..<written.count where Self.needsEscape(written[index]) { return true }
        return false
    }

    private static func needsEscape(_ octet: UInt8) -> Bool {
        octet < 0x20 || octet == UInt8(ascii: "\"") || octet == UInt8(ascii: "\\") || octet == 0x7F
    }

    /// RFC 8259 §7: quotation mark, reverse solidus and control characters must be escaped.
    private mutating func escape(_ text: [UInt8]) {
        let hexDigits = Array("0123456789abcdef".utf8)
        for octet in text {
            switch octet {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                append(UInt8(ascii: "\\"))
                append(octet)
            case ASCII.lineFeed: append("\\n")
            case ASCII.carriageReturn: append("\\r")
            case ASCII.tab: append("\\t")
            case 0..<0x20, 0x7F:
                append("\\u00")
                append(hexDigits[Int(octet >> 4)])
                append(hexDigits[Int(octet & 15)])
            default: append(octet)
            }
        }
    }
}
