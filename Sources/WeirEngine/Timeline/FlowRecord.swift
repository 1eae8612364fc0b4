public import WeirPackets

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
    package init(
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
