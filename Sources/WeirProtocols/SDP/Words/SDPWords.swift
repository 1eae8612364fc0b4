import WeirEngine

/// What SDP says to people: for each language a file, or one for each subject.
enum SDPWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english, englishRemedies, englishAudio]
        case .chinese: [chinese, chineseRemedies, chineseAudio]
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
