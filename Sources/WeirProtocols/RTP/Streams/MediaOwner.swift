package import WeirEngine
package import WeirPackets

/// A session that sets up media and provides the parameters of its streams.
///
/// Its media are numbered by the purposes of its claims. Implementations must not access streams: they are called while
/// a packet is being counted.
package protocol MediaOwner: Session {
    /// The streams of the session, including ended ones.
    var mediaStreams: [MediaEntry] { get set }

    /// Whether unclaimed media on a flow of the session belongs to it.
    var ownsFlows: Bool { get }
    /// Returns whether its signaling contains these endpoints, one per side, and no media was received there yet.
    func signals(_ one: Endpoint, _ other: Endpoint) -> Bool
    /// Returns the identity of a stream from its first packet, if the flow does not determine it; nil if unknown.
    func identify(_ header: RTPHeader, _ packet: RawSpan, at place: EventContext) -> MediaIdentity?
    /// The header extension identifier of the MID, if negotiated for several media on one transport (RFC 9143 §15.2);
    /// otherwise 0.
    var mediumElement: UInt8 { get }
    /// Returns the medium of an interleaved channel, or nil if none was negotiated.
    func medium(ofChannel channel: Int) -> Int?
    /// Returns whether the medium is RTP; others may look like it at times.
    func isRTP(_ medium: Int) -> Bool
    /// Returns whether media was negotiated in this direction.
    func isExpected(_ medium: Int, from source: Endpoint, to destination: Endpoint) -> Bool
    /// Returns whether the medium was set up as encrypted.
    func isEncrypted(_ medium: Int) -> Bool
    /// Returns the known formats of the medium by payload type; those of encrypted media differ once it is decrypted.
    func formats(of medium: Int, isDecrypted: Bool) -> [(type: UInt8, format: MediaFormat)]
    /// Returns the keys of the media on a flow, for its RTCP: of the medium that claimed it, or of all.
    func srtpKeys(of medium: Int?) -> [SRTPKey]
    /// Returns the other negotiated parameters of its streams.
    func agreement(on medium: Int) -> StreamAgreement
    /// Returns the medium that this SSRC was announced for, or nil if none.
    func medium(ofSource ssrc: UInt32) -> Int?
    /// Returns the negotiated destination of the medium if packets go to `end` instead, and this is known to differ.
    func agreedDestination(of medium: Int, insteadOf end: Endpoint) -> Endpoint?
    /// Returns the negotiated RTCP endpoint of the medium on the host of `end` if reports go to `end` instead, and this
    /// is known to differ.
    func agreedReportEnd(of medium: Int, insteadOf end: Endpoint) -> Endpoint?
    /// Whether a connection that interleaves media contains octets outside any frame or message.
    var hasFramingFault: Bool { get }
    /// Returns the frame in which the medium was negotiated.
    func agreementFrame(of medium: Int) -> Int

    /// Records a packet on an interleaved channel.
    func noteChannel(_ channel: Int, isRTCP: Bool, frame: Int)
    /// Records a silence of a stream; returns false if it was requested.
    func noteSilence(_ seconds: Double, since time: Timestamp, frame: Int) -> Bool
    /// Records the first packet of a medium since media was requested to continue.
    func mediaResumed(_ medium: Int, _ sequence: UInt16, _ timestamp: UInt32, frame: Int)
    /// Returns whether media was stopped, restarted or seeked between two packets of a medium, the second with this
    /// sequence number; servers skip sequence numbers there.
    func isTurn(of medium: Int?, to sequence: UInt16, between before: Timestamp, and behind: Timestamp) -> Bool
    /// Records the start of a stream; returns the sequence number announced for it.
    func mediaBegan(_ medium: Int?, time: Timestamp) -> UInt16?
    /// Records the end of a stream with its figures; it was interleaved, or alone in a TCP connection.
    func mediaEnded(_ medium: Int?, _ stream: MediaStream, isInterleaved: Bool)

    /// Records data of a transport stream that is not carried in RTP.
    func transportStreamArrived(_ medium: Int?, at time: Timestamp)

    /// Returns whether a payload type is that of a medium which was assigned the same place as another one.
    func sharesPlace(ofPayloadType type: UInt8) -> Bool
    /// The negotiated media, by number.
    var agreedMedia: [AgreedMedium] { get }
    /// Media of earlier sessions on the connection, accepted and without a packet.
    var formerMedia: [FormerMedium] { get }
    /// Time and frame in which media was first accepted.
    var mediaAccepted: (time: Timestamp, frame: Int)? { get }
    /// Time of the first media packet.
    var firstMediaTime: Timestamp? { get }
    /// Whether a peer has ended the session or closed the connection.
    var isEnding: Bool { get }
    /// The number of times media was started: initially, and after each interruption.
    var mediaTurns: Int { get }
    /// Whether media was ever paused.
    var wasPaused: Bool { get }
    /// Whether others may receive the same media, and interrupt it.
    var hasMulticast: Bool { get }
    /// Whether the server is known never to send sender reports.
    var lacksSenderReports: Bool { get }
    /// Returns whether the program at an endpoint is known to send reports without a CNAME.
    func omitsCNAME(_ end: Endpoint) -> Bool
    /// Returns whether the session denies receivers of this stream RTCP bandwidth (RFC 3556 §2).
    func deniesReceiverReports(_ stream: StreamRecord) -> Bool
}

