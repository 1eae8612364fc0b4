import WeirEngine

/// The texts of SRT in each language.
enum SRTWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english, englishRules, englishPacketRules]
        case .chinese: [chinese, chineseRules, chinesePacketRules]
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
