/// A bidirectional flow between two endpoints.
public struct Flow: Sendable {
    /// How the client was determined.
    public enum Orientation: UInt8, Sendable {
        /// By a SYN or a SYN-ACK.
        case handshake
        /// By the ports of a TCP connection whose handshake was not captured: the lower port is the server's.
        case ports
        /// By the sender of the first packet.
        case firstSender
    }

    /// A pair of numbers, one per direction.
    public struct PerDirection: Sendable, Equatable {
        /// From client to server.
        public var clientToServer: Int
        /// From server to client.
        public var serverToClient: Int

        /// Creates a pair of numbers.
        @inlinable
        public init(clientToServer: Int = 0, serverToClient: Int = 0) {
            self.clientToServer = clientToServer
            self.serverToClient = serverToClient
        }

        /// The number for `direction`.
        @inlinable
        public subscript(direction: Direction) -> Int {
            @inline(__always) get { direction == .clientToServer ? clientToServer : serverToClient }
            @inline(__always) set {
                if direction == .clientToServer { clientToServer = newValue } else { serverToClient = newValue }
            }
        }

        /// The sum of both directions.
        public var total: Int { clientToServer &+ serverToClient }
    }

    // In the order of access per packet, to touch few cache lines: age and counters first, then the key, then the rest.

    /// The time of the latest packet.
    public internal(set) var endTime: Timestamp
    /// The 1-based number of the flow, in order of first packets; never reused. 0 marks a free entry of the table.
    public internal(set) var id: Int
    /// False once the flow is removed from the slots but not yet by the caller.
    var isLinked = true
    /// Whether the connection was closed (`FlowTable.close`); the flow ends after a short linger time.
    public internal(set) var isClosed = false
    let clientIsFirst: Bool
    /// How the client was determined.
    public internal(set) var orientation: Orientation
    /// The processing path of most packets of the flow.
    package var path = FlowPath()
    /// Statistics of capture duplicates in this flow, for `CaptureDuplicates`.
    public var duplicates = CaptureDuplicates.Tally()
    /// Packets per direction, without capture duplicates.
    public internal(set) var packets = PerDirection()
    /// Octets of transport payload per direction, as on the wire.
    public internal(set) var octets = PerDirection()

    let hash: UInt32
    private var hasClientSequence = false
    private var hasServerSequence = false
    /// Endpoints, transport protocol and context.
    public internal(set) var key: FlowKey
    /// The first sequence number of each direction, to detect a new connection on the same ports; for a direction
    /// without segments, derived from the other side's SYN-ACK.
    private var clientSequence: UInt32 = 0
    private var serverSequence: UInt32 = 0
    /// Capture duplicates, which are not counted elsewhere.
    public package(set) var captureDuplicates: UInt32 = 0
    /// The time of the first packet.
    public internal(set) var startTime: Timestamp
    /// The enclosing protocols of the first packet's payload.
    public package(set) var protocols = ProtocolStack()

    /// The endpoint that initiated the flow, or is assumed to have.
    public var client: Endpoint { clientIsFirst ? key.first : key.second }
    /// The other endpoint.
    public var server: Endpoint { clientIsFirst ? key.second : key.first }
    /// The transport protocol.
    public var transport: TransportProtocol { key.transport }

    /// Returns the source endpoint of packets in `direction`.
    public func source(_ direction: Direction) -> Endpoint { direction == .clientToServer ? client : server }
    /// Returns the destination endpoint of packets in `direction`.
    public func destination(_ direction: Direction) -> Endpoint { direction == .clientToServer ? server : client }

