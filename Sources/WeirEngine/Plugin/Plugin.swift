/// The components of a protocol.
///
/// Built-in plugins are listed in `BuiltIn.plugins`; other packages pass their own to the analysis and the reports.
public protocol Plugin: SendableMetatype {
    /// The lowercase protocol name: of its messages, in the timeline and with `--protocol`.
    static var name: String { get }
    /// The dissectors, in probing order.
    static var dissectors: [any Dissector.Type] { get }
    /// The fast paths for packets that need no message.
    static var fastPaths: [any FastPath.Type] { get }
    /// The rules, in report order.
    static var rules: [any Rule.Type] { get }
    /// Examples of violation and conformance, by rule id.
    static var examples: [String: RuleExample] { get }
    /// Returns the sentences of notes, remarks, findings and outcomes in a language, by key; one catalog per subject.
    /// All languages have the same keys.
    static func words(_ language: Language) -> [[String: String]]
    /// Returns the translations of message line templates (`Wording`), by template; English needs none.
    static func lines(_ language: Language) -> [String: String]
}

extension Plugin {
    /// The default: none.
    public static var dissectors: [any Dissector.Type] { [] }
    /// The default: none.
    public static var fastPaths: [any FastPath.Type] { [] }
    /// The default: none.
    public static var rules: [any Rule.Type] { [] }
    /// The default: only the example in the rule's description.
    public static var examples: [String: RuleExample] { [:] }
    /// The default: none.
    public static func words(_ language: Language) -> [[String: String]] { [] }
    /// The default: none; lines are in English.
    public static func lines(_ language: Language) -> [String: String] { [:] }
}
