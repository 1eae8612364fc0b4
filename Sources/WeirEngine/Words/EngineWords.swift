/// What the engine itself says to people: of connections, limits, and what a capture lacks.
public enum EngineWords {
    /// The sentences of a language, by key.
    public static func all(_ language: Language) -> [String: String] {
        switch language {
        case .english: english
        case .chinese: chinese
        }
    }
}
