import WeirEngine

/// The text catalogs of the offer/answer rules.
enum OfferAnswerWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english]
        case .chinese: [chinese]
        }
    }
}
