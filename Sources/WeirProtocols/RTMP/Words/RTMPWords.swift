import WeirEngine

/// The text catalogs of RTMP: one or more files per language.
enum RTMPWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english, englishSessions, englishCauses, englishRules, englishRemedies]
        case .chinese: [chinese, chineseSessions, chineseCauses, chineseRules, chineseRemedies]
        }
    }

    /// Returns the line templates of a language; English needs none.
    static func lines(_ language: Language) -> [String: String] {
        switch language {
        case .english: [:]
        case .chinese: chineseLines
        }
    }
}
