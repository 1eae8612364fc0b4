import WeirEngine

/// The texts of WebRTC in each language.
enum WebRTCWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english, englishTURN, englishRules]
        case .chinese: [chinese, chineseTURN, chineseRules]
        }
    }
}
