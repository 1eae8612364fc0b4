import WeirEngine
import WeirPackets

/// A media stream, where it was seen, and what it belongs to.
package final class MediaEntry {
    package let id: Int
    let ssrc: UInt32
    let flow: Int
    let direction: Direction
    /// The interleaved channel; nil over UDP.
    package let channel: Int?
    let source: Endpoint
    let destination: Endpoint
    /// The session that it belongs to.
    var session: Session?
    /// Which medium of the session it is.
    package let medium: Int?
    /// What it says that it is, where its flow does not tell.
    package let identity: MediaIdentity?
    /// Whether it came over TCP, but not interleaved with messages of its session.
    let isOnTCP: Bool
    /// Whether a relay carries its packets inside its own messages (RFC 8656 §12).
    package let isRelayed: Bool
    /// Whether it came over TCP, a length before each packet (RFC 4571).
    let isFramed: Bool
    /// Whether its payload is encrypted, as far as its session says.
    var isEncrypted = false
    /// The authentication tags of its packets; nil when no key is known.
    var authentication: SRTPAuthentication?
    /// Why it is believed to be media.
    let because: Text?
    /// Where its figures are kept while it is open; -1 afterwards.
    private(set) var stream: Int32
    /// The packets of its flow, as long as it is open.
    private(set) var packets: MediaFlow?
    var payloadTypeBefore: UInt8 = 0
    /// The same stream on other paths.
    var paths: [MediaEntry] = []
    /// The stream of which it sends packets again, if that is known.
    var original: MediaEntry?
    /// The numbers that came, of a stream that has ended and has other paths.
    private(set) var tracker: SequenceTracker?
    /// Whether it went to a port of the receiver that nothing was agreed on for.
    package internal(set) var isUnagreed = false
    /// How often its session had told media to flow when it began.
    let turn: Int
    /// An open stream of the same source that another sender may have.
    var rival: MediaEntry?
    /// Time and sequence number of the last packet, once it has ended.
    private var lastTime = Timestamp(nanoseconds: 0)
    private var lastSequence: UInt16 = 0
    /// Packets that it had.
    private(set) var packetsAtEnd = 0
    /// Seconds of media in it, by its own clock; 0 when that is not known.
    private(set) var mediaSeconds = 0.0
    package var isEnded: Bool { stream < 0 }

    init(
        id: Int, ssrc: UInt32, stream: Int32, at place: EventContext, channel: Int?, packets: MediaFlow,
        session: Session?, medium: Int?, identity: MediaIdentity?, because told: Text?
    ) {
        self.id = id
        self.ssrc = ssrc
        self.stream = stream
        flow = place.flow
        direction = place.direction
        source = place.source
        destination = place.destination
        self.channel = channel
        self.packets = packets
        self.session = session
        self.medium = medium
        self.identity = identity
        isOnTCP = channel == nil && packets.flow.transport == .tcp
        isRelayed = packets.isRelayed
        isFramed = isOnTCP && !packets.isRelayed
        because = told ?? packets.flow.because ?? (isFramed && session == nil ? Text("expect.framed") : nil)
        turn = (session as? any MediaOwner)?.mediaTurns ?? 0
    }

    /// The session, if it knows more of the stream.
    var owner: (any MediaOwner)? { session as? any MediaOwner }

    /// Ends it with these figures.
    func end(_ last: MediaStream) {
        stream = -1
        packets = nil
        if !paths.isEmpty { tracker = last.sequence }
        original = nil
        rival = nil
        // Those that have ended know each other no more.
        if paths.allSatisfy(\.isEnded) {
            for path in paths { path.paths = [] }
            paths = []
        }
        lastTime = last.endTime
        lastSequence = last.latestSequence
        packetsAtEnd = last.packets
        mediaSeconds = last.mediaSeconds ?? 0
    }

    /// Time of the last packet.
    func endTime(_ streams: SlotMap<MediaStream>) -> Timestamp { isEnded ? lastTime : streams[stream].endTime }

    /// Sequence number of the last packet.
    func latestSequence(_ streams: SlotMap<MediaStream>) -> UInt16 {
        isEnded ? lastSequence : streams[stream].latestSequence
    }

    /// Where something happened to it.
    func place(frame: Int, time: Timestamp) -> EventContext {
        EventContext(
            frame: frame, time: time, flow: flow, direction: direction, source: source, destination: destination)
    }
}

/// What tells the streams of a flow apart.
struct MediaKey {
    let ssrc: UInt32
    /// The interleaved channel; -1 over UDP.
    let channel: Int32
    let direction: Direction
    /// Where the figures are kept; -1 when it has ended.
    var stream: Int32
}

extension [MediaKey] {
    /// The number of an open stream.
    @inline(__always)
    func stream(_ ssrc: UInt32, _ channel: Int32, _ direction: Direction) -> Int32? {
        for key in self
        where key.ssrc == ssrc && key.channel == channel && key.direction == direction && key.stream >= 0 {
            return key.stream
        }
        return nil
    }
}
