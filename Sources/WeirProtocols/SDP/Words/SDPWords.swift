import WeirEngine

/// The SDP text catalogs: one or more files per language.
enum SDPWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english, englishRemedies, englishAudio]
        case .chinese: [chinese, chineseRemedies, chineseAudio]
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
