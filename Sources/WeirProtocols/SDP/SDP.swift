public import WeirEngine

/// The Session Description Protocol (RFC 8866).
public enum SDP: Plugin {
    /// `sdp`.
    public static let name = "sdp"
    /// In the messages of others.
    public static var dissectors: [any Dissector.Type] { [SDPDissector.self] }
    /// How each rule looks broken, and how it looks kept.
    public static var examples: [String: RuleExample] {
        SDPExamples.all.merging(AudioExamples.all) { one, _ in one }
    }
    /// Its sentences.
    public static func words(_ language: Language) -> [[String: String]] { SDPWords.all(language) }
    /// Its lines.
    public static func lines(_ language: Language) -> [String: String] { SDPWords.lines(language) }

    /// Its rules, in the order in which reports list them.
    public static var rules: [any Rule.Type] {
        [
            SDPVersion.self, SDPOriginFields.self, SDPSessionName.self, SDPTimeLine.self, SDPConnectionRequired.self,
            SDPConnectionAddress.self, SDPLineOrder.self, SDPLineForm.self, SDPLineEnds.self, SDPMediaLine.self,
            SDPMediaProtocol.self, SDPDynamicPayloadTypes.self, SDPStaticPayloadTypes.self, SDPClockRates.self,
            SDPOneMapping.self, SDPFormatParameters.self, SDPBandwidthLimit.self, SDPControl.self, SDPDirection.self,
            SDPLetterCase.self, SDPMediaIdentification.self, SDPBundle.self, SDPRTCPMultiplexing.self,
            SDPICECredentials.self, SDPICECandidates.self, SDPFingerprints.self, SDPSetup.self, SDPCrypto.self,
            SDPHeaderExtensions.self, SDPParameterSets.self, H264ProfileLevel.self, H264ParameterSets.self,
            AACConfiguration.self, OpusClock.self,
        ]
    }
}
