public import WeirEngine

/// Transport Layer Security, as far as it says what it hides.
public enum TLS: Plugin {
    /// `tls`.
    public static let name = "tls"
    /// On TCP.
    public static var dissectors: [any Dissector.Type] { [TLSDissector.self] }
}
