public import WeirEngine

/// WebRTC between peers: ICE checks, DTLS and media on one flow, as one session.
public enum WebRTC: Plugin {
    /// The plugin name, `webrtc`.
    public static let name = "webrtc"
    /// The dissector of flows shared by STUN, DTLS and media.
    public static var dissectors: [any Dissector.Type] { [PeerDissector.self] }
    /// The texts in a language.
    public static func words(_ language: Language) -> [[String: String]] { WebRTCWords.all(language) }
    /// Examples of each rule, violated and met.
    public static var examples: [String: RuleExample] { WebRTCExamples.all }

    /// The rules, in report order.
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
