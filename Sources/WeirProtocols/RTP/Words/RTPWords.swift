import WeirEngine

/// The message catalogs of RTP, in one or several files per language.
enum RTPWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english:
            [
                english, englishRemedies, englishMediaRules, englishReportRules, englishMediaRemedies, englishSRTP,
                englishRIST,
            ]
        case .chinese: [chinese, chineseRemedies, chineseMediaRules, chineseMediaRemedies, chineseSRTP, chineseRIST]
        }
    }

    /// Returns the translations of line templates for a language; English needs none.
    static func lines(_ language: Language) -> [String: String] {
        switch language {
        case .english: [:]
        case .chinese: chineseLines
        }
    }
}
