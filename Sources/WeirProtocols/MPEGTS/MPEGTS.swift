public import WeirEngine

/// MPEG transport streams in plain UDP, as in IPTV multicast, interleaved with RTSP, or in bodies of HTTP messages
/// (ISO/IEC 13818-1). Those in RTP belong to the RTP plugin (RFC 2250).
public enum MPEGTS: Plugin {
    /// The plugin name, `mpegts`.
    public static let name = "mpegts"
    /// The dissector of transport streams over UDP.
    public static var dissectors: [any Dissector.Type] { [MPEGTSDissector.self] }
    /// Returns the message catalogs for a language.
    public static func words(_ language: Language) -> [[String: String]] { MPEGTSWords.all(language) }
    /// Returns the translations of line templates for a language.
    public static func lines(_ language: Language) -> [String: String] { MPEGTSWords.lines(language) }
}
