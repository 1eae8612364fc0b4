import WeirEngine

/// What WebRTC says to people: for each language a file.
enum WebRTCWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english, englishTURN, englishRules]
        case .chinese: [chinese, chineseTURN, chineseRules]
        }
    }
}
