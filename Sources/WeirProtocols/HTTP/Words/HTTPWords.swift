import WeirEngine

/// The HTTP text catalogs.
enum HTTPWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english]
        case .chinese: [chinese]
        }
    }
}
