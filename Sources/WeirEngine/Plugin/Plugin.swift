/// All that one protocol brings.
///
/// A built-in one is one line in `BuiltIn.plugins`; another package hands its own to the analysis and to the reports.
public protocol Plugin: SendableMetatype {
    /// The protocol's name, in lower case: of its messages, in the timeline and with `--protocol`.
    static var name: String { get }
    /// What turns its bytes into messages; asked in this order whether a flow is theirs.
    static var dissectors: [any Dissector.Type] { get }
    /// What takes its packets where they need no message.
    static var fastPaths: [any FastPath.Type] { get }
    /// What it is judged by, in the order in which reports list it.
    static var rules: [any Rule.Type] { get }
    /// By the ids of its rules: how each looks broken, and how it looks kept.
    static var examples: [String: RuleExample] { get }
    /// The sentences of its notes, remarks, findings and outcomes, by key, in a language: a catalogue for each subject.
    /// Every language has the same keys.
    static func words(_ language: Language) -> [[String: String]]
    /// What the templates of its messages' lines (`Wording`) are in a language, by the templates; English needs none.
    static func lines(_ language: Language) -> [String: String]
}

extension Plugin {
    /// By default nothing is dissected.
    public static var dissectors: [any Dissector.Type] { [] }
    /// By default every packet is read.
    public static var fastPaths: [any FastPath.Type] { [] }
    /// By default nothing is judged.
    public static var rules: [any Rule.Type] { [] }
    /// By default a rule's own description has the only example.
    public static var examples: [String: RuleExample] { [:] }
    /// By default there is nothing to say.
    public static func words(_ language: Language) -> [[String: String]] { [] }
    /// By default lines are told in English.
    public static func lines(_ language: Language) -> [String: String] { [:] }
}
