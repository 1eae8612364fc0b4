import WeirPackets

/// How a piece of text is to look on a terminal (ECMA-48 select graphic rendition); plain everywhere else.
enum TextStyle: String {
    case heading = "1"
    case phase = "1;34"
    case explanation = "2"
    case error = "1;31"
    case warning = "1;33"
    case note = "36"

    /// The text between the sequences that switch the style on and off.
    func apply(_ text: String, color: Bool) -> String {
        color ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}

/// Measures, pads and wraps text for a fixed-width display.
enum TextLayout {
    /// Whether text is of printable ASCII characters, no-break spaces (0xC2 0xA0) and dashes (0xE2 0x80 0x93 or 0x94)
    /// only, as almost all is: then nothing has to be known of Unicode to measure and break it.
    static func isPlain(_ text: some StringProtocol) -> Bool { isPlain(text.utf8) }

    /// The same of octets.
    static func isPlain(_ octets: some Sequence<UInt8>) -> Bool {
        var before: UInt8 = 0
        for octet in octets {
            switch (before, octet) {
            case (0xC2, 0xA0), (0x80, 0x93), (0x80, 0x94): before = 0
            case (0xE2, 0x80): before = octet
            case (0, _):
                if octet &- 0x20 < 0x5F { continue }
                guard octet == 0xC2 || octet == 0xE2 else { return false }
                before = octet
            default: return false
            }
        }
        return before == 0
    }

    /// Columns that text takes: two for the wide characters of East Asian scripts, none for controls.
    static func width(_ text: some StringProtocol) -> Int {
        if isPlain(text) { return plainWidth(text.utf8) }
        return text.unicodeScalars.reduce(0) { $0 + width($1) }
    }

    /// Simplified from Unicode Standard Annex #11: the blocks whose characters are wide.
    private static func width(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x300...0x36F: 0
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }

    /// Text filled with spaces on the left.
    static func right(_ text: String, _ columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - width(text))) + text
    }

    /// Text filled with spaces on the right.
    static func left(_ text: String, _ columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - width(text)))
    }

    /// Breaks text into lines of at most `columns`: behind spaces, commas and semicolons and between wide characters;
    /// inside a word only when the word is longer than what is left of half a line.
    static func wrap(_ text: String, _ columns: Int) -> [String] {
        // No character takes more columns than octets, so that short text need not be measured.
        guard columns > 8, text.utf8.count > columns, width(text) > columns else { return [text] }
        if isPlain(text) {
            let octets = Array(text.utf8)
            return plainLines(octets[...], columns).map { String(decoding: octets[$0], as: UTF8.self) }
        }
        var lines: [String] = []
        var line = ""
        var used = 0
        for piece in pieces(text) {
            var rest = piece
            while !rest.isEmpty {
                let bare = width(trimmed(rest))
                if used + bare <= columns {
                    line += rest
                    used += width(rest)
                    break
                }
                if used > 0, bare <= columns || used > columns / 2 {
                    lines.append(String(trimmed(line[...])))
                } else {
                    let head = prefix(rest, columns - used)
                    lines.append(line + head)
                    rest = rest.dropFirst(head.count)
                }
                line = ""
                used = 0
                rest = rest.drop { $0 == " " }
            }
        }
        let last = trimmed(line[...])
        if !last.isEmpty { lines.append(String(last)) }
        return lines
    }

    /// Words with what ends them, a citation such as `RFC 2326 §12.17` in one piece; every wide character on its own.
    private static func pieces(_ text: String) -> [Substring] {
        var pieces: [Substring] = []
        var start = text.startIndex
        var index = start
        while index < text.endIndex {
            let character = text[index]
            let next = text.index(after: index)
            if character == " ", text[next...].hasPrefix("§") || text[start..<index].hasSuffix("RFC") {
                index = next
                continue
            }
            if character == " " || character == ";" || character == "," || width(text[index..<next]) > 1 {
                pieces.append(text[start..<next])
                start = next
            }
            index = next
        }
        if start < text.endIndex { pieces.append(text[start...]) }
        return pieces
    }

    /// Where the lines of plain text begin and end, in which nothing is wide.
    static func plainLines(_ text: ArraySlice<UInt8>, _ columns: Int) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = text.startIndex
        var used = 0
        var rest = start
        while rest < text.endIndex {
            let end = text[rest...].firstIndex(where: endsPiece).map { $0 + 1 } ?? text.endIndex
            while rest < end {
                let bare = plainWidth(text[rest..<bareEnd(text[rest..<end])])
                if used + bare <= columns {
                    used += plainWidth(text[rest..<end])
                    rest = end
                    break
                }
                if used > 0, bare <= columns || used > columns / 2 {
                    lines.append(start..<bareEnd(text[start..<rest]))
                } else {
                    rest = plainPrefix(text[rest..<end], columns - used)
                    lines.append(start..<rest)
                }
                used = 0
                while rest < end, text[rest] == ASCII.space { rest += 1 }
                start = rest
            }
        }
        let last = start..<bareEnd(text[start...])
        if !last.isEmpty { lines.append(last) }
        return lines
    }

    private static func endsPiece(_ octet: UInt8) -> Bool {
        octet == ASCII.space || octet == ASCII.semicolon || octet == ASCII.comma
    }

    /// Columns of plain text: one for each character, whatever its octets.
    static func plainWidth(_ text: some Sequence<UInt8>) -> Int {
        text.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 &+ 1 }
    }

    /// Where text ends without the spaces at its end.
    private static func bareEnd(_ text: ArraySlice<UInt8>) -> Int {
        text.lastIndex { $0 != ASCII.space }.map { $0 + 1 } ?? text.startIndex
    }

    /// The end of as many characters as fit, of one at least.
    private static func plainPrefix(_ text: ArraySlice<UInt8>, _ columns: Int) -> Int {
        var used = 0
        for (index, octet) in zip(text.indices, text) where octet & 0xC0 != 0x80 {
            used += 1
            if used > columns, index > text.startIndex { return index }
        }
        return text.endIndex
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let end = text.utf8.lastIndex { $0 != ASCII.space }
        return end.map { text[..<text.utf8.index(after: $0)] } ?? text.prefix(0)
    }

    private static func prefix(_ text: Substring, _ columns: Int) -> String {
        var used = 0
        var result = ""
        for character in text {
            let size = width(String(character))
            if used + size > columns, !result.isEmpty { break }
            result.append(character)
            used += size
        }
        return result
    }

    /// A number with a space between groups of three digits.
    static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.utf8.count - index) % 3 == 0 { result += " " }
            result.append(digit)
        }
        return (number < 0 ? "-" : "") + result
    }
}
