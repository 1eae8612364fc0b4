import WeirEngine

/// The texts of WHIP in each language.
enum WHIPWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english, englishRules]
        case .chinese: [chinese, chineseRules]
        }
    }

    /// Returns the line templates of a language; none for English.
    static func lines(_ language: Language) -> [String: String] {
        switch language {
        case .english: [:]
        case .chinese: chineseLines
        }
    }
}
