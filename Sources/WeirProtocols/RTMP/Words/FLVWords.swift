import WeirEngine

/// The text catalogs of FLV: one or more files per language.
enum FLVWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english, englishRemedies]
        case .chinese: [chinese, chineseRemedies]
        }
    }
}