extension MediaOwner {
    /// Returns false by default.
    package func sharesPlace(ofPayloadType type: UInt8) -> Bool { false }
    /// Returns nil by default.
    package func medium(ofSource ssrc: UInt32) -> Int? { nil }
    /// Returns nil by default.
    package func agreedDestination(of medium: Int, insteadOf end: Endpoint) -> Endpoint? { nil }
    /// None by default, since nothing describes the media.
    package var agreedMedia: [AgreedMedium] { [] }
    /// None by default.
    package var formerMedia: [FormerMedium] { [] }
    /// Nil by default.
    package var mediaAccepted: (time: Timestamp, frame: Int)? { nil }
    /// Whether the session is torn down, by default.
    package var isEnding: Bool { isTornDown }
    /// One by default, since media is not controlled.
    package var mediaTurns: Int { 1 }
    /// False by default.
    package var wasPaused: Bool { false }
    /// False by default.
    package var hasMulticast: Bool { false }
    /// False by default.
    package var lacksSenderReports: Bool { false }
    /// Returns false by default.
    package func deniesReceiverReports(_ stream: StreamRecord) -> Bool { false }
    /// Returns nil by default.
    package func agreedReportEnd(of medium: Int, insteadOf end: Endpoint) -> Endpoint? { nil }
    /// False by default.
    package var hasFramingFault: Bool { false }
    /// Does nothing by default.
    package func transportStreamArrived(_ medium: Int?, at time: Timestamp) {}
    /// Returns the keys of the claimed medium by default.
    package func srtpKeys(of medium: Int?) -> [SRTPKey] { medium.map { agreement(on: $0).keys } ?? [] }
    /// Returns an empty agreement by default.
    package func agreement(on medium: Int) -> StreamAgreement { StreamAgreement() }
    /// Returns false by default, since endpoints are claimed.
    package func signals(_ one: Endpoint, _ other: Endpoint) -> Bool { false }
    /// Returns false by default.
    package func omitsCNAME(_ end: Endpoint) -> Bool { false }
    /// False by default, since media is claimed.
    package var ownsFlows: Bool { false }
    /// 0 by default: packets do not contain a MID.
    package var mediumElement: UInt8 { 0 }
    /// Returns nil by default, since the claim identifies the stream.
    package func identify(_ header: RTPHeader, _ packet: RawSpan, at place: EventContext) -> MediaIdentity? { nil }
}

/// The identity of a stream from its packets, besides its SSRC.
package struct MediaIdentity: Sendable {
    /// The number of the medium.
    package var medium: Int
    /// The MID (RFC 5888 §9.1).
    package var mid: String?
    /// The RID of a simulcast layer (RFC 8852).
    package var rid: String?
    /// The RID of the layer that it repairs.
    package var repairedRid: String?
    /// The stream that it continues: the same source on a previous transport.
    package var continues: Int?
    /// The reason for the assignment.
    package var because: Text?

    /// Creates an identity with a medium only.
    package init(medium: Int) { self.medium = medium }
}

/// A medium set up by a session.
package struct AgreedMedium {
    /// The name in the session: a URI.
    package var name: String
    /// Packets received.
    package var packets: Int
    /// Endpoints that RTP is sent to or received from.
    package var rtpEndpoints: [Endpoint]
    /// Endpoints of RTCP, if not multiplexed with RTP.
    package var rtcpEndpoints: [Endpoint]
    /// Where the receiver's host rejected packets during the session.
    package var refused: Endpoint?
    /// Whether its packets may be those in a place that was not agreed.
    package var isMisplaced = false
}

/// A medium that was accepted, and given up without a packet.
package struct FormerMedium {
    /// The name in the session: a URI.
    package var name: String
    /// Whether it was to arrive over UDP.
    package var isOverUDP: Bool
    /// The frame in which it was accepted.
    package var frame: Int
    /// Seconds from then until another session began.
    package var waited: Double
}

extension MediaOwner {
    /// Does nothing by default.
    package func mediaResumed(_ medium: Int, _ sequence: UInt16, _ timestamp: UInt32, frame: Int) {}

    /// Returns false by default: media is never interrupted.
    package func isTurn(
        of medium: Int?, to sequence: UInt16, between before: Timestamp, and behind: Timestamp
    ) -> Bool { false }
}
