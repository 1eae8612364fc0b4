import WeirPackets

/// An SRT packet (§3): the header, and the content of control packets.
struct SRTPacket: Sendable {
    /// Octets of the header.
    static let headerLength = 16

    /// A data packet (§3.1).
    struct Payload: Sendable {
        var sequence: UInt32
        /// Position in the message: 2 first, 0 middle, 1 last, 3 only.
        var position: UInt8
        var isOrdered: Bool
        /// The key: 0 none, 1 even, 2 odd.
        var key: UInt8
        var isRetransmitted: Bool
        var message: UInt32
        /// The length on the wire.
        var length: Int
        /// The captured octets.
        var octets: [UInt8]
        /// Whether the octets are decrypted ones.
        var isDecrypted = false
        /// Whether the octets are not readable.
        var isOpaque: Bool { key != 0 && !isDecrypted }
    }

    /// An acknowledgement (§3.2.4).
    struct Acknowledgement: Sendable {
        /// The number that an ACKACK repeats; 0 for a light or small one.
        var number: UInt32
        var nextSequence: UInt32
        /// Round-trip time and its variation in microseconds; nil in a light one.
        var roundTrip: UInt32?
        var variation: UInt32?
        /// Free packets in the receiver's buffer.
        var buffer: UInt32?
        /// Packets per second received, and estimated for the link.
        var rate: UInt32?
        var capacity: UInt32?
    }

    /// The content, by type.
    enum Content: Sendable {
        case data(Payload)
        case handshake(SRTHandshake)
        case keepAlive
        case ack(Acknowledgement)
        /// Lost packets: first and last sequence number of each range.
        case nak([(first: UInt32, last: UInt32)])
        case congestionWarning
        case shutdown
        case ackAck(UInt32)
        case dropRequest(message: UInt32, first: UInt32, last: UInt32)
        case peerError(UInt32)
        case keyExchange(SRTKeyMaterial)
        case other(type: UInt16, subtype: UInt16)
    }

    /// Whether the same handshake was sent before.
    var isRepetition = false

    /// Microseconds since the connection was established.
    let timestamp: UInt32
    /// The socket of the receiver; 0 in a connection request.
    let socket: UInt32
    let content: Content

    /// Parses a datagram; `wireLength` is its original length.
    init(_ bytes: RawSpan, wireLength: Int) throws(DecodeError) {
        var reader = ByteReader(bytes, layer: "SRT")
        let first = try reader.uint32()
        let second = try reader.uint32()
        timestamp = try reader.uint32()
        socket = try reader.uint32()
        let rest = bytes.clamped(Self.headerLength)
        guard first >> 31 == 1 else {
            content = .data(
                Payload(
                    sequence: first, position: UInt8(truncatingIfNeeded: second >> 30),
                    isOrdered: second >> 29 & 1 == 1, key: UInt8(truncatingIfNeeded: second >> 27 & 3),
                    isRetransmitted: second >> 26 & 1 == 1, message: second & 0x3FF_FFFF,
                    length: max(0, wireLength - Self.headerLength), octets: rest.array()))
            return
        }
        let (type, subtype) = (UInt16(truncatingIfNeeded: first >> 16 & 0x7FFF), UInt16(truncatingIfNeeded: first))
        switch type {
        case 0:
            guard let handshake = SRTHandshake(rest, isCut: wireLength > bytes.byteCount) else {
                throw DecodeError(.malformed("a handshake with invalid fields"), layer: "SRT", offset: 16)
            }
            content = .handshake(handshake)
        case 1: content = .keepAlive
        case 2:
            let next = try reader.uint32()
            content = .ack(
                Acknowledgement(
                    number: second, nextSequence: next, roundTrip: rest.uint32(at: 4), variation: rest.uint32(at: 8),
                    buffer: rest.uint32(at: 12), rate: rest.uint32(at: 16), capacity: rest.uint32(at: 20)))
        case 3: content = .nak(Self.ranges(rest))
        case 4: content = .congestionWarning
        case 5: content = .shutdown
        case 6: content = .ackAck(second)
        case 7:
            let start = try reader.uint32()
            content = .dropRequest(message: second, first: start, last: try reader.uint32())
        case 8: content = .peerError(second)
        // Key material that is cut has neither all lengths nor the keys.
        case 0x7FFF where (subtype == 3 || subtype == 4) && wireLength <= bytes.byteCount:
            guard let keys = SRTKeyMaterial(rest, isResponse: subtype == 4) else {
                throw DecodeError(.malformed("key material that is too short"), layer: "SRT", offset: 16)
            }
            content = .keyExchange(keys)
        default: content = .other(type: type, subtype: subtype)
        }
    }

    /// Parses a list of sequence numbers, in which a set first bit marks the start of a range (appendix A).
    private static func ranges(_ bytes: RawSpan) -> [(first: UInt32, last: UInt32)] {
        var ranges: [(first: UInt32, last: UInt32)] = []
        var offset = 0
        while let word = bytes.uint32(at: offset) {
            offset &+= 4
            if word >> 31 == 1 {
                guard let last = bytes.uint32(at: offset) else { break }
                offset &+= 4
                ranges.append((word & 0x7FFF_FFFF, last & 0x7FFF_FFFF))
            } else {
                ranges.append((word, word))
            }
        }
        return ranges
    }

    /// Returns the distance between two 31-bit sequence numbers; negative if the first is behind.
    static func distance(_ one: UInt32, from other: UInt32) -> Int {
        let forward = Int((one &- other) & 0x7FFF_FFFF)
        return forward < 0x4000_0000 ? forward : forward - 0x8000_0000
    }
}
