import WeirEngine

/// What WHIP says to people.
enum WHIPWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english, englishRules]
        case .chinese: [chinese, chineseRules]
        }
    }

    /// What the templates of its lines are in a language; English needs none.
    static func lines(_ language: Language) -> [String: String] {
        switch language {
        case .english: [:]
        case .chinese: chineseLines
        }
    }
}
