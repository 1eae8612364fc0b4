public import WeirPackets

/// The input, as known when reading begins.
public struct CaptureRecord: Sendable {
    /// Name as given by the user.
    public var file: String
    /// `pcap`, `pcapng` or `live`.
    public var format: String
    /// Link types in the order in which they were met.
    public var linkTypes: [LinkType]
    /// Octets kept of each packet at most; nil when unlimited or unknown.
    public var snapLength: Int?

    /// Creates a record.
    public init(file: String, format: String, linkTypes: [LinkType], snapLength: Int?) {
        self.file = file
        self.format = format
        self.linkTypes = linkTypes
        self.snapLength = snapLength
    }
}

/// A conversation that ended.
public struct FlowRecord: Sendable {
    /// Number, from 1, in order of first packets.
    public var id: Int
    /// TCP or UDP.
    public var transport: TransportProtocol
    /// The side that opened it, or is believed to have.
    public var client: Endpoint
    /// The other side.
    public var server: Endpoint
    /// The protocols below the application.
    public var carriers: ProtocolStack
    /// Names of the protocols found above these.
    public var found: [String]
    /// Names of the protocols met, outermost first.
    public var protocols: [String] { carriers.names + found }
    /// Time of the first packet.
    public var startTime: Timestamp
    /// Time of the last packet.
    public var endTime: Timestamp
    /// Packets, capture duplicates not counted.
    public var packets: Flow.PerDirection
    /// Octets of transport payload.
    public var bytes: Flow.PerDirection
    /// Packets that the capture holds more than once.
    public var captureDuplicates: Int
    /// What TCP did; nil for UDP.
    public var tcp: TCPRecord?

    /// How a TCP connection went.
    public struct TCPRecord: Sendable {
        /// How much of the three-way handshake was seen.
        public enum Handshake: String, Sendable {
            /// All three segments.
            case complete
            /// Some of it.
            case partial
            /// Nothing: the capture begins later.
            case missing
        }

        /// How the connection ended.
        public enum Close: String, Sendable {
            /// Both sides finished, or one did and the other stopped.
            case fin
            /// One side reset it.
            case reset
            /// It was still open when the capture ended or it went idle.
            case open
        }

        /// How much of the handshake was seen.
        public var handshake: Handshake
        /// Nanoseconds from SYN to the ACK that completes the handshake.
        public var handshakeRoundTrip: Int64?
        /// Payload octets that were sent again.
        public var retransmittedBytes: Int
        /// Segments that came later than ones behind them.
        public var outOfOrderSegments: Int
        /// Octets that the capture lacks.
        public var missingBytes: Int
        /// How it ended.
        public var closedBy: Close

        /// Holds what is known.
        package init(
            handshake: Handshake,
            handshakeRoundTrip: Int64? = nil,
            retransmittedBytes: Int,
            outOfOrderSegments: Int,
            missingBytes: Int,
            closedBy: Close
        ) {
            self.handshake = handshake
            self.handshakeRoundTrip = handshakeRoundTrip
            self.retransmittedBytes = retransmittedBytes
            self.outOfOrderSegments = outOfOrderSegments
            self.missingBytes = missingBytes
            self.closedBy = closedBy
        }
    }

    /// Holds what is known.
    public init(
        id: Int,
        transport: TransportProtocol,
        client: Endpoint,
        server: Endpoint,
        carriers: ProtocolStack,
        found: [String],
        startTime: Timestamp,
        endTime: Timestamp,
        packets: Flow.PerDirection,
        bytes: Flow.PerDirection,
        captureDuplicates: Int,
        tcp: TCPRecord? = nil
    ) {
        self.id = id
        self.transport = transport
        self.client = client
        self.server = server
        self.carriers = carriers
        self.found = found
        self.startTime = startTime
        self.endTime = endTime
        self.packets = packets
        self.bytes = bytes
        self.captureDuplicates = captureDuplicates
        self.tcp = tcp
    }
}

/// What a stream's own protocol measured of it.
public protocol StreamDetails: Sendable {
    /// The members of the `stream` record after those that all streams have, in order, secrets treated as `secrets` says.
    func fields(_ secrets: SecretPolicy) -> [Field]
    /// Codec and figures in one line for the text report.
    var wording: Wording { get }
    /// What profiles can ask of it: the members of the record, and what else is known.
    var facts: [Field] { get }
}

