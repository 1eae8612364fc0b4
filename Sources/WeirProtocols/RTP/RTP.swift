public import WeirEngine

/// The Real-time Transport Protocol (RFC 3550) and its payload formats.
public enum RTP: Plugin {
    /// The plugin name, `rtp`.
    public static let name = "rtp"
    /// The RTP dissectors, used over UDP, over TCP and by protocols that carry RTP.
    public static var dissectors: [any Dissector.Type] { [RTPDissector.self, RTPStreamDissector.self] }
    /// The fast path for datagrams of known streams.
    public static var fastPaths: [any FastPath.Type] { [MediaStreams.self] }
    /// For each rule, an example that violates it and one that complies.
    public static var examples: [String: RuleExample] {
        RTPExamples.all.merging(MediaExamples.all) { one, _ in one }
    }
    /// Returns the message catalogs for a language.
    public static func words(_ language: Language) -> [[String: String]] { RTPWords.all(language) }
    /// Returns the translations of line templates for a language.
    public static func lines(_ language: Language) -> [String: String] { RTPWords.lines(language) }

    /// The rules, in the order in which reports list them.
    public static var rules: [any Rule.Type] {
        [
            RTPNotArrived.self, RTPSequenceLoss.self, RTPSequenceReorder.self, RTPSequenceDuplicate.self,
            RTPSequenceRestart.self, RTPJitter.self, RTPPortEven.self,
            RTPVersion.self, RTPLength.self, RTPPadding.self, RTPExtensionLength.self, RTPExtensionBlock.self,
            RTPExtensionMap.self, RTPPayloadType.self, RTPPayloadTypeMux.self, RTPFragment.self,
            RTPEndpointAgreed.self, RTPSourceAnnounced.self, RTPSourceChanged.self, RTPSourceCollision.self,
            RTPSkew.self, RTPTimestampRate.self, RTPTimestampBack.self, RTPTimestampUnit.self, RTPMarker.self,
            H264Mode.self, H264Fragments.self, H264FragmentType.self, H264Aggregation.self, H264ForbiddenBit.self,
            H264StartCode.self, H264FirstIDR.self, H265Fragments.self, H265Aggregation.self, H265ParameterSets.self,
            H265ForbiddenBit.self, H265StartCode.self, H265PayloadHeader.self,
            RTPPace.self, RTPFraming.self, AACHeaders.self, LATMLengths.self, OpusFrames.self, MPEG4VideoHeaders.self,
            VP8Descriptor.self, VP9Descriptor.self, AV1Aggregation.self, JPEGHeader.self, PCMSize.self,
            TelephoneEventPackets.self,
            ProgramStreamInRTP.self,
            TransportStreamSync.self, TransportStreamAssociation.self, TransportStreamContinuity.self,
            TransportStreamMap.self, TransportStreamIndicator.self, TransportStreamChecksum.self,
            TransportStreamClock.self, TransportStreamPresentation.self, SRTPAuthenticated.self,
        ]
    }
}
