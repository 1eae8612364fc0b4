/// A language of notes, findings and outcomes.
public enum Language: String, Sendable, CaseIterable {
    /// English.
    case english = "en"
    /// Chinese.
    case chinese = "zh"
}

extension [[String: String]] {
    /// Catalogues of several subjects as one; of a key that several have, the first counts.
    package func joinedWords() -> [String: String] {
        reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
}
