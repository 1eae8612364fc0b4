public import WeirEngine

/// The Real-Time Streaming Protocol (RFC 2326, RFC 7826).
public enum RTSP: Plugin {
    /// The plugin's name, `rtsp`.
    public static let name = "rtsp"
    /// The dissectors for RTSP on TCP and in HTTP tunnels.
    public static var dissectors: [any Dissector.Type] { [RTSPDissector.self, HTTPTunnelDissector.self] }
    /// The fast path for interleaved frames of known streams.
    public static var fastPaths: [any FastPath.Type] { [InterleavedPath.self] }
    /// A failing and a passing example of each rule, by rule identifier.
    public static var examples: [String: RuleExample] { RTSPExamples.all }
    /// The texts of findings and reports in `language`.
    public static func words(_ language: Language) -> [[String: String]] { RTSPWords.all(language) }
    /// The texts of report lines in `language`.
    public static func lines(_ language: Language) -> [String: String] { RTSPWords.lines(language) }

    /// The rules, in report order.
    public static var rules: [any Rule.Type] {
        [
            RTSPVersionRule.self, RTSPRequestLine.self, RTSPLineEnds.self, RTSPCSeqPresent.self, RTSPCSeqEcho.self,
            RTSPCSeqUnique.self, RTSPCSeqStep.self, RTSPNoRetransmission.self, RTSPUnanswered.self,
            RTSPContentLengthPresent.self, RTSPContentLengthMatch.self, RTSPContentType.self, RTSPDateFormat.self,
            RTSPPublic.self, RTSPPublicLie.self, RTSPMethod501.self, RTSPContentBase.self, RTSPControlURI.self,
            RTSPSetupTransport.self, RTSPTransportOne.self, RTSPTransportEcho.self, RTSPTransportPeer.self,
            RTSPTransportGrammar.self, RTSPPortPair.self, RTSPPortReuse.self, RTSPInterleavedChannel.self,
            RTSPInterleavedParity.self, RTSPInterleavedFraming.self, RTSPInterleavedEarly.self, RTSPSessionSet.self,
            RTSPSessionEcho.self, RTSPSessionStable.self, RTSPSessionNotFound.self, RTSPSessionLength.self,
            RTSPKeepAlive.self, RTSPKeepAliveMethod.self, RTSPPlayPending.self, RTSPState.self, RTSPUnsetMedia.self,
            RTSPRTPInfo.self, RTSPRTPInfoScope.self, RTSPRTPInfoSequence.self, RTSPRTPInfoTime.self,
            RTSPRangeReply.self, RTSPScaleReply.self, RTSPTimestampEcho.self, RTSPRequire551.self,
            RTSPAuthChallenge.self, RTSPAuthClear.self, RTSPRecordFlow.self, RTSPTeardown.self, RTSP2CSeq.self,
        ]
    }
}
