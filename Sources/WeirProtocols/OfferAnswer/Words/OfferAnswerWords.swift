import WeirEngine

/// What the exchange of offer and answer says to people.
enum OfferAnswerWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english]
        case .chinese: [chinese]
        }
    }
}
