import WeirPackets

/// Replaces what session descriptions say of someone (RFC 8866 §5): names, mail addresses, telephone numbers, hosts, keys, and the
/// values of attributes that are free text. Also descriptions in JSON strings, whose lines end with escapes.
struct DescriptionRedactor {
    let text: TextRedactor

    /// The types of lines whose value is replaced: origin, name, information, URI, mail, telephone, connection, key.
    private static let types = Array("osiuepck".utf8)
    /// Attributes whose value is replaced (RFC 8866 §6, RFC 8827 §5, and usual ones of others).
    private static let attributes = [
        "cat", "keywds", "tool", "note", "identity", "etag", "control", "x-qt-text-nam",
        "x-qt-text-aut", "x-qt-text-cpy", "x-qt-text-inf", "cname", "sdplang", "title", "copyright",
    ].map { Array("\($0):".utf8) }
    private static let candidate = Array("candidate:".utf8)
    private static let control = Array("control:".utf8)

    /// Replaces known names, and the values of lines that name someone.
    func redact(_ octets: inout [UInt8], _ range: Range<Int>? = nil) {
        let range = (range ?? 0..<octets.count).clamped(to: 0..<octets.count)
        let lines = Self.lines(octets, range)
        let original = octets
        text.redact(&octets, range)
        for line in lines {
            let type = octets[line.lowerBound]
            let value = line.lowerBound + 2..<line.upperBound
            let named =
                type == UInt8(ascii: "a") ? Self.named(original, value) : Self.types.contains(type) ? value : nil
            guard let named else { continue }
            octets.put(original[named], at: named.lowerBound)
            // The port in a control URI is that of the connection.
            text.redactAll(
                &octets, named, keepsNumbers: octets[value].starts(with: Self.control))
        }
    }

    /// Returns the part of an attribute that names someone.
    private static func named(_ octets: [UInt8], _ value: Range<Int>) -> Range<Int>? {
        if let name = attributes.first(where: { octets[value].starts(with: $0) }) {
            return value.lowerBound + name.count..<value.upperBound
        }
        guard octets[value].starts(with: candidate) else { return nil }
        // The fifth field is the address, which may be a name (RFC 8839 §5.1).
        let fields = octets[value].indices.split(whereSeparator: { octets[$0] == ASCII.space })
        guard fields.count > 4, let first = fields[4].first, let last = fields[4].last else { return nil }
        return first..<last + 1
    }

    /// Returns the lines of descriptions: a letter, an equals sign, a value.
    private static func lines(_ octets: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        let first = octets[range].first { !ASCII.isBlank($0) && !ASCII.isDigit($0) }
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        var start = range.lowerBound
        var place = start
        while place <= range.upperBound {
            let isEnd =
                place == range.upperBound || octets[place] == ASCII.lineFeed || octets[place] == ASCII.carriageReturn
            let isEscape =
                isJSON && !isEnd && octets[place] == 0x5C && place + 1 < range.upperBound
                && (octets[place + 1] == UInt8(ascii: "r") || octets[place + 1] == UInt8(ascii: "n"))
            // A JSON string ends a line, and begins one.
            let isQuote = isJSON && !isEnd && octets[place] == ASCII.quote
            guard isEnd || isEscape || isQuote else {
                place += 1
                continue
            }
            if place - start > 2, ASCII.isLetter(octets[start]), octets[start + 1] == ASCII.equals {
                lines.append(start..<place)
            }
            place += isEscape ? 2 : 1
            start = place
        }
        return lines
    }
}
