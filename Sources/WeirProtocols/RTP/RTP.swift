public import WeirEngine

/// The Real-time Transport Protocol (RFC 3550) and its payload formats.
public enum RTP: Plugin {
    /// `rtp`.
    public static let name = "rtp"
    /// On UDP, and in the frames of others.
    public static var dissectors: [any Dissector.Type] { [RTPDissector.self] }
    /// Datagrams of known streams.
    public static var fastPaths: [any FastPath.Type] { [MediaStreams.self] }
    /// How each rule looks broken, and how it looks kept.
    public static var examples: [String: RuleExample] { RTPExamples.all }
    /// Its sentences.
    public static func words(_ language: Language) -> [[String: String]] { RTPWords.all(language) }

    /// Its rules, in the order in which reports list them.
    public static var rules: [any Rule.Type] {
        [
            RTPNotArrived.self, RTPSequenceLoss.self, RTPSequenceReorder.self, RTPSequenceDuplicate.self,
            RTPJitter.self, RTPPortEven.self,
        ]
    }
}
