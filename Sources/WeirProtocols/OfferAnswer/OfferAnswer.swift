public import WeirEngine

/// The offer/answer exchange (RFC 3264), whatever protocol carries the descriptions: rules for consistency.
public enum OfferAnswer: Plugin {
    /// The plugin's name, `oa`.
    public static let name = "oa"
    /// A failing and a passing example of each rule, by rule identifier.
    public static var examples: [String: RuleExample] { OfferAnswerExamples.all }
    /// The texts of findings and reports in `language`.
    public static func words(_ language: Language) -> [[String: String]] { OfferAnswerWords.all(language) }

    /// The rules, in report order.
    public static var rules: [any Rule.Type] {
        [
            OAMediaCount.self, OAFormats.self, OARetransmission.self, OAHeaderExtensions.self, OADirection.self,
            OASetup.self, OARejected.self, OAVersion.self, OAReoffer.self, OAGlare.self, OAStrayAnswer.self,
        ]
    }
}