extension StreamDetails {
    /// By default what the record says.
    public var facts: [Field] { fields(.masked) }
    /// Codec and figures in one line, in English.
    public var summary: String { wording.english }
}

/// One direction of media that ended.
public struct StreamRecord: Sendable {
    /// Number, from 1.
    public var id: Int
    /// What its plugin calls streams of its kind, such as `rtp`.
    public var kind: String
    /// The flow that carried it.
    public var flow: Int
    /// Which way it went in that flow.
    public var direction: Direction
    /// Who sent it.
    public var source: Endpoint
    /// To whom.
    public var destination: Endpoint
    /// The session it belongs to.
    public var session: Int?
    /// `audio`, `video` or `data`.
    public var mediaType: String?
    /// The encoding's name, as in SDP.
    public var encoding: String?
    /// Time of its first packet.
    public var startTime: Timestamp
    /// Time of its last packet.
    public var endTime: Timestamp
    /// Frame of its last packet.
    public var lastFrame: Int
    /// Whether packets were dropped before they could be captured, perhaps some of this stream.
    public var sawDrops = false
    /// Whether the times of the capture's frames went back while it was open.
    public package(set) var clockWentBack = false
    /// Whether frames bore a wrong time while it was open.
    public package(set) var hasDoubtfulTimes = false
    /// What was measured.
    public var details: any StreamDetails

    /// Holds what is known.
    public init(
        id: Int,
        kind: String,
        flow: Int,
        direction: Direction,
        source: Endpoint,
        destination: Endpoint,
        session: Int? = nil,
        mediaType: String? = nil,
        encoding: String? = nil,
        startTime: Timestamp,
        endTime: Timestamp,
        lastFrame: Int,
        sawDrops: Bool = false,
        details: any StreamDetails
    ) {
        self.id = id
        self.kind = kind
        self.flow = flow
        self.direction = direction
        self.source = source
        self.destination = destination
        self.session = session
        self.mediaType = mediaType
        self.encoding = encoding
        self.startTime = startTime
        self.endTime = endTime
        self.lastFrame = lastFrame
        self.sawDrops = sawDrops
        self.details = details
    }
}

/// A session that ended: the story of some flows.
public struct SessionRecord: Sendable {
    /// Number, from 1.
    public var id: Int
    /// What its plugin calls sessions of its kind, such as `rtsp`.
    public var kind: String
    /// The flows that took part, in order.
    public var flows: [Int]
    /// The media streams, in order.
    public var streams: [Int]
    /// The phases, in order.
    public var phases: [PhaseRecord]
    /// What the peers are, as far as they tell: programs, and the evidence for that.
    public var peers: [Text]
    /// What happened in the end.
    public var outcome: [Text]
    /// The session as it was when it ended.
    public var reference: SessionReference
    /// Whether media was to travel beside the control connections, and the capture holds none of it.
    public var lacksMedia: Bool
    private var facts: [SecretPolicy: [Field]] = [:]

    /// What is known of a session that has ended.
    init(_ session: Session) {
        id = session.id
        kind = session.kind
        flows = session.flows
        streams = session.streams
        phases = session.phases
        peers = session.peers()
        outcome = session.outcome() + [session.longestDelay?.outcome].compactMap { $0 }
        reference = session.reference
        lacksMedia = session.lacksMedia
    }

    /// Members that only sessions of its kind have, in order; none under a policy that the sink did not ask for.
    public func facts(_ secrets: SecretPolicy) -> [Field] { facts[secrets] ?? [] }

    /// Asks the session for its members.
    mutating func addFacts(of session: Session, _ policies: Set<SecretPolicy>) {
        for policy in policies { facts[policy] = session.facts(policy) }
    }

    /// A phase of a session.
    public struct PhaseRecord: Sendable {
        /// Which one.
        public var phase: Phase
        /// Time of its first event.
        public var startTime: Timestamp
        /// Time of its last event.
        public var endTime: Timestamp
        /// Its first event.
        public var firstEvent: Int
        /// Its last event.
        public var lastEvent: Int

