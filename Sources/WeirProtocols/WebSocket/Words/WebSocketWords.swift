import WeirEngine

/// What WebSocket says to people.
enum WebSocketWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english, englishRules]
        case .chinese: [chinese, chineseRules]
        }
    }
}
