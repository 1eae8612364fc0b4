import WeirEngine

/// What RTP says to people: for each language a file, or one for each subject.
enum RTPWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english, englishRemedies, englishMediaRules, englishMediaRemedies, englishSRTP]
        case .chinese: [chinese, chineseRemedies, chineseMediaRules, chineseMediaRemedies, chineseSRTP]
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
