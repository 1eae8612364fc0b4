public import WeirEngine

/// Datagram Transport Layer Security (RFC 6347, RFC 9147), without decryption.
public enum DTLS: Plugin {
    /// The plugin name, `dtls`.
    public static let name = "dtls"
    /// The texts in a language.
    public static func words(_ language: Language) -> [[String: String]] { DTLSWords.all(language) }
    /// The line templates in a language.
    public static func lines(_ language: Language) -> [String: String] { DTLSWords.lines(language) }
}
