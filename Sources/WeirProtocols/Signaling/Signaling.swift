public import WeirEngine

/// Signaling of WebRTC calls: JSON by which two peers exchange session descriptions and ICE candidates.
public enum Signaling: Plugin {
    /// `signaling`.
    public static let name = "signaling"
    /// On TCP, and in messages of other protocols.
    public static var dissectors: [any Dissector.Type] { [SignalingDissector.self] }
    /// How each rule looks broken, and how it looks kept.
    public static var examples: [String: RuleExample] { SignalingExamples.all }
    /// Its sentences.
    public static func words(_ language: Language) -> [[String: String]] { SignalingWords.all(language) }
    /// Its lines.
    public static func lines(_ language: Language) -> [String: String] { SignalingWords.lines(language) }

    /// Its rules, in the order in which reports list them.
    public static var rules: [any Rule.Type] {
        [
            SIGFraming.self, SIGJSON.self, SIGType.self, SIGLoginFirst.self, SIGRoute.self, SIGCandidateEarly.self,
            SIGCandidateMedium.self, SIGEndOfCandidates.self, SIGHeartbeat.self, SIGClear.self, SIGReconnect.self,
        ]
    }
}
