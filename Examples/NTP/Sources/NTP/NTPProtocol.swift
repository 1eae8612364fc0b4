import WeirKit

/// The Network Time Protocol plugin (RFC 5905).
public enum NTPProtocol: Plugin {
    /// `ntp`.
    public static let name = "ntp"
    /// The dissectors, for UDP.
    public static var dissectors: [any Dissector.Type] { [NTPDissector.self] }
    /// The rules.
    public static var rules: [any Rule.Type] { [NTPTurnaroundRule.self] }
    /// The sentences of the catalog.
    public static func words(_ language: Language) -> [[String: String]] { [NTPWords.all(language)] }
    /// The templates of summary lines.
    public static func lines(_ language: Language) -> [String: String] { NTPWords.lines(language) }
}
