/// The string catalogues: for each language a folder, in it a file for each subject.
enum Strings {
    static let english = join([
        englishFLVRules, englishLabels, englishRTMP, englishRTMPRules, englishRTMPSessions, englishRTP, englishRTSP,
        englishRTSPRules, englishSDPRules, englishSessions,
    ])
    static let chinese = join([
        chineseFLVRules, chineseLabels, chineseRTMP, chineseRTMPRules, chineseRTMPSessions, chineseRTP, chineseRTSP,
        chineseRTSPRules, chineseSDPRules, chineseSessions,
    ])

    private static func join(_ parts: [[String: String]]) -> [String: String] {
        parts.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
}
