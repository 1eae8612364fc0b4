import WeirEngine
import WeirPackets

/// A parsed sentence of a catalogue: text and placeholders.
///
/// `{0}`, `{1}`, … are arguments, and `{0|packet|packets}` is the noun for argument 0: the first for one, else the
/// second. Other braces are literal.
struct Template {
    private enum Part {
        case words(String)
        case argument(Int, asWritten: Substring)
        case choice(Int, one: String, many: String, asWritten: Substring)
    }

    /// The sentence in the catalogue.
    let source: String
    private var parts: [Part] = []

    init(_ source: String) {
        self.source = source
        let octets = source.utf8
        var done = octets.startIndex
        var index = done
        while let open = octets[index...].firstIndex(of: UInt8(ascii: "{")) {
            index = octets.index(after: open)
            guard let close = octets[index...].firstIndex(of: UInt8(ascii: "}")) else { break }
            let end = octets.index(after: close)
            guard let part = Self.part(source[index..<close], asWritten: source[open..<end]) else { continue }
            if done < open { parts.append(.words(String(source[done..<open]))) }
            parts.append(part)
            index = end
            done = end
        }
        if done < octets.endIndex { parts.append(.words(String(source[done...]))) }
    }

    /// Returns the part for the content of a pair of braces, or nil if it is no placeholder.
    private static func part(_ content: Substring, asWritten: Substring) -> Part? {
        let words = content.split(separator: "|", omittingEmptySubsequences: false)
        guard let first = words.first, let number = Int(first) else { return nil }
        switch words.count {
        case 1: return .argument(number, asWritten: asWritten)
        case 3: return .choice(number, one: String(words[1]), many: String(words[2]), asWritten: asWritten)
        default: return nil
        }
    }

    /// Returns the sentence with its arguments, each appended by `write`.
    func fill(_ arguments: [Text.Argument], _ write: (Text.Argument, inout [UInt8]) -> Void) -> String {
        guard !arguments.isEmpty else { return source }
        var sentence: [UInt8] = []
        sentence.reserveCapacity(source.utf8.count &+ 24)
        for part in parts {
            switch part {
            case .words(let words): sentence.append(words)
            case .argument(let number, let asWritten):
                if arguments.indices.contains(number) {
                    write(arguments[number], &sentence)
                } else {
                    sentence.append(contentsOf: asWritten.utf8)
                }
            case .choice(let number, let one, let many, let asWritten):
                if arguments.indices.contains(number) {
                    sentence.append(Self.isOne(arguments[number]) ? one : many)
                } else {
                    sentence.append(contentsOf: asWritten.utf8)
                }
            }
        }
        return String(decoding: sentence, as: UTF8.self)
    }

    private static func isOne(_ argument: Text.Argument) -> Bool { argument == .integer(1) || argument == .string("1") }
}
