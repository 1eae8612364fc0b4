import WeirPackets

/// An aggregate message: a sequence of messages, each with its own header and followed by a back pointer (RTMP §7.1.6).
public struct RTMPAggregate: Sendable, Hashable {
    /// A flaw in an aggregate message.
    public enum Flaw: Sendable, Hashable {
        /// A sub-message exceeds the remaining octets; with its number, from 1.
        case size(Int)
        /// A back pointer differs from the size of the preceding sub-message with its header.
        case backPointer(Int, expected: UInt32, actual: UInt32)
        /// Octets remain after the last sub-message.
        case leftOver(octets: Int)
    }

    /// The byte order of the timestamp in a sub-message header.
    public enum TimestampOrder: String, Sendable, Hashable {
        /// Four octets, big-endian, as in RTMP §6.1.1.
        case specification
        /// The lower three octets followed by the highest, as in an FLV tag (FLV 10.1 §E.4.1): used by servers.
        case flv
    }

    /// The size of a sub-message header in octets: type 1, size 3, timestamp 4, stream ID 3 (RTMP §6.1.1).
    static let headerOctets = 11
    private static let pointerOctets = 4

    /// The number of messages in it.
    public internal(set) var count = 0
    /// The offset from sub-message timestamps to stream timestamps, in milliseconds; it SHOULD be 0.
    public internal(set) var offset: Int32 = 0
    /// The byte order of timestamps.
    public internal(set) var order = TimestampOrder.flv
    /// The flaws, at most one of each kind.
    public internal(set) var flaws: [Flaw] = []
    /// Whether it contains more messages than the limit.
    public internal(set) var isLimited = false

    /// A sub-message whose payload is not parsed yet.
    struct Part: Sendable, Hashable {
        var typeID: UInt8
        var timestamp: UInt32
        var payload: Range<Int>
    }

    private(set) var parts: [Part] = []

    /// Parses the messages in `bytes`, the payload of an aggregate message with this timestamp. `isCut` indicates an
    /// incomplete payload.
    init(_ bytes: RawSpan, timestamp: UInt32, isCut: Bool, limits: Limits = Limits()) {
        var start = 0
        while start < bytes.byteCount {
            guard count < limits[RTMPLimits.self].aggregatedMessages else {
                isLimited = true
                return
            }
            guard let head = bytes.uint32(at: start), let time = bytes.uint32(at: start &+ 4),
                bytes.byteCount &- start >= Self.headerOctets
            else { break }
            let size = Int(head & 0xFF_FFFF)
            let payload = start &+ Self.headerOctets
            guard size <= bytes.byteCount &- payload else {
                if !isCut { flaws.append(.size(count &+ 1)) }
                start = bytes.byteCount
                break
            }
            let flv = time >> 8 | time << 24
            if count == 0 {
                // The first sub-message SHOULD have the timestamp of the aggregate, which reveals the byte order.
                let isNearer = Self.distance(time, timestamp) < Self.distance(flv, timestamp)
                order = isNearer ? .specification : .flv
                offset = Int32(bitPattern: timestamp &- (isNearer ? time : flv))
            }
            let own = order == .flv ? flv : time
            parts.append(
                Part(
                    typeID: UInt8(truncatingIfNeeded: head >> 24), timestamp: own &+ UInt32(bitPattern: offset),
                    payload: payload..<payload &+ size))
            count &+= 1
            start = payload &+ size
            guard let pointer = bytes.uint32(at: start) else { break }
            let expected = UInt32(truncatingIfNeeded: size &+ Self.headerOctets)
            if pointer != expected, !flaws.contains(where: { if case .backPointer = $0 { true } else { false } }) {
                flaws.append(.backPointer(count, expected: expected, actual: pointer))
            }
            start &+= Self.pointerOctets
        }
        if start < bytes.byteCount, !isCut { flaws.append(.leftOver(octets: bytes.byteCount &- start)) }
    }

    private static func distance(_ one: UInt32, _ other: UInt32) -> UInt32 { min(one &- other, other &- one) }
}
