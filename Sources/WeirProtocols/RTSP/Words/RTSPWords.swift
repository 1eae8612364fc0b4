import WeirEngine

/// The RTSP text catalogs: one or more files per language.
enum RTSPWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english, englishSessions, englishCauses, englishRules, englishRemedies]
        case .chinese: [chinese, chineseSessions, chineseCauses, chineseRules, chineseRemedies]
        }
    }

    /// Returns the line templates of a language; none for English, whose templates are the keys.
    static func lines(_ language: Language) -> [String: String] {
        switch language {
        case .english: [:]
        case .chinese: chineseLines
        }
    }
}
