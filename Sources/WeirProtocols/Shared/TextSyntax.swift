import WeirEngine
import WeirPackets

/// Parsing helpers for text protocols, without locale and Foundation.
package enum TextSyntax {
    /// Decodes bytes as UTF-8 if valid, else as ISO 8859-1, which preserves every byte (RFC 2068 §2.2).
    package static func decode(_ bytes: RawSpan) -> (text: String, isUTF8: Bool) {
        if isASCII(bytes) { return (bytes.text(), true) }
        let octets = bytes.array()
        if let text = String(validating: octets, as: UTF8.self) { return (text, true) }
        return (String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) })), false)
    }

    /// Whether the bytes are valid UTF-8.
    package static func isUTF8(_ octets: [UInt8]) -> Bool {
        isASCII(octets.rawSpan) || String(validating: octets, as: UTF8.self) != nil
    }

    static func isASCII(_ bytes: RawSpan) -> Bool {
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

    /// Whether the byte is a space or tab.
    package static func isBlank(_ octet: UInt8) -> Bool { octet == ASCII.space || octet == ASCII.tab }

    /// Returns the text without surrounding spaces and tabs.
    package static func trim(_ text: String) -> String {
        // Most values have none.
        let octets = text.utf8
        guard let first = octets.first, let last = octets.last, isTrimmed(first) || isTrimmed(last) else { return text }
        return trim(text[...])
    }

    /// Returns the substring without surrounding spaces and tabs.
    package static func trim(_ text: Substring) -> String {
        var octets = text.utf8
        while let first = octets.first, isTrimmed(first) { octets.removeFirst() }
        while let last = octets.last, isTrimmed(last) { octets.removeLast() }
        return String(Substring(octets))
    }

    /// Whether the byte is removed from the ends of a text.
    static func isTrimmed(_ octet: UInt8) -> Bool { isBlank(octet) || octet == ASCII.carriageReturn }

    /// Removes double quotation marks around the text, if present.
    package static func unquote(_ text: String) -> String {
        let utf8 = text.utf8
        guard utf8.first == ASCII.quote, utf8.count >= 2, utf8.last == ASCII.quote else { return text }
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

    /// Splits at `separator` outside of double quotation marks; empty parts are kept.
    package static func split(_ text: String, at separator: UInt8) -> [String] {
        // Most texts have one part.
        guard text.hasOctet(separator) else { return [text] }
        let octets = Array(text.utf8)
        var parts: [String] = []
        parts.reserveCapacity(4)
        var start = 0
        var quoted = false
        var escaped = false
        for index in octets.indices {
            let octet = octets[index]
            if octet == separator, !quoted {
                parts.append(Self.text(octets, start..<index))
                start = index + 1
            } else {
                if octet == ASCII.quote, !escaped { quoted.toggle() }
                escaped = octet == 0x5C && quoted && !escaped
            }
        }
        parts.append(Self.text(octets, start..<octets.count))
        return parts
    }

    /// The parts of a text between separators outside of double quotation marks, without surrounding white space; empty
    /// parts are kept.
    package struct Parts: IteratorProtocol {
        let octets: [UInt8]
        let separator: UInt8
        private var start: Int?
        private let end: Int

        init(_ octets: [UInt8], _ range: Range<Int>, _ separator: UInt8) {
            self.octets = octets
            self.separator = separator
            (start, end) = (range.lowerBound, range.upperBound)
        }

        /// Returns the range of the next part.
        package mutating func next() -> Range<Int>? {
            guard let from = start else { return nil }
            let next = end(from: from)
            start = next < end ? next &+ 1 : nil
            return trim(from..<next, of: octets)
        }

        /// Returns the end of the part that begins at `from`.
        private func end(from: Int) -> Int {
            let octets = octets.span
            var index = from
            var (quoted, escaped) = (false, false)
            while index < end {
                let octet = octets[index]
                if !quoted {
                    if octet == separator { break }
                    quoted = octet == ASCII.quote
                } else if octet == ASCII.quote, !escaped {
                    quoted = false
                } else {
                    escaped = octet == 0x5C && !escaped
                }
                index &+= 1
            }
            return index
        }
    }

    /// Returns the ranges of the parts of a text.
    package static func parts(of octets: [UInt8], at separator: UInt8) -> Parts {
        Parts(octets, 0..<octets.count, separator)
    }

    /// Returns the ranges of the parts of a part of a text.
    package static func parts(of octets: [UInt8], in range: Range<Int>, at separator: UInt8) -> Parts {
        Parts(octets, range, separator)
    }

    /// Returns a range of a text without surrounding spaces and tabs.
    package static func trim(_ range: Range<Int>, of octets: [UInt8]) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isTrimmed(octets[start]) { start &+= 1 }
        while start < end, isTrimmed(octets[end &- 1]) { end &-= 1 }
        return start..<end
    }

    /// Returns a range of a text as a string.
    package static func text(_ octets: [UInt8], _ range: Range<Int>) -> String {
        String(decoding: octets[range], as: UTF8.self)
    }

    /// Returns the index after the first `://`, or nil if there is none.
    package static func endOfScheme(_ text: String) -> String.Index? {
        guard text.hasOctet(ASCII.colon) else { return nil }
        return endOfScheme(text[...])
    }

    /// Returns the index after the first `://` of a substring, or nil if there is none.
    package static func endOfScheme(_ text: Substring) -> String.Index? {
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

    /// Returns how often `://` occurs.
    static func countSchemes(_ text: String) -> Int {
        text.withOctets { octets in
            var (schemes, matched) = (0, 0)
            for index in octets.indices {
                let octet = octets[index]
                if octet == ASCII.colon {
                    matched = 1
                } else if octet == ASCII.slash, matched > 0 {
                    if matched == 2 { schemes &+= 1 }
                    matched = matched == 1 ? 2 : 0
                } else {
                    matched = 0
                }
            }
            return schemes
        }
    }

    /// Splits `name=value` at the first `separator`; the value is nil without a separator.
    package static func pair(_ text: String, at separator: UInt8 = ASCII.equals) -> (String, String?) {
        let octets = text.utf8
        guard let index = octets.firstIndex(of: separator) else { return (text, nil) }
        return (
            String(Substring(octets[..<index])), String(Substring(octets[octets.index(after: index)...]))
        )
    }

    /// Splits `name=value` at the first `separator` of a substring.
    package static func pair(_ text: Substring, at separator: UInt8 = ASCII.equals) -> (String, String?) {
        pair(String(text), at: separator)
    }

    /// Returns the ranges of name and value in `name=value` without surrounding white space; the value is nil without `=`.
    package static func pair(_ octets: [UInt8], _ range: Range<Int>) -> (name: Range<Int>, value: Range<Int>?) {
        var equals = range.lowerBound
        while equals < range.upperBound, octets[equals] != ASCII.equals { equals &+= 1 }
        let name = trim(range.lowerBound..<equals, of: octets)
        return (name, equals < range.upperBound ? trim(equals &+ 1..<range.upperBound, of: octets) : nil)
    }

    /// Whether a range of a text is a word, ignoring the case of A to Z.
    package static func isWord(_ octets: [UInt8], _ range: Range<Int>, _ word: String) -> Bool {
        guard range.count == word.utf8.count else { return false }
        let octets = octets.span.extracting(range)
        return word.withOctets { word in
            for index in word.indices where octets[index] != word[index] {
                guard ASCII.lowercased(octets[index]) == ASCII.lowercased(word[index]) else { return false }
            }
            return true
        }
    }

    /// Returns the words separated by white space.
    package static func words(_ text: String) -> [String] { words(Array(text.utf8)) }

    /// Returns the words of UTF-8 bytes, separated by white space.
    package static func words(_ octets: [UInt8]) -> [String] {
        var words: [String] = []
        words.reserveCapacity(3)
        var start = 0
        for index in 0...octets.count where index == octets.count || isBlank(octets[index]) {
            if start < index { words.append(Self.text(octets, start..<index)) }
            start = index &+ 1
        }
        return words
    }

    /// Parses decimal digits; returns nil for any other character or if the number is too large.
    package static func decimal(_ text: String) -> Int? { decimal(text, as: Int.self) }

    /// Parses decimal digits of a substring.
    package static func decimal(_ text: Substring) -> Int? { decimal(text, as: Int.self) }

    /// Parses decimal digits; returns nil for any other character or if the number is too large.
    package static func decimal<Number: FixedWidthInteger>(_ text: String, as type: Number.Type) -> Number? {
        text.withOctets { decimal($0, as: type) }
    }

    /// Parses decimal digits of a substring.
    package static func decimal<Number: FixedWidthInteger>(_ text: Substring, as type: Number.Type) -> Number? {
        decimal(String(text), as: type)
    }

    /// Parses decimal digits in a range of a text.
    package static func decimal<Number: FixedWidthInteger>(
        _ octets: [UInt8], _ range: Range<Int>, as type: Number.Type
    ) -> Number? {
        decimal(octets.span.extracting(range), as: type)
    }

    private static func decimal<Number: FixedWidthInteger>(_ octets: Span<UInt8>, as: Number.Type) -> Number? {
        guard !octets.isEmpty else { return nil }
        var number: UInt64 = 0
        for index in octets.indices {
            let octet = octets[index]
            guard ASCII.isDigit(octet) else { return nil }
            let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isOverflow) = tens.addingReportingOverflow(UInt64(octet & 15))
            guard !isTooLarge, !isOverflow else { return nil }
            number = sum
        }
        return Number(exactly: number)
    }

    /// Parses hexadecimal digits; returns nil for any other character or if the number is too large.
    package static func hexadecimal<Number: FixedWidthInteger>(_ text: String, as: Number.Type) -> Number? {
        guard !text.isEmpty, text.hasOnly(isHexDigit) else { return nil }
        return Number(text, radix: 16)
    }

    /// Parses a decimal number with an optional sign and fraction.
    package static func number(_ text: String) -> Double? {
        let plain = text.hasOnly { ASCII.isDigit($0) || $0 == 0x2E || $0 == 0x2D || $0 == 0x2B }
        return plain ? Double(text) : nil
    }

    /// Whether the text consists of one or more decimal digits.
    package static func isDigits(_ text: String) -> Bool {
        !text.isEmpty && text.hasOnly(ASCII.isDigit)
    }

    /// Whether the byte is a hexadecimal digit.
    package static func isHexDigit(_ octet: UInt8) -> Bool {
        ASCII.isDigit(octet) || (octet | 0x20) &- 0x61 < 6
    }

    /// Whether the byte is allowed in a token (RFC 2326 §15.1, RFC 2068 §2.2): no control character, white space or
    /// separator.
    package static func isToken(_ octet: UInt8) -> Bool {
        if ASCII.isLetter(octet) || ASCII.isDigit(octet) { return true }
        switch octet {
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: return true
        default: return false
        }
    }

    /// Returns `text` with A to Z in lower case.
    package static func lowercased(_ text: String) -> String {
        guard text.hasOctet({ $0 &- 0x41 < 26 }) else { return text }
        return String(decoding: text.utf8.map(ASCII.lowercased), as: UTF8.self)
    }

    /// Returns the substring with A to Z in lower case.
    package static func lowercased(_ text: Substring) -> String { lowercased(String(text)) }

    /// Returns `text` with a to z in upper case.
    package static func uppercased(_ text: String) -> String {
        guard text.hasOctet({ $0 &- 0x61 < 26 }) else { return text }
        return String(decoding: text.utf8.map { $0 &- 0x61 < 26 ? $0 & 0xDF : $0 }, as: UTF8.self)
    }

    /// Whether `text` ends with an octet and `suffix`.
    package static func endsWith(_ text: String, _ octet: UInt8, _ suffix: String) -> Bool {
        text.withOctets { octets in
            suffix.withOctets { end in
                let start = octets.count &- end.count
                guard start > 0, octets[start &- 1] == octet else { return false }
                for index in end.indices where octets[start &+ index] != end[index] { return false }
                return true
            }
        }
    }

    /// Whether `text` starts with the octets of `prefix`.
    package static func startsWith(_ text: String, _ prefix: String) -> Bool {
        text.withOctets { octets in
            prefix.withOctets { start in
                guard octets.count >= start.count else { return false }
                for index in start.indices where octets[index] != start[index] { return false }
                return true
            }
        }
    }

    /// Whether `text` starts with `prefix`, ignoring the case of A to Z.
    package static func hasPrefix(_ text: String, _ prefix: String) -> Bool {
        text.withOctets { octets in
            prefix.withOctets { start in
                guard octets.count >= start.count else { return false }
                for index in start.indices where ASCII.lowercased(octets[index]) != ASCII.lowercased(start[index]) {
                    return false
                }
                return true
            }
        }
    }
}
