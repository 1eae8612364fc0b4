public import WeirEngine

/// The Session Description Protocol (RFC 8866).
public enum SDP: Plugin {
    /// `sdp`.
    public static let name = "sdp"
    /// In the messages of others.
    public static var dissectors: [any Dissector.Type] { [SDPDissector.self] }
    /// Its sentences.
    public static func words(_ language: Language) -> [String: String] { SDPWords.all(language) }
}
