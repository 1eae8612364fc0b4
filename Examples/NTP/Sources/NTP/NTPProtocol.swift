import WeirKit

/// The Network Time Protocol (RFC 5905): what an analysis is handed to know it.
public enum NTPProtocol: Plugin {
    /// `ntp`.
    public static let name = "ntp"
    /// On UDP.
    public static var dissectors: [any Dissector.Type] { [NTPDissector.self] }
    /// What it is judged by.
    public static var rules: [any Rule.Type] { [NTPTurnaroundRule.self] }
    /// Its sentences.
    public static func words(_ language: Language) -> [[String: String]] { [NTPWords.all(language)] }
    /// Its lines.
    public static func lines(_ language: Language) -> [String: String] { NTPWords.lines(language) }
}
