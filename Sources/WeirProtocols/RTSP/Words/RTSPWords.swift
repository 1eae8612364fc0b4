import WeirEngine

/// What RTSP says to people: for each language a file, or one for each subject.
enum RTSPWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english, englishStory, englishCauses, englishRules, englishRemedies]
        case .chinese: [chinese, chineseStory, chineseCauses, chineseRules, chineseRemedies]
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
