public import WeirEngine

/// Signaling of WebRTC calls: the exchange of session descriptions and ICE candidates in JSON.
public enum Signaling: Plugin {
    /// The plugin name, `signaling`.
    public static let name = "signaling"
    /// The dissector, on TCP and inside other protocols.
    public static var dissectors: [any Dissector.Type] { [SignalingDissector.self] }
    /// Examples of each rule, violated and met.
    public static var examples: [String: RuleExample] { SignalingExamples.all }
    /// The texts in a language.
    public static func words(_ language: Language) -> [[String: String]] { SignalingWords.all(language) }
    /// The line templates in a language.
    public static func lines(_ language: Language) -> [String: String] { SignalingWords.lines(language) }

    /// The rules, in report order.
    public static var rules: [any Rule.Type] {
        [
            SIGFraming.self, SIGJSON.self, SIGType.self, SIGLoginFirst.self, SIGRoute.self, SIGCandidateEarly.self,
            SIGCandidateMedium.self, SIGEndOfCandidates.self, SIGHeartbeat.self, SIGClear.self, SIGReconnect.self,
        ]
    }
}
