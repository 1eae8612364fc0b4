public import WeirEngine

/// Transport Layer Security, as far as it says what it hides.
public enum TLS: Plugin {
    /// `tls`.
    public static let name = "tls"
    /// Its sentences.
    public static func words(_ language: Language) -> [[String: String]] { TLSWords.all(language) }
    /// Its lines.
    public static func lines(_ language: Language) -> [String: String] { TLSWords.lines(language) }
    /// On TCP.
    public static var dissectors: [any Dissector.Type] { [TLSDissector.self] }
}
