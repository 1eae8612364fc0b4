public import WeirEngine

/// The tags of Flash Video, in the messages of RTMP, and the values of AMF.
public enum FLV: Plugin {
    /// `flv`.
    public static let name = "flv"
    /// Its sentences.
    public static func words(_ language: Language) -> [String: String] { FLVWords.all(language) }
}
