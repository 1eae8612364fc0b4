public import WeirEngine

/// Session Traversal Utilities for NAT (STUN, RFC 8489) and TURN (RFC 8656): messages and rules.
public enum STUN: Plugin {
    /// The plugin name, `stun`.
    public static let name = "stun"
    /// Ports of servers and relays: the registered one (RFC 8489 §8.1), and two that public servers use.
    static let ports: [UInt16] = [3478, 3479, 19302]
    /// The texts in a language.
    public static func words(_ language: Language) -> [[String: String]] { STUNWords.all(language) }
    /// The line templates in a language.
    public static func lines(_ language: Language) -> [String: String] { STUNWords.lines(language) }
    /// Examples of each rule, violated and met.
    public static var examples: [String: RuleExample] { STUNExamples.all }

    /// The rules, in report order.
    public static var rules: [any Rule.Type] {
        [
            STUNHeader.self, STUNFingerprint.self, STUNIntegrity.self, STUNUnknownAttributes.self,
            STUNRetransmission.self, TURNFlow.self, TURNNonce.self,
        ]
    }
}
