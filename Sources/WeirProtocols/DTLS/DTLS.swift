public import WeirEngine

/// Datagram Transport Layer Security (RFC 6347, RFC 9147), as far as it says what it hides.
public enum DTLS: Plugin {
    /// `dtls`.
    public static let name = "dtls"
    /// Its sentences.
    public static func words(_ language: Language) -> [[String: String]] { DTLSWords.all(language) }
    /// Its lines.
    public static func lines(_ language: Language) -> [String: String] { DTLSWords.lines(language) }
}
