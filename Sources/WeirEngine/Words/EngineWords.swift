/// What the engine itself says to people: of connections, limits, and what a capture lacks.
public enum EngineWords {
    /// The sentences of a language, by key.
    public static func all(_ language: Language) -> [String: String] {
        switch language {
        case .english: english
        case .chinese: chinese
        }
    }

    /// What the templates of lines are in a language; English needs none.
    public static func lines(_ language: Language) -> [String: String] {
        switch language {
        case .english: [:]
        case .chinese: chineseLines
        }
    }
}
