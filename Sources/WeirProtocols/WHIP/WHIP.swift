public import WeirEngine

/// WHIP (RFC 9725), by which media is published over WebRTC with nothing but HTTP for signaling; and WHEP, its counterpart
/// for players.
public enum WHIP: Plugin {
    /// `whip`.
    public static let name = "whip"
    /// In HTTP.
    public static var dissectors: [any Dissector.Type] { [WHIPDissector.self] }
    /// How each rule looks broken, and how it looks kept.
    public static var examples: [String: RuleExample] { WHIPExamples.all }
    /// Its sentences.
    public static func words(_ language: Language) -> [[String: String]] { WHIPWords.all(language) }
    /// Its lines.
    public static func lines(_ language: Language) -> [String: String] { WHIPWords.lines(language) }

    /// Its rules, in the order in which reports list them.
    public static var rules: [any Rule.Type] {
        [
            WHIPPost.self, WHIPDirection.self, WHIPDelete.self, WHIPPatch.self, WHIPRestart.self, WHIPCandidates.self,
            WHIPBundle.self, WHIPRedirect.self, WHIPAuthorization.self,
        ]
    }
}
