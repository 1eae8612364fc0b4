import WeirEngine

/// What STUN says to people: for each language a file.
enum STUNWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english, englishRules]
        case .chinese: [chinese, chineseRules]
        }
    }
}
