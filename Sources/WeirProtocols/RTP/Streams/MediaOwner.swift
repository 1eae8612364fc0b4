package import WeirEngine
package import WeirPackets

/// A session that sets media up: what it knows of the media streams that belong to it.
///
/// Its media have numbers, those of its claims' purposes. Nothing that is asked here may touch a stream: the answer is given
/// while a packet is being counted.
package protocol MediaOwner: Session {
    /// The streams that belong to the session, ended ones too.
    var mediaStreams: [MediaEntry] { get set }

    /// Whether media on a flow of the session is its own, though nothing was claimed for it.
    var ownsFlows: Bool { get }
    /// Whether its signaling told one of these ends for the one side and the other for the other, and nothing of it came there
    /// yet.
    func tells(_ one: Endpoint, _ other: Endpoint) -> Bool
    /// What a stream belongs to by its first packet, where the flow does not tell; nil when that does not either.
    func identify(_ header: RTPHeader, _ packet: RawSpan, at place: EventContext) -> MediaIdentity?
    /// The identifier of the header extension in which packets name their medium, where that was agreed on for several media
    /// that share a transport (RFC 9143 §15.2); else 0.
    var mediumElement: UInt8 { get }
    /// The medium whose packets come on a channel of the session's own connection; nil when none was agreed on.
    func medium(ofChannel channel: Int) -> Int?
    /// Whether the medium is RTP: others may look like it at times.
    func isRTP(_ medium: Int) -> Bool
    /// Whether media was agreed on in this direction.
    func isExpected(_ medium: Int, from source: Endpoint, to destination: Endpoint) -> Bool
    /// Whether the medium was set up to be encrypted.
    func isEncrypted(_ medium: Int) -> Bool
    /// What the medium's payload types mean, as far as the session says.
    func formats(of medium: Int) -> [(type: UInt8, format: MediaFormat)]
    /// What else is agreed on for its streams.
    func agreement(on medium: Int) -> StreamAgreement
    /// The medium for which this source was announced; nil when it was not.
    func medium(ofSource ssrc: UInt32) -> Int?
    /// Where the medium was to go to, when packets of its source go to `end` and it is known that this is another place.
    func agreedDestination(of medium: Int, insteadOf end: Endpoint) -> Endpoint?
    /// The frame in which the medium was agreed on.
    func agreementFrame(of medium: Int) -> Int

    /// A packet came on a channel of the session's own connection.
    func noteChannel(_ channel: Int, isRTCP: Bool, frame: Int)
    /// A stream fell silent; false when that was asked for.
    func noteSilence(_ seconds: Double, since time: Timestamp, frame: Int) -> Bool
    /// The first packet of a medium came since media was told to go on.
    func mediaResumed(_ medium: Int, _ sequence: UInt16, _ timestamp: UInt32, frame: Int)
    /// Whether media was stopped, started again or moved between two packets of a medium, the second with this number: there
    /// servers skip sequence numbers.
    func isTurn(of medium: Int?, to sequence: UInt16, between before: Timestamp, and behind: Timestamp) -> Bool
    /// A stream of a medium began; returns the sequence number that was announced for it.
    func mediaBegan(_ medium: Int?, time: Timestamp) -> UInt16?
    /// A stream of a medium ended with these figures; it was interleaved, or alone in a TCP connection.
    func mediaEnded(_ medium: Int?, _ stream: MediaStream, isInterleaved: Bool)

    /// The media that were agreed on, by their numbers.
    var agreedMedia: [AgreedMedium] { get }
    /// When media was first promised to flow, and in which frame.
    var mediaAccepted: (time: Timestamp, frame: Int)? { get }
    /// When the first media packet came.
    var firstMediaTime: Timestamp? { get }
    /// Whether one of the peers has said that the end has come, or closed the connection.
    var isEnding: Bool { get }
    /// How often media was told to flow: the first time, and after each interruption.
    var mediaTurns: Int { get }
    /// Whether media was paused at any time.
    var wasPaused: Bool { get }
    /// Whether others may receive the same media, and interrupt it.
    var hasMulticast: Bool { get }
    /// Whether the server is known never to send sender reports.
    var lacksSenderReports: Bool { get }
    /// Whether the program at an end is known to send reports without a name of its own.
    func leavesNameOut(_ end: Endpoint) -> Bool
    /// Whether the session denies receivers of this stream their share of RTCP (RFC 3556 §2).
    func deniesReceiverReports(_ stream: StreamRecord) -> Bool
}

extension MediaOwner {
    /// By default none is.
    package func medium(ofSource ssrc: UInt32) -> Int? { nil }
    /// By default it is not known.
    package func agreedDestination(of medium: Int, insteadOf end: Endpoint) -> Endpoint? { nil }
    /// By default nothing is.
    package func agreement(on medium: Int) -> StreamAgreement { StreamAgreement() }
    /// By default ends are claimed.
    package func tells(_ one: Endpoint, _ other: Endpoint) -> Bool { false }
    /// By default it is not known.
    package func leavesNameOut(_ end: Endpoint) -> Bool { false }
    /// By default media is claimed.
    package var ownsFlows: Bool { false }
    /// By default packets do not name their medium.
    package var mediumElement: UInt8 { 0 }
    /// By default the claim says.
    package func identify(_ header: RTPHeader, _ packet: RawSpan, at place: EventContext) -> MediaIdentity? { nil }
}

/// What a stream says that it is, beside its source.
package struct MediaIdentity: Sendable {
    /// The medium that it belongs to.
    package var medium: Int
    /// The medium's name (RFC 5888 §9.1).
    package var mid: String?
    /// The layer of simulcast that it is (RFC 8852).
    package var rid: String?
    /// The layer of which it sends packets again.
    package var repairedRid: String?
    /// The stream with which it is one: the same source sent it another way before.
    package var continues: Int?
    /// How that is known.
    package var because: Text?

    /// Names the medium.
    package init(medium: Int) { self.medium = medium }
}

/// A medium that a session set up.
package struct AgreedMedium {
    /// What the session calls it: a URI.
    package var name: String
    /// Packets that came of it.
    package var packets: Int
    /// Where RTP goes to, or comes from.
    package var rtpEndpoints: [Endpoint]
    /// The same for RTCP, if not on the port of RTP.
    package var rtcpEndpoints: [Endpoint]
    /// Where the receiver's host refused its packets while they were wanted.
    package var refused: Endpoint?
}

extension MediaOwner {
    /// By default nobody asks.
    package func mediaResumed(_ medium: Int, _ sequence: UInt16, _ timestamp: UInt32, frame: Int) {}

    /// By default media is never interrupted.
    package func isTurn(
        of medium: Int?, to sequence: UInt16, between before: Timestamp, and behind: Timestamp
    ) -> Bool { false }
}
