public import WeirEngine

/// HTTP/1.1 (RFC 9112), as far as it carries or sets up streaming.
public enum HTTP: Plugin {
    /// The plugin's name, `http`.
    public static let name = "http"
    /// The dissector for HTTP on TCP.
    public static var dissectors: [any Dissector.Type] { [HTTPDissector.self] }
    /// The texts of reports in `language`.
    public static func words(_ language: Language) -> [[String: String]] { HTTPWords.all(language) }
}
