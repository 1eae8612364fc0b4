public import WeirEngine

/// Session Traversal Utilities for NAT (RFC 8489) and its relays (TURN, RFC 8656): messages, and what they are judged by.
public enum STUN: Plugin {
    /// `stun`.
    public static let name = "stun"
    /// Ports on which servers and relays listen: the registered one (RFC 8489 §8.1), and two that public servers use.
    static let ports: [UInt16] = [3478, 3479, 19302]
    /// Its sentences.
    public static func words(_ language: Language) -> [[String: String]] { STUNWords.all(language) }
    /// Its lines.
    public static func lines(_ language: Language) -> [String: String] { STUNWords.lines(language) }
    /// How each rule looks broken, and how it looks kept.
    public static var examples: [String: RuleExample] { STUNExamples.all }

    /// Its rules, in the order in which reports list them.
    public static var rules: [any Rule.Type] {
        [
            STUNHeader.self, STUNFingerprint.self, STUNIntegrity.self, STUNUnknownAttributes.self,
            STUNRetransmission.self, TURNFlow.self, TURNNonce.self,
        ]
    }
}
