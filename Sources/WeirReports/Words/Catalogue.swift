import WeirEngine
import WeirPackets

/// Formats texts in a language, with their arguments.
final class Catalogue {
    /// The maximum number of cached keys: more than in all catalogues.
    private static let mostKnown = 4_096

    private let language: Language
    private let secrets: SecretPolicy
    /// The texts that were needed so far, searched in order: merging them would take longer than most captures.
    private var catalogues: [[String: String]] = []
    /// All texts, in the order in which they are searched, and the number of lists that were needed.
    private let lists: [TextList]
    private var usedLists = 0
    /// Cached templates by key; nil for keys in no catalogue.
    private var known: [String: Template?] = [:]
    /// Templates of keys in no catalogue.
    private var others: [String: Template] = [:]

    init(_ language: Language, _ secrets: SecretPolicy, _ plugins: [any Plugin.Type]) {
        self.language = language
        self.secrets = secrets
        // English is the fallback for texts that a plugin does not translate.
        let languages = language == .english ? [language] : [language, .english]
        var lists: [TextList] = []
        if language != .english {
            lists.append(TextList { [ReportWords.lines(language), EngineWords.lines(language)] })
            lists += plugins.map { plugin in TextList { [plugin.lines(language)] } }
        }
        for language in languages {
            lists.append(
                TextList { [ReportWords.all(language), ReportWords.page(language), EngineWords.all(language)] })
            lists += plugins.map { plugin in TextList { plugin.words(language) } }
        }
        self.lists = lists
    }

    /// Creates a catalogue with the same texts and an empty cache.
    init(of other: CatalogueTexts) {
        (language, secrets, lists) = (other.language, other.secrets, other.lists)
    }

    /// The texts, for creating other catalogues.
    var texts: CatalogueTexts { CatalogueTexts(language: language, secrets: secrets, lists: lists) }

    /// Returns the sentence; a key in no catalogue stands for itself.
    func sentence(_ text: Text) -> String {
        if let template = template(text.key) { return template.fill(text.arguments, write) }
        // Without arguments, no template needs to be parsed.
        return text.arguments.isEmpty ? text.key : asWritten(text.key).fill(text.arguments, write)
    }

    /// Returns an expected or actual value from the wire, with secrets in URIs and parameters masked.
    func words(_ text: Text) -> String { secrets.apply(text: sentence(text)) }

    /// Returns the explanation of a step, or nil if the key is in no catalogue and is not a sentence itself.
    func note(_ text: Text) -> String? {
        template(text.key) != nil || Self.isSentence(text.key) ? sentence(text) : nil
    }

    /// Whether a text in place of a key is a sentence: keys are ASCII, and contain no spaces and no final period.
    private static func isSentence(_ key: String) -> Bool {
        let marks = [UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?")]
        return key.utf8.contains { $0 == UInt8(ascii: " ") || $0 >= 0x80 } || key.utf8.last.map(marks.contains) == true
    }

    /// Returns a line in the language, secrets in it not yet masked.
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

    /// Returns a message in one line, secrets masked.
    func summary(_ message: any Message) -> String {
        var octets: [UInt8] = []
        write(message, to: &octets)
        return String(decoding: octets, as: UTF8.self)
    }

    /// Returns a part of a line; its arguments are already formatted.
    private func put(_ piece: Text) -> String {
        (template(piece.key) ?? asWritten(piece.key)).fill(piece.arguments) { argument, octets in
            switch argument {
            case .string(let words): octets.append(words)
            case .text(let piece): octets.append(put(piece))
            default: write(argument, to: &octets)
            }
        }
    }

    /// Returns the template for a key in the language itself, without fallback.
    func translation(_ key: String) -> String? {
        template(key)?.source
    }

    /// The separator of list members.
    var comma: String { language == .chinese ? "，" : ", " }
    /// The separator of sentences in one line.
    var semicolon: String { language == .chinese ? "；" : "; " }
    /// The colon.
    var colon: String { language == .chinese ? "：" : ": " }

    /// Returns text in parentheses, to be appended.
    func aside(_ words: String) -> String { language == .chinese ? "（\(words)）" : " (\(words))" }

    /// Returns several sentences in one line.
    func list(_ texts: [Text]) -> String {
        texts.count == 1 ? sentence(texts[0]) : texts.map { sentence($0) }.joined(separator: semicolon)
    }

    /// Returns a remark with its reference.
    func remark(_ remark: Remark) -> String {
        sentence(remark.text) + (remark.reference.isEmpty ? "" : aside(remark.reference))
    }

    private func template(_ key: String) -> Template? {
        if let template = known[key] { return template }
        let template = source(key).map { Template($0) }
        // Keys may be arbitrary sentences with text from the wire.
        if known.count < Self.mostKnown { known[key] = .some(template) }
        return template
    }

    /// Returns the text of a key. Texts are only created when all before them lack a key.
    private func source(_ key: String) -> String? {
        for catalogue in catalogues {
            if let text = catalogue[key] { return text }
        }
        while usedLists < lists.count {
            let added = lists[usedLists].make()
            usedLists += 1
            catalogues += added
            if let text = added.lazy.compactMap({ $0[key] }).first { return text }
        }
        return nil
    }

    /// Returns the template of a key in no catalogue.
    private func asWritten(_ key: String) -> Template {
        if let template = others[key] { return template }
        let template = Template(key)
        if others.count < Self.mostKnown { others[key] = template }
        return template
    }

    private func write(_ argument: Text.Argument, to octets: inout [UInt8]) {
        switch argument {
        // Text from the wire may contain a secret anywhere.
        case .string(let text): octets.append(secrets.apply(text: text))
        case .integer(let number): octets.appendDecimal(number)
        case .decimal(let number, let places): octets.appendFixed(number, places: places)
        case .uri(let uri): octets.append(secrets.apply(uri: uri))
        case .secret(let secret): octets.append(secrets.apply(secret))
        case .endpoint(let endpoint): endpoint.write(to: &octets)
        case .text(let text): octets.append(sentence(text))
        }
    }
}

/// The unparsed texts of a language, for creating catalogues.
struct CatalogueTexts: Sendable {
    let language: Language
    let secrets: SecretPolicy
    let lists: [TextList]
}

/// Texts of the reports or of a plugin, which are created when they are needed.
struct TextList: Sendable {
    /// Returns the texts by key.
    let make: @Sendable () -> [[String: String]]
}
