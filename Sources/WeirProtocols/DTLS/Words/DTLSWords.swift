import WeirEngine

/// What DTLS says to people: for each language a file.
enum DTLSWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english]
        case .chinese: [chinese]
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
