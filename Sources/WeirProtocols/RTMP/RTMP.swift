public import WeirEngine

/// The Real-Time Messaging Protocol (Adobe RTMP 1.0, enhanced RTMP).
public enum RTMP: Plugin {
    /// `rtmp`.
    public static let name = "rtmp"
    /// The dissectors of RTMP on TCP and in HTTP.
    public static var dissectors: [any Dissector.Type] { [RTMPDissector.self, RTMPTDissector.self] }
    /// The fast path for chunks within messages and for frames of known streams.
    public static var fastPaths: [any FastPath.Type] { [RTMPChunkPath.self] }
    /// A violating and a conforming example for each rule.
    public static var examples: [String: RuleExample] { RTMPExamples.all.merging(FLVExamples.all) { one, _ in one } }
    /// Returns the text catalogs of a language.
    public static func words(_ language: Language) -> [[String: String]] {
        RTMPWords.all(language) + FLVWords.all(language)
    }
    /// Returns the line templates of a language.
    public static func lines(_ language: Language) -> [String: String] { RTMPWords.lines(language) }

    /// The rules for messages and their content, in the order of reports.
    public static var rules: [any Rule.Type] { messageRules + FLVRules.all }

    static var messageRules: [any Rule.Type] {
        [
            RTMPHandshakeVersion.self, RTMPHandshakeOrder.self, RTMPHandshakeSize.self, RTMPHandshakeZero.self,
            RTMPHandshakeC2.self, RTMPHandshakeS2.self, RTMPHandshakeTime2.self, RTMPHandshakeEntropy.self,
            RTMPHandshakeStall.self, RTMPChunkType0.self, RTMPChunkStreamID.self, RTMPControlStream.self,
            RTMPUserControlStream.self, RTMPChunkSize.self, RTMPMessageLength.self, RTMPExtendedTimestamp.self,
            RTMPTimestamp24.self, RTMPTimestampBackward.self, RTMPMessageStreamOrder.self, RTMPAcknowledgement.self,
            RTMPPeerBandwidth.self, RTMPPing.self, RTMPAggregateParts.self, RTMPConnectFirst.self, RTMPTargetURL.self,
            RTMPCodecFlags.self, RTMPTransactionResult.self, RTMPCommandType.self, RTMPStreamOrder.self,
            RTMPPublishArguments.self, RTMPTransactionZero.self, RTMPStatusAnswer.self, RTMPMediaEarly.self,
            RTMPExtensionCommand.self, RTMPKeyInClear.self,
        ]
    }
}
