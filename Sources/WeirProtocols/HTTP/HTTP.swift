public import WeirEngine

/// HTTP/1.1 (RFC 9112), as far as it carries or leads to streaming.
public enum HTTP: Plugin {
    /// `http`.
    public static let name = "http"
    /// On TCP.
    public static var dissectors: [any Dissector.Type] { [HTTPDissector.self] }
    /// Its sentences.
    public static func words(_ language: Language) -> [[String: String]] { HTTPWords.all(language) }
}
