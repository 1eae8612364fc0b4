public import WeirEngine

/// What WebRTC's peers do together: checks of ICE, DTLS and media on one flow, as one session.
public enum WebRTC: Plugin {
    /// `webrtc`.
    public static let name = "webrtc"
    /// Where STUN, DTLS and media share a flow.
    public static var dissectors: [any Dissector.Type] { [PeerDissector.self] }
    /// Its sentences.
    public static func words(_ language: Language) -> [[String: String]] { WebRTCWords.all(language) }
    /// How each rule looks broken, and how it looks kept.
    public static var examples: [String: RuleExample] { WebRTCExamples.all }

    /// Its rules, in the order in which reports list them.
    public static var rules: [any Rule.Type] {
        [
            ICEUsername.self, ICEAttributes.self, ICERole.self, ICEPriority.self, ICEMappedAddress.self,
            ICEPairNominated.self,
            ICEConsent.self,
            DTLSRole.self, DTLSFingerprint.self, DTLSProfiles.self, DTLSFirst.self, DTLSDatagramSize.self,
            SRTPDemultiplexing.self, SRTPRollover.self, RTPMediumName.self,
        ]
    }
}
