import WeirEngine

/// The texts of DTLS in each language.
enum DTLSWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english]
        case .chinese: [chinese]
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