    init(key: FlowKey, hash: UInt32, sourceIsFirst: Bool, segment: TCPSegment?, time: Timestamp) {
        id = 0
        self.key = key
        self.hash = hash
        startTime = time
        endTime = time
        guard let segment else {
            orientation = .firstSender
            clientIsFirst = sourceIsFirst
            return
        }
        if segment.flags.contains(.syn) {
            orientation = .handshake
            clientIsFirst = sourceIsFirst != segment.flags.contains(.ack)
        } else {
            let firstPort = key.first.port
            let secondPort = key.second.port
            orientation = firstPort == secondPort ? .firstSender : .ports
            clientIsFirst = firstPort == secondPort ? sourceIsFirst : firstPort > secondPort
        }
    }

    /// Whether `segment` opens another connection between the same endpoints and ports.
    ///
    /// It does if it is a SYN whose sequence number differs from the first one of its direction and is not slightly
    /// below it. In a direction without segments, it does if the flow has carried data or was closed, and no SYN-ACK
    /// has responded to the SYN. A second, different SYN-ACK before any data responds to the same SYN: proxies send
    /// those.
    func isReopened(by segment: TCPSegment, _ direction: Direction) -> Bool {
        guard segment.flags.contains(.syn), !segment.flags.contains(.rst) else { return false }
        let isUsed = isClosed || octets.total > 0
        let known = direction == .clientToServer ? clientSequence : serverSequence
        guard direction == .clientToServer ? hasClientSequence : hasServerSequence else {
            return isUsed && !segment.flags.contains(.ack) && known != segment.sequence.value &+ 1
        }
        guard known != segment.sequence.value &+ 1, isUsed || !segment.flags.contains(.ack) else { return false }
        // A SYN that follows its own octets in the file opens no new connection: another one rarely has such a close
        // number.
        return isClosed || known &- (segment.sequence.value &+ 1) > Self.lateSYNOctets
    }

    /// How many octets may precede their SYN in the file.
    private static let lateSYNOctets: UInt32 = 1 << 16

    /// The sequence number of the client's SYN.
    package var openingSequence: UInt32 { clientSequence &- 1 }

    /// Updates the flow with a packet.
    @inline(__always)
    mutating func touch(_ segment: TCPSegment?, _ direction: Direction, _ time: Timestamp) {
        if let segment { noteSequence(of: segment, direction) }
        refresh(at: time)
    }

    /// Records the time of a packet.
    @inline(__always)
    mutating func refresh(at time: Timestamp) {
        if endTime < time { endTime = time }
    }

    /// Whether to try again to recognize an unknown flow: media may follow something else.
    package var isDueAgain: Bool {
        let count = packets.clientToServer &+ packets.serverToClient
        return count == 4 || count == 16 || count == 64 || count == 1_024
    }

    /// Whether the first sequence number of a direction is known.
    @inline(__always)
    func knowsSequence(_ direction: Direction) -> Bool {
        direction == .clientToServer ? hasClientSequence : hasServerSequence
    }

    /// Counts a packet and the octets of its transport payload.
    @inline(__always)
    mutating func count(_ direction: Direction, octets: Int) {
        packets[direction] &+= 1
        self.octets[direction] &+= octets
    }

    /// Records the first sequence number of a direction. The number of a RST may be meaningless.
    @inline(__always)
    mutating func noteSequence(of segment: TCPSegment, _ direction: Direction) {
        if direction == .clientToServer {
            guard !hasClientSequence else { return }
        } else {
            guard !hasServerSequence else { return }
        }
        guard !segment.flags.contains(.rst) else { return }
        let first = segment.flags.contains(.syn) ? segment.sequence.value &+ 1 : segment.sequence.value
        if direction == .clientToServer {
            clientSequence = first
            hasClientSequence = true
        } else {
            serverSequence = first
            hasServerSequence = true
        }
        // A SYN-ACK identifies its SYN, which may follow it in the file.
        guard segment.flags.isSuperset(of: [.syn, .ack]) else { return }
        if direction == .clientToServer, !hasServerSequence { serverSequence = segment.acknowledgment.value }
        if direction == .serverToClient, !hasClientSequence { clientSequence = segment.acknowledgment.value }
    }
}
