public import WeirEngine

/// WHIP (RFC 9725), WebRTC publishing with HTTP signaling, and WHEP, its counterpart for playback.
public enum WHIP: Plugin {
    /// The plugin name, `whip`.
    public static let name = "whip"
    /// The dissector, inside HTTP.
    public static var dissectors: [any Dissector.Type] { [WHIPDissector.self] }
    /// Examples of each rule, violated and met.
    public static var examples: [String: RuleExample] { WHIPExamples.all }
    /// The texts in a language.
    public static func words(_ language: Language) -> [[String: String]] { WHIPWords.all(language) }
    /// The line templates in a language.
    public static func lines(_ language: Language) -> [String: String] { WHIPWords.lines(language) }

    /// The rules, in report order.
    public static var rules: [any Rule.Type] {
        [
            WHIPPost.self, WHIPDirection.self, WHIPDelete.self, WHIPPatch.self, WHIPRestart.self, WHIPCandidates.self,
            WHIPBundle.self, WHIPRedirect.self, WHIPAuthorization.self,
        ]
    }
}
