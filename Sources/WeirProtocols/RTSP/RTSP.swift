public import WeirEngine

/// The Real-Time Streaming Protocol (RFC 2326, RFC 7826).
public enum RTSP: Plugin {
    /// `rtsp`.
    public static let name = "rtsp"
    /// On TCP, and in HTTP tunnels.
    public static var dissectors: [any Dissector.Type] { [RTSPDissector.self, HTTPTunnelDissector.self] }
    /// Interleaved frames of known streams.
    public static var fastPaths: [any FastPath.Type] { [InterleavedPath.self] }
    /// How each rule looks broken, and how it looks kept.
    public static var examples: [String: RuleExample] { RTSPExamples.all }
    /// Its sentences.
    public static func words(_ language: Language) -> [[String: String]] { RTSPWords.all(language) }
    /// Its lines.
    public static func lines(_ language: Language) -> [String: String] { RTSPWords.lines(language) }

    /// Its rules, in the order in which reports list them.
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
