import WeirEngine

/// Turns sentences into the language asked for, filling in their arguments.
final class Catalogue {
    /// Keys that are remembered: more than all catalogues have.
    private static let mostKnown = 4_096

    private let language: Language
    private let secrets: SecretPolicy
    /// Asked one after the other: to join them would take longer than most captures.
    private let catalogues: [[String: String]]
    /// What was asked for; nil where no catalogue has it.
    private var known: [String: String?] = [:]

    init(_ language: Language, _ secrets: SecretPolicy, _ plugins: [any Plugin.Type]) {
        self.language = language
        self.secrets = secrets
        // What a plugin does not say in the language, it says in English.
        let languages = language == .english ? [language] : [language, .english]
        let sentences = languages.flatMap { language in
            [ReportWords.all(language), EngineWords.all(language)] + plugins.flatMap { $0.words(language) }
        }
        let lines =
            language == .english
            ? [] : [ReportWords.lines(language), EngineWords.lines(language)] + plugins.map { $0.lines(language) }
        catalogues = lines + sentences
    }

    /// The sentence; a key that no catalogue has stands for itself.
    func sentence(_ text: Text) -> String {
        fill(template(text.key) ?? text.key, text.arguments)
    }

    /// What was expected or found, in the words of the wire: URIs and parameters in it may hold secrets.
    func words(_ text: Text) -> String { secrets.apply(text: sentence(text)) }

    /// The explanation of a step; nil when the key is one that only a catalogue could explain, and none does.
    func note(_ text: Text) -> String? {
        if let template = template(text.key) { return fill(template, text.arguments) }
        return Self.isSentence(text.key) ? fill(text.key, text.arguments) : nil
    }

    /// Whether what stands for a key is a sentence: keys have neither blanks nor full stops at their ends, and are ASCII.
    private static func isSentence(_ key: String) -> Bool {
        let marks = [UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?")]
        return key.utf8.contains { $0 == UInt8(ascii: " ") || $0 >= 0x80 } || key.utf8.last.map(marks.contains) == true
    }

    /// A line in the language, secrets in it not yet masked.
    func line(_ wording: Wording) -> String {
        if language == .english { return wording.english }
        return wording.pieces.map { put($0) }.joined()
    }

    /// Appends a message in one line, secrets masked.
    func write(_ message: any Message, to octets: inout [UInt8]) {
        let start = octets.count
        if language == .english {
            message.writeSummary(secrets, to: &octets)
        } else {
            octets.append(contentsOf: line(message.wording(secrets)).utf8)
        }
        secrets.apply(&octets, from: start)
    }

    /// A message in one line, secrets masked.
    func summary(_ message: any Message) -> String {
        var octets: [UInt8] = []
        write(message, to: &octets)
        return String(decoding: octets, as: UTF8.self)
    }

    /// A piece of a line: what is filled in has been treated by who made it.
    private func put(_ piece: Text) -> String {
        fill(template(piece.key) ?? piece.key, piece.arguments) { argument in
            switch argument {
            case .string(let words): words
            case .text(let piece): self.put(piece)
            default: self.print(argument)
            }
        }
    }

    /// What the catalogue of the language itself has for a key.
    func translation(_ key: String) -> String? {
        template(key)
    }

    /// What stands between members of a list.
    var comma: String { language == .chinese ? "，" : ", " }
    /// What stands between sentences in one line.
    var semicolon: String { language == .chinese ? "；" : "; " }
    /// What stands before what a sentence announces.
    var colon: String { language == .chinese ? "：" : ": " }

    /// Words in parentheses behind others.
    func aside(_ words: String) -> String { language == .chinese ? "（\(words)）" : " (\(words))" }

    /// Several sentences in one line.
    func list(_ texts: [Text]) -> String {
        texts.map { sentence($0) }.joined(separator: semicolon)
    }

    /// A remark with its reference.
    func remark(_ remark: Remark) -> String {
        sentence(remark.text) + (remark.reference.isEmpty ? "" : aside(remark.reference))
    }

    private func template(_ key: String) -> String? {
        if let sentence = known[key] { return sentence }
        var sentence: String?
        for catalogue in catalogues where sentence == nil { sentence = catalogue[key] }
        // Keys from outside may be sentences with words from the wire in them.
        if known.count < Self.mostKnown { known[key] = .some(sentence) }
        return sentence
    }

    /// Replaces `{0}`, `{1}`, … by the arguments, and `{0|packet|packets}` by the word that fits argument 0: the first for one,
    /// else the second. Other braces stand for themselves.
    private func fill(
        _ template: String, _ arguments: [Text.Argument], _ print: ((Text.Argument) -> String)? = nil
    ) -> String {
        guard !arguments.isEmpty else { return template }
        let octets = template.utf8
        var result = ""
        var done = octets.startIndex
        var index = done
        while let open = octets[index...].firstIndex(of: UInt8(ascii: "{")) {
            index = octets.index(after: open)
            guard let close = octets[index...].firstIndex(of: UInt8(ascii: "}")),
                let word = fitting(template[index..<close], arguments, print ?? self.print)
            else { continue }
            result += template[done..<open]
            result += word
            index = octets.index(after: close)
            done = index
        }
        return result + template[done...]
    }

    /// What stands for the content of a pair of braces; nil when that asks for no argument.
    private func fitting(
        _ content: Substring, _ arguments: [Text.Argument], _ print: (Text.Argument) -> String
    ) -> String? {
        let parts = content.split(separator: "|", omittingEmptySubsequences: false)
        guard let first = parts.first, let number = Int(first), arguments.indices.contains(number) else { return nil }
        switch parts.count {
        case 1: return print(arguments[number])
        case 3:
            let isOne = arguments[number] == .integer(1) || arguments[number] == .string("1")
            return String(isOne ? parts[1] : parts[2])
        default: return nil
        }
    }

    private func print(_ argument: Text.Argument) -> String {
        switch argument {
        // Words of a peer may hold a secret wherever they stand.
        case .string(let text): secrets.apply(text: text)
        case .integer(let number): String(number)
        case .decimal(let number, let places): decimal(number, places: places)
        case .uri(let uri): secrets.apply(uri: uri)
        case .secret(let secret): secrets.apply(secret)
        case .text(let text): sentence(text)
        }
    }
}