        /// Holds what is known.
        package init(
            phase: Phase,
            startTime: Timestamp,
            endTime: Timestamp,
            firstEvent: Int,
            lastEvent: Int
        ) {
            self.phase = phase
            self.startTime = startTime
            self.endTime = endTime
            self.firstEvent = firstEvent
            self.lastEvent = lastEvent
        }
    }
}

/// What a whole capture held.
public struct SummaryRecord: Sendable {
    /// Frames read.
    public var packets = 0
    /// Octets of those frames on the wire.
    public var bytes = 0
    /// Time of the first frame.
    public var startTime: Timestamp?
    /// The latest time of a frame.
    public var endTime: Timestamp?
    /// Frames that the snap length cut.
    public var truncatedPackets = 0
    /// Frames whose layers up to the transport could not be decoded.
    public var undecodedPackets = 0
    /// What kept them from being decoded, layer by layer, in the order of first times.
    public var undecoded: [UndecodedPackets] = []
    /// Packets with a wrong checksum.
    public var checksumErrors = 0
    /// Frames whose own time was wrong, far from those around it: each counts as captured with the frame before it.
    public var wrongTimes = 0
    /// The first of them.
    public var firstWrongTime: Int?
    /// How often the frames' times went back by more than a second, from one frame to the next.
    public var stepsBack = 0
    /// The frame where they did first.
    public var firstStepBack: Int?
    /// Packets that the capture holds more than once.
    public var captureDuplicates = 0
    /// Packets that the kernel or the interface dropped (live capture).
    public var droppedPackets: Int?
    /// Events in the timeline.
    public var events = 0
    /// Limits that were reached, each with how often.
    public var limitsReached: [Text] = []
    /// Where and why reading stopped early, if it did.
    public var damage: Damage?

    /// An empty summary.
    public init() {}
}

/// Why a capture could not be read to its end.
public struct Damage: Sendable, Hashable {
    /// The file.
    public var file: String
    /// The frame that could not be read, counted from 1.
    public var frame: Int
    /// Octets from the start of the file to the damage; nil when unknown.
    public var offset: Int?
    /// What is wrong, in words.
    public var reason: String

    /// Creates a description of damage.
    public init(file: String, frame: Int, offset: Int?, reason: String) {
        self.file = file
        self.frame = frame
        self.offset = offset
        self.reason = reason
    }
}

/// Packets that could not be decoded up to the transport for one reason in one layer, and the first of them.
public struct UndecodedPackets: Sendable {
    /// What kept them.
    public enum Reason: String, Sendable {
        /// A header contradicts its specification, or its lengths do not fit.
        case malformed
        /// The capture kept too few octets of them.
        case cut
        /// The layer, or what it carries, is not known.
        case unsupported
    }

    /// The layer, such as `IPv4`.
    public let layer: String
    /// What kept them.
    public let reason: Reason
    /// How many there were.
    public package(set) var packets = 1
    /// The first of them.
    public let frame: Int
    /// Where decoding stopped in it, in octets from its beginning.
    public let offset: Int
    /// Octets that were needed there, and those that were left; nil when it was not for want of octets.
    public let octets: (needed: Int, available: Int)?
    /// What is wrong, in words; nil when octets are missing.
    public let fault: String?

    /// The first packet that an error kept from being decoded.
    package init(_ error: DecodeError, isCut: Bool, frame: Int) {
        layer = error.layer
        self.frame = frame
        offset = error.offset
        switch error.kind {
        case .tooShort(let needed, let available):
            (reason, octets, fault) = (isCut ? .cut : .malformed, (needed, available), nil)
        case .malformed(let fault): (reason, octets, self.fault) = (isCut ? .cut : .malformed, nil, fault)
        case .unsupported(let fault): (reason, octets, self.fault) = (.unsupported, nil, fault)
        }
    }

    /// The first packet of a link type that is not known.
    package init(_ type: LinkType, frame: Int) {
        layer = "link"
        reason = .unsupported
        self.frame = frame
        offset = 0
        octets = nil
        fault = type.name
    }

    /// Whether another packet is of the same kind.
    package func isAlike(_ other: Self) -> Bool {
        layer == other.layer && reason == other.reason && (octets == nil) == (other.octets == nil)
    }
}
