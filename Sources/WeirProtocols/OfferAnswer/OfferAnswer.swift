public import WeirEngine

/// The exchange of offer and answer (RFC 3264), whatever carries the descriptions: rules on how they fit together.
public enum OfferAnswer: Plugin {
    /// `oa`.
    public static let name = "oa"
    /// How each rule looks broken, and how it looks kept.
    public static var examples: [String: RuleExample] { OfferAnswerExamples.all }
    /// Its sentences.
    public static func words(_ language: Language) -> [[String: String]] { OfferAnswerWords.all(language) }

    /// Its rules, in the order in which reports list them.
    public static var rules: [any Rule.Type] {
        [
            OAMediaCount.self, OAFormats.self, OARetransmission.self, OAHeaderExtensions.self, OADirection.self,
            OASetup.self, OARejected.self, OAVersion.self, OAReoffer.self, OAGlare.self, OAStrayAnswer.self,
        ]
    }
}
