internal import WeirPackets

/// What is known of one direction of a connection.
struct RTMPSide {
    /// Whether type 3 chunks carry the extended timestamp (RTMP §5.3.1.3): old librtmp, among others, leaves it out.
    enum Habit {
        case unknown
        case repeated
        case omitted
    }

    /// Chunk streams that one side may use at once.
    static let maximumChunkStreams = 256

    let isClient: Bool
    /// Octets of the handshake that were passed: 3073 when it is over (RTMP §5.2).
    var handshakeOctets = 0
    /// C1 or S1, kept until both sides have answered.
    var firstPart: [UInt8]?
    /// The part at hand, when the capture holds it only to here.
    var cutPart: [UInt8]?
    /// Whether the next octet is known to begin a chunk.
    var isSynchronised = true
    /// Octets passed over in search of a chunk.
    var skipped = 0
    /// Size of this side's chunks, 128 until it says otherwise (RTMP §5.4.1).
    var chunkSize = 128
    var streams: [RTMPChunkStream] = []
    /// The chunk stream, as an index in `streams`, whose chunk is not complete, and how many octets it lacks.
    var current = 0
    var chunkRemaining = 0
    var habit = Habit.unknown
    /// Octets of the length in front of a NAL unit, by message stream, as the latest sequence header says.
    var unitLengthOctets: [UInt32: Int] = [:]
    /// Octets kept of all messages at hand.
    var keptOctets = 0

    init(isClient: Bool) { self.isClient = isClient }

    var inHandshake: Bool { handshakeOctets < 3_073 }

    /// The part of the handshake at hand and how many octets of it were passed.
    var part: (packet: RTMPHandshakePart.Packet, passed: Int) {
        switch handshakeOctets {
        case 0: (isClient ? .c0 : .s0, 0)
        case ..<1_537: (isClient ? .c1 : .s1, handshakeOctets &- 1)
        default: (isClient ? .c2 : .s2, handshakeOctets &- 1_537)
        }
    }

    func index(of id: Int) -> Int? { streams.firstIndex { $0.id == id } }

    /// Forgets all messages at hand, and where chunks begin.
    mutating func lose() {
        for index in streams.indices { streams[index].abandon() }
        keptOctets = 0
        chunkRemaining = 0
        isSynchronised = false
    }
}
