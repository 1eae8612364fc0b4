internal import WeirPackets

/// Small readers for the values of text protocols, without locale and without Foundation.
package enum TextSyntax {
    /// The octets as text: UTF-8 if they are, else ISO 8859-1, which keeps every octet (RFC 2068 §2.2).
    package static func decode(_ bytes: RawSpan) -> (text: String, isUTF8: Bool) {
        if isASCII(bytes) { return (bytes.text(), true) }
        let octets = bytes.array()
        if let text = String(validating: octets, as: UTF8.self) { return (text, true) }
        return (String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) })), false)
    }

    private static func isASCII(_ bytes: RawSpan) -> Bool {
        var offset = 0
        while let word = bytes.uint64(at: offset) {
            guard word & 0x8080_8080_8080_8080 == 0 else { return false }
            offset &+= 8
        }
        while let octet = bytes.byte(at: offset) {
            guard octet < 0x80 else { return false }
            offset &+= 1
        }
        return true
    }

    /// Whether the octet is a blank or a horizontal tab.
    package static func isBlank(_ octet: UInt8) -> Bool { octet == ASCII.space || octet == ASCII.tab }

    /// The text without blanks and tabs at its ends.
    package static func trim(_ text: some StringProtocol) -> String {
        let octets = text.utf8
        guard let first = octets.firstIndex(where: { !isTrimmed($0) }) else { return "" }
        var index = first
        var end = first
        while index < octets.endIndex {
            let next = octets.index(after: index)
            if !isTrimmed(octets[index]) { end = next }
            index = next
        }
        // Most values have no blanks at their ends.
        if first == octets.startIndex, end == octets.endIndex { return String(text) }
        return String(decoding: octets[first..<end], as: UTF8.self)
    }

    /// Whether the octet is taken away from the ends of a text.
    static func isTrimmed(_ octet: UInt8) -> Bool { isBlank(octet) || octet == ASCII.carriageReturn }

    /// The text without the double quotation marks around it, if it has them.
    package static func unquote(_ text: String) -> String {
        let utf8 = text.utf8
        guard utf8.count >= 2, utf8.first == ASCII.quote, utf8.last == ASCII.quote else { return text }
        var plain: [UInt8] = []
        var escaped = false
        for octet in utf8.dropFirst().dropLast() {
            if octet == 0x5C, !escaped {
                escaped = true
                continue
            }
            escaped = false
            plain.append(octet)
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// Splits at `separator` where it is not inside double quotation marks; empty parts are kept.
    package static func split(_ text: String, at separator: UInt8) -> [String] {
        let octets = text.utf8
        var parts: [String] = []
        var start = octets.startIndex
        var index = start
        var quoted = false
        var escaped = false
        while index < octets.endIndex {
            let octet = octets[index]
            let next = octets.index(after: index)
            if octet == separator, !quoted {
                parts.append(String(text[start..<index]))
                start = next
            } else {
                if octet == ASCII.quote, !escaped { quoted.toggle() }
                escaped = octet == 0x5C && quoted && !escaped
            }
            index = next
        }
        parts.append(String(text[start...]))
        return parts
    }

    /// Where the text goes on behind its first `://`; nil when there is none.
    package static func endOfScheme(_ text: some StringProtocol) -> String.Index? {
        let octets = text.utf8
        var index = octets.startIndex
        var matched = 0
        while index < octets.endIndex {
            let octet = octets[index]
            index = octets.index(after: index)
            if octet == ASCII.colon {
                matched = 1
            } else if octet == ASCII.slash, matched > 0 {
                if matched == 2 { return index }
                matched = 2
            } else {
                matched = 0
            }
        }
        return nil
    }

    /// Splits `name=value` at the first `separator`; the value is nil when there is none.
    package static func pair(_ text: some StringProtocol, at separator: UInt8 = ASCII.equals) -> (String, String?) {
        let utf8 = text.utf8
        guard let index = utf8.firstIndex(of: separator) else { return (String(text), nil) }
        return (
            String(decoding: utf8[..<index], as: UTF8.self),
            String(decoding: utf8[utf8.index(after: index)...], as: UTF8.self)
        )
    }

    /// The words between runs of blanks.
    package static func words(_ text: some StringProtocol) -> [String] {
        text.utf8.split(whereSeparator: isBlank).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A number of nothing but decimal digits; nil when there is another character or it is too large.
    package static func decimal(_ text: some StringProtocol) -> Int? {
        decimal(text, as: Int.self)
    }

    /// A number of nothing but decimal digits; nil when there is another character or it is too large.
    package static func decimal<Number: FixedWidthInteger>(_ text: some StringProtocol, as: Number.Type) -> Number? {
        isDigits(text) ? Number(String(text), radix: 10) : nil
    }

    /// A number of nothing but hexadecimal digits.
    package static func hexadecimal<Number: FixedWidthInteger>(
        _ text: some StringProtocol, as: Number.Type
    ) -> Number? {
        guard !text.isEmpty, text.utf8.allSatisfy(isHexDigit) else { return nil }
        return Number(String(text), radix: 16)
    }

    /// A decimal number with an optional sign and fraction.
    package static func number(_ text: some StringProtocol) -> Double? {
        let plain = text.utf8.allSatisfy { ASCII.isDigit($0) || $0 == 0x2E || $0 == 0x2D || $0 == 0x2B }
        return plain ? Double(String(text)) : nil
    }

    /// Whether the text is one or more decimal digits.
    package static func isDigits(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(ASCII.isDigit)
    }

    /// Whether the octet is a hexadecimal digit.
    package static func isHexDigit(_ octet: UInt8) -> Bool {
        ASCII.isDigit(octet) || (octet | 0x20) &- 0x61 < 6
    }

    /// Whether the octet may stand in a token (RFC 2326 §15.1, RFC 2068 §2.2): no control, blank or separator.
    package static func isToken(_ octet: UInt8) -> Bool {
        if ASCII.isLetter(octet) || ASCII.isDigit(octet) { return true }
        switch octet {
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: return true
        default: return false
        }
    }

    /// `text` with A to Z made lower case.
    package static func lowercased(_ text: some StringProtocol) -> String {
        String(decoding: text.utf8.map(ASCII.lowercased), as: UTF8.self)
    }

    /// `text` with a to z made upper case.
    package static func uppercased(_ text: some StringProtocol) -> String {
        String(decoding: text.utf8.map { $0 &- 0x61 < 26 ? $0 & 0xDF : $0 }, as: UTF8.self)
    }

    /// Whether `text` begins with `prefix`, the case of A to Z ignored.
    package static func hasPrefix(_ text: some StringProtocol, _ prefix: String) -> Bool {
        let start = text.utf8.prefix(prefix.utf8.count)
        return start.count == prefix.utf8.count
            && zip(start, prefix.utf8).allSatisfy { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }
}
