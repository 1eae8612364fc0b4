import WeirPackets

/// Escapes workflow commands in text from the wire and in file names, since the GitHub runner interprets the output of
/// a job: lines that start with `::` after white space, and `##[` anywhere.
package enum RunnerCommands {
    /// Returns the lines with a character of each command prefix escaped.
    package static func defused(_ octets: [UInt8]) -> [UInt8] {
        guard let first = next(octets, from: 0, isStart: true) else { return octets }
        var result: [UInt8] = []
        result.reserveCapacity(octets.count &+ 16)
        var done = 0
        var place: Int? = first
        while let index = place {
            result += octets[done..<index]
            // Escaping the second of two characters also separates the first from what follows.
            result += octets[index] == ASCII.colon ? Array("\\x3a".utf8) : Array("\\x23".utf8)
            done = index + 1
            place = next(octets, from: done, isStart: false)
        }
        return result + octets[done...]
    }

    /// Returns the text with a character of each command prefix escaped.
    package static func defused(_ text: String) -> String {
        let octets = Array(text.utf8)
        let shown = defused(octets)
        return shown.count == octets.count ? text : String(decoding: shown, as: UTF8.self)
    }

    /// Returns the position of the octet to escape in the next command.
    ///
    /// - Parameter isStart: Whether a line starts at `start`.
    private static func next(_ octets: [UInt8], from start: Int, isStart: Bool) -> Int? {
        if isStart, let command = command(octets, at: start) { return command }
        let text = octets.span
        let words = octets.rawSpan
        var index = start
        while index < text.count {
            // Checks eight octets at once; hardly any contain one of the three.
            if let word = words.uint64(at: index), !holdsSign(word) {
                index &+= 8
                continue
            }
            let end = min(index &+ 8, text.count)
            while index < end {
                let octet = text[index]
                if octet == bracket, index >= start + 2, text[index - 1] == hash, text[index - 2] == hash {
                    return index - 1
                }
                index &+= 1
                if octet == ASCII.lineFeed || octet == ASCII.carriageReturn, let command = command(octets, at: index) {
                    return command
                }
            }
        }
        return nil
    }

    /// Whether one of eight octets is a line end or a bracket.
    private static func holdsSign(_ word: UInt64) -> Bool {
        func holds(_ octet: UInt8) -> Bool {
            let rest = word ^ UInt64(octet) &* 0x0101_0101_0101_0101
            return (rest &- 0x0101_0101_0101_0101) & ~rest & 0x8080_8080_8080_8080 != 0
        }
        return holds(ASCII.lineFeed) || holds(ASCII.carriageReturn) || holds(bracket)
    }

    /// Returns the first colon of a command in the line at `start`.
    private static func command(_ octets: [UInt8], at start: Int) -> Int? {
        let word = skipBlanks(octets, from: start)
        guard word + 1 < octets.count, octets[word] == ASCII.colon, octets[word + 1] == ASCII.colon else { return nil }
        return word
    }

    /// Skips white space as defined by .NET, including non-ASCII in UTF-8, which the runner trims from the start of a
    /// line.
    private static func skipBlanks(_ octets: [UInt8], from start: Int) -> Int {
        var index = start
        while index < octets.count {
            switch octets[index] {
            case ASCII.space, ASCII.tab, 0x0B, 0x0C: index += 1
            case 0xC2...0xE3:
                guard let blank = blanks.first(where: { octets[index...].starts(with: $0) }) else { return index }
                index += blank.count
            default: return index
            }
        }
        return index
    }

    private static let blanks =
        ([0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000] + Array(0x2000...0x200A))
        .compactMap { Unicode.Scalar($0).map { Array(String($0).utf8) } }
    private static let bracket = UInt8(ascii: "[")
    private static let hash = UInt8(ascii: "#")
}
