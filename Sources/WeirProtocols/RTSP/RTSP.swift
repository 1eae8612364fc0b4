public import WeirEngine

/// The Real-Time Streaming Protocol (RFC 2326, RFC 7826).
public enum RTSP: Plugin {
    /// `rtsp`.
    public static let name = "rtsp"
    /// On TCP, and in HTTP tunnels.
    public static var dissectors: [any Dissector.Type] { [RTSPDissector.self, HTTPTunnelDissector.self] }
    /// Its sentences.
    public static func words(_ language: Language) -> [String: String] { RTSPWords.all(language) }
}
