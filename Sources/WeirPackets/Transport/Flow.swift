/// Both directions of a conversation between two endpoints.
public struct Flow: Sendable {
    /// How client and server were told apart.
    public enum Orientation: UInt8, Sendable {
        /// By a SYN, or by the SYN that a SYN-ACK answers.
        case handshake
        /// By the ports of a TCP connection whose opening the capture does not hold: the lower port is the server's.
        case ports
        /// By who sent the first packet.
        case firstSender
    }

    /// A number for each direction of a flow.
    public struct PerDirection: Sendable, Equatable {
        /// From client to server.
        public var clientToServer: Int
        /// From server to client.
        public var serverToClient: Int

        /// Creates the pair of numbers.
        @inlinable
        public init(clientToServer: Int = 0, serverToClient: Int = 0) {
            self.clientToServer = clientToServer
            self.serverToClient = serverToClient
        }

        /// The number of one direction.
        @inlinable
        public subscript(direction: Direction) -> Int {
            @inline(__always) get { direction == .clientToServer ? clientToServer : serverToClient }
            @inline(__always) set {
                if direction == .clientToServer { clientToServer = newValue } else { serverToClient = newValue }
            }
        }

        /// Both directions together.
        public var total: Int { clientToServer &+ serverToClient }
    }

    // In the order in which a packet needs it, so that few cache lines are touched: what finds the flow and tells its
    // age, then what is counted, then the rest.

    let hash: UInt32
    /// How client and server were told apart.
    public internal(set) var orientation: Orientation
    /// Whether the connection was closed (`FlowTable.close`), so that the flow ends after a short while.
    public internal(set) var isClosed = false
    let clientIsFirst: Bool
    /// False once the flow was taken out of the slots but not yet removed by the caller.
    var isLinked = true
    /// Endpoints, transport protocol and context.
    public internal(set) var key: FlowKey
    private var hasClientSequence = false
    private var hasServerSequence = false
    /// Time of the latest packet.
    public internal(set) var endTime: Timestamp

    /// 1-based, in the order of first packets; never used twice. 0 marks a free entry of the table.
    public internal(set) var id: Int
    /// Which way most packets of the flow take.
    package var path = FlowPath()
    /// How the capture doubled this flow's packets so far; belongs to `CaptureDuplicates`.
    public var duplicates = CaptureDuplicates.Tally()
    /// Packets of each direction, without those that the capture holds twice.
    public internal(set) var packets = PerDirection()
    /// Octets of transport payload of each direction, as on the wire.
    public internal(set) var octets = PerDirection()

    /// For each direction the sequence number of the first octet, to recognise another connection on the same ports; of one
    /// that was silent so far, what the other's SYN-ACK says of it.
    private var clientSequence: UInt32 = 0
    private var serverSequence: UInt32 = 0
    /// Packets that the capture holds twice, and that are counted nowhere else.
    public package(set) var captureDuplicates: UInt32 = 0
    /// Time of the first packet.
    public internal(set) var startTime: Timestamp
    /// The protocols around the payload of the first packet.
    public package(set) var protocols = ProtocolStack()

    /// The side that opened the conversation, or is believed to have.
    public var client: Endpoint { clientIsFirst ? key.first : key.second }
    /// The other side.
    public var server: Endpoint { clientIsFirst ? key.second : key.first }
    /// The transport protocol.
    public var transport: TransportProtocol { key.transport }

    /// Where packets of `direction` come from.
    public func source(_ direction: Direction) -> Endpoint { direction == .clientToServer ? client : server }
    /// Where packets of `direction` go.
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
    /// It does when it carries a SYN whose first octet has another sequence number than the direction's first octet had, and
    /// not one shortly before it;
    /// in a direction that was silent so far, when the flow had already carried data, or was closed, and no SYN-ACK has
    /// answered it already. A second, different SYN-ACK before any data answers the same SYN: proxies do that.
    func isReopened(by segment: TCPSegment, _ direction: Direction) -> Bool {
        guard segment.flags.contains(.syn), !segment.flags.contains(.rst) else { return false }
        let isUsed = isClosed || octets.total > 0
        let known = direction == .clientToServer ? clientSequence : serverSequence
        guard direction == .clientToServer ? hasClientSequence : hasServerSequence else {
            return isUsed && !segment.flags.contains(.ack) && known != segment.sequence.value &+ 1
        }
        guard known != segment.sequence.value &+ 1, isUsed || !segment.flags.contains(.ack) else { return false }
        // One that stands behind its own octets in the file opens nothing else: other numbers are hardly ever so near.
        return isClosed || known &- (segment.sequence.value &+ 1) > Self.lateSYNOctets
    }

    /// Octets that may stand before their SYN in the file.
    private static let lateSYNOctets: UInt32 = 1 << 16

    /// The sequence number of the SYN that opened the flow.
    package var openingSequence: UInt32 { clientSequence &- 1 }

    /// Takes a packet that belongs to the flow.
    @inline(__always)
    mutating func touch(_ segment: TCPSegment?, _ direction: Direction, _ time: Timestamp) {
        if let segment { noteSequence(of: segment, direction) }
        if endTime < time { endTime = time }
    }

    /// Whether a flow that nobody knew is worth another look now: media may begin behind something else.
    package var isDueAgain: Bool {
        let count = packets.clientToServer &+ packets.serverToClient
        return count == 4 || count == 16 || count == 64 || count == 1_024
    }

    /// Counts a packet and the octets of its transport payload.
    @inline(__always)
    mutating func count(_ direction: Direction, octets: Int) {
        packets[direction] &+= 1
        self.octets[direction] &+= octets
    }

    /// Remembers where the direction's sequence numbers begin. A RST's number may mean nothing.
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
        // A SYN-ACK says to which SYN it is the answer, which may stand behind it.
        guard segment.flags.isSuperset(of: [.syn, .ack]) else { return }
        if direction == .clientToServer, !hasServerSequence { serverSequence = segment.acknowledgment.value }
        if direction == .serverToClient, !hasClientSequence { clientSequence = segment.acknowledgment.value }
    }
}
