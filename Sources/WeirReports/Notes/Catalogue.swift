import WeirDissectors

/// A language of notes, findings and outcomes.
public enum Language: String, Sendable, CaseIterable {
    /// English.
    case english = "en"
    /// Chinese.
    case chinese = "zh"
}

/// Turns sentences into the language asked for, filling in their arguments.
struct Catalogue {
    private let language: Language
    private let secrets: SecretPolicy

    init(_ language: Language, _ secrets: SecretPolicy) {
        self.language = language
        self.secrets = secrets
    }

    /// The sentence; a key that no catalogue has stands for itself.
    func sentence(_ text: Text) -> String {
        fill(template(text.key) ?? text.key, text.arguments)
    }

    /// The explanation of a step; nil when the key is one that only a catalogue could explain, and none does.
    func note(_ text: Text) -> String? {
        if let template = template(text.key) { return fill(template, text.arguments) }
        return text.key.utf8.contains(UInt8(ascii: " ")) ? fill(text.key, text.arguments) : nil
    }

    /// What the catalogue of the language itself has for a key.
    func translation(_ key: String) -> String? {
        template(key)
    }

    /// Several sentences in one line.
    func list(_ texts: [Text]) -> String {
        texts.map { sentence($0) }.joined(separator: language == .chinese ? "；" : "; ")
    }

    /// A remark with its reference.
    func remark(_ remark: Remark) -> String {
        sentence(remark.text) + (remark.reference.isEmpty ? "" : " (\(remark.reference))")
    }

    private func template(_ key: String) -> String? {
        if language == .chinese, let text = Strings.chinese[key] { return text }
        return Strings.english[key]
    }

    /// Replaces `{0}`, `{1}`, … by the arguments; other braces stand for themselves.
    private func fill(_ template: String, _ arguments: [Text.Argument]) -> String {
        guard !arguments.isEmpty else { return template }
        var result = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            rest = rest[open...]
            guard let close = rest.firstIndex(of: "}"),
                let index = Int(rest[rest.index(after: open)..<close]), arguments.indices.contains(index)
            else {
                result += "{"
                rest = rest.dropFirst()
                continue
            }
            result += print(arguments[index])
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    private func print(_ argument: Text.Argument) -> String {
        switch argument {
        case .string(let text): text
        case .integer(let number): String(number)
        case .decimal(let number, let places): decimal(number, places: places)
        case .uri(let uri): secrets.apply(uri: uri)
        case .secret(let secret): secrets.apply(secret)
        case .text(let text): sentence(text)
        }
    }
}
