import WeirPackets

/// A text style on a terminal (ECMA-48 select graphic rendition); ignored elsewhere.
enum TextStyle: String {
    case heading = "1"
    case phase = "1;34"
    case explanation = "2"
    case error = "1;31"
    case warning = "1;33"
    case note = "36"

    /// Returns the text between the escape sequences that enable and disable the style.
    func apply(_ text: String, color: Bool) -> String {
        color ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}

/// Measures, pads and wraps text for a fixed-width display.
enum TextLayout {
    /// Returns the width of plain text, in which each character takes one column and needs no Unicode processing:
    /// printable ASCII, Latin-1, dashes, quotation marks and arrows, as in almost all text; nil for other text.
    private static func plainWidth(_ octets: Span<UInt8>) -> Int? {
        var width = 0
        while width < octets.count, octets[width] &- 0x20 < 0x5F { width &+= 1 }
        // The octets so far of a non-ASCII character.
        var begun: UInt32 = 0
        for index in width..<octets.count {
            let octet = octets[index]
            if begun == 0, octet &- 0x20 < 0x5F {
                width &+= 1
                continue
            }
            begun = begun << 8 | UInt32(octet)
            switch begun {
            case 0xC2, 0xC3, 0xE2, 0xE280, 0xE286: break
            // U+00A0 – U+00FF without the soft hyphen, U+2010 – U+2027, U+2190 – U+21BF.
            case 0xC2A0...0xC2AC, 0xC2AE...0xC2BF, 0xC380...0xC3BF, 0xE2_8090...0xE2_80A7, 0xE2_8690...0xE2_86BF:
                width &+= 1
                begun = 0
            default: return nil
            }
        }
        return begun == 0 ? width : nil
    }

    /// Returns the width of plain text, or nil if it is not plain.
    static func plainWidth(_ octets: ArraySlice<UInt8>) -> Int? { plainWidth(octets.span) }

    /// Returns the width of plain text, or nil if it is not plain.
    static func plainWidth(_ text: String) -> Int? { text.withOctets { plainWidth($0) } }

    /// Whether text is plain, with one column per character.
    static func isPlain(_ text: String) -> Bool { plainWidth(text) != nil }

    /// Returns the width of text in columns: two for East Asian wide characters, none for controls.
    static func width(_ text: String) -> Int {
        plainWidth(text) ?? text.unicodeScalars.reduce(0) { $0 + width($1) }
    }

    /// Returns the width of text in columns.
    static func width(_ text: Substring) -> Int {
        plainWidth(Array(text.utf8)[...]) ?? text.unicodeScalars.reduce(0) { $0 + width($1) }
    }

    /// Returns the width of UTF-8 text in columns.
    static func width(octets: ArraySlice<UInt8>) -> Int {
        plainWidth(octets) ?? width(String(decoding: octets, as: UTF8.self))
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

    /// Returns text padded with spaces on the left.
    static func right(_ text: String, _ columns: Int) -> String { spaces(columns - width(text)) + text }

    /// Returns text padded with spaces on the right.
    static func left(_ text: String, _ columns: Int) -> String { text + spaces(columns - width(text)) }

    /// Returns spaces; none if the count is negative.
    static func spaces(_ count: Int) -> String {
        count <= 0
            ? ""
            : String(decoding: [UInt8](repeating: ASCII.space, count: count), as: UTF8.self)
    }

    /// Wraps text into lines of at most `columns`: after spaces, commas and semicolons and between wide characters;
    /// inside a word only if the word is longer than the rest of a line that is at least half empty.
    static func wrap(_ text: String, _ columns: Int) -> [String] {
        lines(Array(text.utf8)[...], columns).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Wraps UTF-8 text into lines of at most `columns`.
    static func lines(_ text: ArraySlice<UInt8>, _ columns: Int) -> [ArraySlice<UInt8>] {
        // No character takes more columns than octets, so short text need not be measured.
        guard columns > 8, text.count > columns else { return [text] }
        if let width = plainWidth(text) { return width <= columns ? [text] : plainLines(text, columns) }
        let words = String(decoding: text, as: UTF8.self)
        return width(words) <= columns ? [text] : wideLines(words, columns).map { Array($0.utf8)[...] }
    }

    private static let opening: Set<Character> = ["（", "“", "《"]
    private static let closing: Set<Character> = ["，", "。", "；", "：", "、", "）", "”", "》", "！", "？"]

    private static func wideLines(_ text: String, _ columns: Int) -> [String] {
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

    /// Splits text into words with the separators after them, keeping a citation such as `RFC 2326 §12.17` in one
    /// piece; each wide character is a piece, together with closing punctuation after it and opening punctuation before
    /// it.
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
            if opening.contains(character) {
                if start < index { pieces.append(text[start..<index]) }
                start = index
            } else if character == " " || character == ";" || character == "," || width(text[index..<next]) > 1,
                next == text.endIndex || !closing.contains(text[next])
            {
                pieces.append(text[start..<next])
                start = next
            }
            index = next
        }
        if start < text.endIndex { pieces.append(text[start...]) }
        return pieces
    }

    /// Returns the lines of plain text, without wide characters.
    static func plainLines(_ text: ArraySlice<UInt8>, _ columns: Int) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = text.startIndex
        var used = 0
        var rest = start
        while rest < text.endIndex {
            let end = pieceEnd(text[rest...])
            while rest < end {
                let bareEnd = bareEnd(text[rest..<end])
                let bare = characters(text[rest..<bareEnd])
                if used + bare <= columns {
                    // The rest of the piece is spaces.
                    used += bare + end - bareEnd
                    rest = end
                    break
                }
                if used > 0, bare <= columns || used > columns / 2 {
                    lines.append(text[start..<Self.bareEnd(text[start..<rest])])
                } else {
                    rest = plainPrefix(text[rest..<end], columns - used)
                    lines.append(text[start..<rest])
                }
                used = 0
                while rest < end, text[rest] == ASCII.space { rest += 1 }
                start = rest
            }
        }
        let last = text[start..<bareEnd(text[start...])]
        if !last.isEmpty { lines.append(last) }
        return lines
    }

    /// Returns the end of a word with its separators; a citation such as `RFC 2326 §12.17` is one piece.
    private static func pieceEnd(_ text: ArraySlice<UInt8>) -> Int {
        var index = text.startIndex
        while index < text.endIndex {
            let octet = text[index]
            index &+= 1
            if octet == ASCII.semicolon || octet == ASCII.comma { return index }
            if octet == ASCII.space, !has(section, at: index, text), !has(rfc, at: index &- 4, text) { return index }
        }
        return index
    }

    private static let section = Array("§".utf8)
    private static let rfc = Array("RFC".utf8)

    private static func has(_ word: [UInt8], at start: Int, _ text: ArraySlice<UInt8>) -> Bool {
        guard start >= text.startIndex, start &+ word.count <= text.endIndex else { return false }
        for index in word.indices where text[start &+ index] != word[index] { return false }
        return true
    }

    /// Returns the number of characters of plain text.
    private static func characters(_ text: ArraySlice<UInt8>) -> Int {
        var count = 0
        for octet in text where octet & 0xC0 != 0x80 { count &+= 1 }
        return count
    }

    /// Returns the end of text without trailing spaces.
    private static func bareEnd(_ text: ArraySlice<UInt8>) -> Int {
        text.lastIndex { $0 != ASCII.space }.map { $0 + 1 } ?? text.startIndex
    }

    /// Returns the end of the longest prefix that fits, at least one character.
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

    /// Returns a number with a space between groups of three digits.
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
