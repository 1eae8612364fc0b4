import WeirEngine
import WeirPackets

/// A media stream with its location, session and related streams.
package final class MediaEntry {
    package let id: Int
    let ssrc: UInt32
    let flow: Int
    let direction: Direction
    /// The interleaved channel, or nil over UDP.
    package let channel: Int?
    let source: Endpoint
    let destination: Endpoint
    /// The session of the stream.
    var session: Session? { didSet { owner = session?.mediaOwner } }
    /// The session, if it sets up media.
    private(set) var owner: (any MediaOwner)?
    /// The index of the medium in the session.
    package let medium: Int?
    /// The identity carried in its packets, if the flow does not determine it.
    package let identity: MediaIdentity?
    /// Whether it is carried over TCP without being interleaved with messages of its session.
    let isOnTCP: Bool
    /// Whether a relay carries its packets inside its own messages (RFC 8656 §12).
    package let isRelayed: Bool
    /// Whether it is carried over TCP with a length before each packet (RFC 4571).
    let isFramed: Bool
    /// Whether its payload is encrypted, according to its session, and not decrypted.
    var isEncrypted: Bool {
        get { isProtected && openedWith == nil }
        set { isProtected = newValue }
    }
    private var isProtected = false
    /// The verification and decryption of its packets, or nil without a known key.
    var authentication: SRTPAuthentication? { didSet { hasKeys = authentication != nil } }
    /// Whether a key is known: asked for each packet, and read without a copy of the keys.
    private(set) var hasKeys = false
    /// The source of the key that fits its packets, whose payloads are then read.
    var openedWith: SRTPKey.Source?
    /// Whether the packets only have a tag, and payloads in the clear.
    var hasClearPayload = false
    /// The source of the key that decrypts it.
    package var decryptedWith: SRTPKey.Source? { hasClearPayload ? nil : openedWith }
    /// The same, for its events.
    var decryption: Decryption?
    /// Why it was recognized as media.
    let because: Text?
    /// Slot of its state while it is open; -1 afterwards.
    private(set) var stream: Int32
    /// The media packets of its flow, while it is open.
    private(set) var packets: MediaFlow?
    var payloadTypeBefore: UInt8 = 0
    /// The same stream on other paths.
    var paths: [MediaEntry] = []
    /// The stream that it retransmits, if known.
    var original: MediaEntry?
    /// The sequence numbers of an ended stream with other paths.
    private(set) var tracker: SequenceTracker?
    /// Whether it was sent to a port of the receiver that was not negotiated.
    package internal(set) var isUnagreed = false
    /// The number of times its session had started media when the stream began.
    let turn: Int
    /// An open stream of the same SSRC that may have another sender.
    var rival: MediaEntry?
    /// Time and sequence number of the last packet, once it has ended.
    private var lastTime = Timestamp(nanoseconds: 0)
    private var lastSequence: UInt16 = 0
    /// Its number of packets.
    private(set) var packetsAtEnd = 0
    /// Seconds of media by its own clock; 0 if unknown.
    private(set) var mediaSeconds = 0.0
    package var isEnded: Bool { stream < 0 }

    init(
        id: Int, ssrc: UInt32, stream: Int32, at place: EventContext, channel: Int?, packets: MediaFlow,
        session: Session?, medium: Int?, identity: MediaIdentity?, because reported: Text?
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
        because = reported ?? packets.flow.because ?? (isFramed && session == nil ? Text("expect.framed") : nil)
        owner = session?.mediaOwner
        turn = owner?.mediaTurns ?? 0
    }

    /// Ends the stream with its final state.
    func end(_ last: MediaStream) {
        stream = -1
        packets = nil
        if !paths.isEmpty { tracker = last.sequence }
        original = nil
        rival = nil
        // Ended paths no longer reference each other.
        if paths.allSatisfy(\.isEnded) {
            for path in paths { path.paths = [] }
            paths = []
        }
        lastTime = last.endTime
        lastSequence = last.latestSequence
        packetsAtEnd = last.packets
        mediaSeconds = last.mediaSeconds ?? 0
    }

    /// Returns the time of the last packet.
    func endTime(_ streams: SlotMap<MediaStream>) -> Timestamp { isEnded ? lastTime : streams[stream].endTime }

    /// Returns the sequence number of the last packet.
    func latestSequence(_ streams: SlotMap<MediaStream>) -> UInt16 {
        isEnded ? lastSequence : streams[stream].latestSequence
    }

    /// Returns the context of an event of this stream.
    func place(frame: Int, time: Timestamp) -> EventContext {
        EventContext(
            frame: frame, time: time, flow: flow, direction: direction, source: source, destination: destination)
    }
}

/// The key that distinguishes the streams of a flow.
struct MediaKey {
    let ssrc: UInt32
    /// The interleaved channel; -1 over UDP.
    let channel: Int32
    let direction: Direction
    /// Slot of the stream state; -1 once ended.
    var stream: Int32
}

extension [MediaKey] {
    /// Returns the slot of an open stream.
    @inline(__always)
    func stream(_ ssrc: UInt32, _ channel: Int32, _ direction: Direction) -> Int32? {
        for key in self
        where key.ssrc == ssrc && key.channel == channel && key.direction == direction && key.stream >= 0 {
            return key.stream
        }
        return nil
    }
}
