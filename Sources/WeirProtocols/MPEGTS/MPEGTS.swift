public import WeirEngine

/// MPEG transport streams in plain UDP, as multicast television has them (ISO/IEC 13818-1). Those in RTP are RTP's (RFC 2250).
public enum MPEGTS: Plugin {
    /// `mpegts`.
    public static let name = "mpegts"
    /// On UDP.
    public static var dissectors: [any Dissector.Type] { [MPEGTSDissector.self] }
    /// Its sentences.
    public static func words(_ language: Language) -> [[String: String]] { MPEGTSWords.all(language) }
    /// Its lines.
    public static func lines(_ language: Language) -> [String: String] { MPEGTSWords.lines(language) }
}
