public import WeirPackets

/// A flow that has ended.
public struct FlowRecord: Sendable {
    /// The number, from 1, in order of first packets.
    public var id: Int
    /// TCP or UDP.
    public var transport: TransportProtocol
    /// The endpoint that opened it, as far as known.
    public var client: Endpoint
    /// The other endpoint.
    public var server: Endpoint
    /// The protocols below the application layer.
    public var carriers: ProtocolStack
    /// The names of the protocols found above these.
    public var found: [String]
    /// The names of all protocols, outermost first.
    public var protocols: [String] { carriers.names + found }
    /// The time of the first packet.
    public var startTime: Timestamp
    /// The time of the last packet.
    public var endTime: Timestamp
    /// Packet counts, without capture duplicates.
    public var packets: Flow.PerDirection
    /// Bytes of transport payload.
    public var bytes: Flow.PerDirection
    /// The number of packets contained more than once in the capture.
    public var captureDuplicates: Int
    /// TCP statistics; nil for UDP.
    public var tcp: TCPRecord?
    /// The findings outside sessions that occurred more than once.
    public internal(set) var repeatedFindings: [RepeatedFinding] = []

    /// Statistics of a TCP connection.
    public struct TCPRecord: Sendable {
        /// How much of the three-way handshake was captured.
        public enum Handshake: String, Sendable {
            /// All three segments.
            case complete
            /// Part of it.
            case partial
            /// None of it, because the capture starts later.
            case missing
        }

        /// How the connection ended.
        public enum Close: String, Sendable {
            /// FINs in both directions, or a FIN in one and no further data in the other.
            case fin
            /// A reset (RST).
            case reset
            /// Not closed before the capture ended or the connection became idle.
            case open
        }

        /// How much of the three-way handshake was captured.
        public var handshake: Handshake
        /// Nanoseconds from SYN to the ACK that completes the handshake.
        public var handshakeRoundTrip: Int64?
        /// Retransmitted payload bytes.
        public var retransmittedBytes: Int
        /// Segments that arrived after later ones.
        public var outOfOrderSegments: Int
        /// Bytes missing from the capture.
        public var missingBytes: Int
        /// How the connection ended.
        public var closedBy: Close

        /// Creates TCP statistics.
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

    /// Creates a flow record.
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
