public import WeirEngine

/// The Session Description Protocol (RFC 8866).
public enum SDP: Plugin {
    /// The plugin's name, `sdp`.
    public static let name = "sdp"
    /// The dissector for descriptions carried by other protocols.
    public static var dissectors: [any Dissector.Type] { [SDPDissector.self] }
    /// A failing and a passing example of each rule, by rule identifier.
    public static var examples: [String: RuleExample] {
        SDPExamples.all.merging(AudioExamples.all) { one, _ in one }
    }
    /// The texts of findings and reports in `language`.
    public static func words(_ language: Language) -> [[String: String]] { SDPWords.all(language) }
    /// The texts of report lines in `language`.
    public static func lines(_ language: Language) -> [String: String] { SDPWords.lines(language) }

    /// The rules, in report order.
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
