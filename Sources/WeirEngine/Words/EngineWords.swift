/// The sentences of the engine itself: connections, limits and incomplete captures.
public enum EngineWords {
    /// Returns the sentences of a language, by key.
    public static func all(_ language: Language) -> [String: String] {
        switch language {
        case .english: english
        case .chinese: chinese
        }
    }

    /// Returns the translations of line templates; English needs none.
    public static func lines(_ language: Language) -> [String: String] {
        switch language {
        case .english: [:]
        case .chinese: chineseLines
        }
    }
}
