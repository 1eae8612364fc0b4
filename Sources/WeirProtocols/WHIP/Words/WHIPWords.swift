import WeirEngine

/// What WHIP says to people.
enum WHIPWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english, englishRules]
        case .chinese: [chinese, chineseRules]
        }
    }
}
