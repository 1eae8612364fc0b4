public import WeirEngine

/// Secure Reliable Transport (draft-sharabayko-srt): handshakes, key exchange, delivery and payload.
public enum SRT: Plugin {
    /// The plugin name, `srt`.
    public static let name = "srt"
    /// The dissector of SRT over UDP.
    public static var dissectors: [any Dissector.Type] { [SRTDissector.self] }
    /// The texts in a language.
    public static func words(_ language: Language) -> [[String: String]] { SRTWords.all(language) }
    /// The line templates in a language.
    public static func lines(_ language: Language) -> [String: String] { SRTWords.lines(language) }
    /// Examples of each rule, violated and met.
    public static var examples: [String: RuleExample] { SRTExamples.all }

    /// The rules, in report order.
    public static var rules: [any Rule.Type] {
        [
            SRTInduction.self, SRTMagic.self, SRTCookie.self, SRTFlags.self, SRTLatency.self, SRTKeyForm.self,
            SRTKeyLength.self, SRTStreamIdentifier.self, SRTLossList.self, SRTInductionFields.self,
            SRTHandshakeVersion.self, SRTExtensionField.self, SRTHandshakeExtension.self, SRTLiveFlags.self,
            SRTCipher.self, SRTKeyAnswer.self, SRTDropRange.self, SRTControlType.self, SRTReason.self,
            SRTFirstSequence.self, SRTKeyFlags.self, SRTTimestampOrder.self, SRTMessageNumber.self,
            SRTPositionFlags.self, SRTLightACK.self, SRTACKACK.self, SRTNAKAhead.self, SRTNAKServed.self,
            SRTRequested.self, SRTKeepAlive.self, SRTAfterShutdown.self, SRTSocket.self,
        ]
    }
}
