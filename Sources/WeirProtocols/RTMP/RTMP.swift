public import WeirEngine

/// The Real-Time Messaging Protocol (Adobe RTMP 1.0, enhanced RTMP).
public enum RTMP: Plugin {
    /// `rtmp`.
    public static let name = "rtmp"
    /// On TCP, and in HTTP.
    public static var dissectors: [any Dissector.Type] { [RTMPDissector.self, RTMPTDissector.self] }
    /// Its sentences.
    public static func words(_ language: Language) -> [String: String] { RTMPWords.all(language) }
}
