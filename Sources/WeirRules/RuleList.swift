/// The rules that Weir knows, by protocol. A new rule is a small value in its protocol's folder and one word here.
public enum RuleList {
    /// All of them, in the order in which reports list them.
    public static var all: [any Rule.Type] { rtsp + sdp + rtp }

    static var rtsp: [any Rule.Type] { [] }
    static var sdp: [any Rule.Type] {
        [
            SDPVersion.self, SDPOriginFields.self, SDPSessionName.self, SDPTimeLine.self, SDPConnectionRequired.self,
            SDPConnectionAddress.self, SDPLineOrder.self, SDPLineForm.self, SDPLineEnds.self, SDPMediaLine.self,
            SDPMediaProtocol.self, SDPDynamicPayloadTypes.self, SDPStaticPayloadTypes.self, SDPClockRates.self,
            SDPOneMapping.self, SDPFormatParameters.self, SDPBandwidthLimit.self, SDPControl.self, SDPDirection.self,
            SDPLetterCase.self, SDPMediaIdentification.self, SDPBundle.self, SDPRTCPMultiplexing.self,
            SDPICECredentials.self, SDPICECandidates.self, SDPFingerprints.self, SDPSetup.self, SDPCrypto.self,
            SDPHeaderExtensions.self, SDPParameterSets.self, H264ProfileLevel.self, H264ParameterSets.self,
        ]
    }
    static var rtp: [any Rule.Type] { [] }
}
