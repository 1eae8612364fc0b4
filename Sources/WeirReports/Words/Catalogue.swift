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
    private var known: [String: Template?] = [:]
    /// Sentences that stand for themselves and were filled in.
    private var others: [String: Template] = [:]

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

    /// One of the same catalogues, which remembers what is asked of it by itself.
    init(of other: CatalogueTexts) {
        (language, secrets, catalogues) = (other.language, other.secrets, other.catalogues)
    }

    /// What it is made of.
    var texts: CatalogueTexts { CatalogueTexts(language: language, secrets: secrets, catalogues: catalogues) }

    /// The sentence; a key that no catalogue has stands for itself.
    func sentence(_ text: Text) -> String {
        if let template = template(text.key) { return template.fill(text.arguments, print) }
        // What has nothing to fill in is not read for it.
        return text.arguments.isEmpty ? text.key : asWritten(text.key).fill(text.arguments, print)
    }

    /// What was expected or found, in the words of the wire: URIs and parameters in it may hold secrets.
    func words(_ text: Text) -> String { secrets.apply(text: sentence(text)) }

    /// The explanation of a step; nil when the key is one that only a catalogue could explain, and none does.
    func note(_ text: Text) -> String? {
        template(text.key) != nil || Self.isSentence(text.key) ? sentence(text) : nil
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
        (template(piece.key) ?? asWritten(piece.key)).fill(piece.arguments) { argument in
            switch argument {
            case .string(let words): words
            case .text(let piece): put(piece)
            default: print(argument)
            }
        }
    }

    /// What the catalogue of the language itself has for a key.
    func translation(_ key: String) -> String? {
        template(key)?.source
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

    private func template(_ key: String) -> Template? {
        if let template = known[key] { return template }
        var template: Template?
        for catalogue in catalogues where template == nil { template = catalogue[key].map { Template($0) } }
        // Keys from outside may be sentences with words from the wire in them.
        if known.count < Self.mostKnown { known[key] = .some(template) }
        return template
    }

    /// A key that no catalogue has.
    private func asWritten(_ key: String) -> Template {
        if let template = others[key] { return template }
        let template = Template(key)
        if others.count < Self.mostKnown { others[key] = template }
        return template
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

/// The sentences of a language as they are written, to make catalogues of.
struct CatalogueTexts: Sendable {
    let language: Language
    let secrets: SecretPolicy
    let catalogues: [[String: String]]
}
