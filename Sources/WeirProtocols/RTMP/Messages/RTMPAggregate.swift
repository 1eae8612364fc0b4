import WeirPackets

/// An aggregate message: messages one after the other, each with a header of its own and a back pointer behind it (RTMP
/// §7.1.6).
public struct RTMPAggregate: Sendable, Hashable {
    /// What is wrong in it.
    public enum Flaw: Sendable, Hashable {
        /// A sub-message is longer than what is left; the number of the sub-message, from 1.
        case size(Int)
        /// A back pointer is not the size of the sub-message before it with its header.
        case backPointer(Int, expected: UInt32, actual: UInt32)
        /// Octets are left over behind the last sub-message.
        case leftOver(octets: Int)
    }

    /// How the timestamp of a sub-message stands in its header.
    public enum TimestampOrder: String, Sendable, Hashable {
        /// Four octets, the highest first, as RTMP §6.1.1 has it.
        case specification
        /// The lower three octets, then the highest, as in an FLV tag (FLV 10.1 §E.4.1): what servers send.
        case flv
    }

    /// Octets of a sub-message's header: type 1, size 3, timestamp 4, stream id 3 (RTMP §6.1.1).
    static let headerOctets = 11
    private static let pointerOctets = 4

    /// How many messages it holds.
    public internal(set) var count = 0
    /// What the timestamps of the sub-messages need added to arrive at those of the stream, in milliseconds: 0 as it
    /// SHOULD be.
    public internal(set) var offset: Int32 = 0
    /// How timestamps are written.
    public internal(set) var order = TimestampOrder.flv
    /// What is wrong, the first of each kind at most.
    public internal(set) var flaws: [Flaw] = []
    /// It holds more messages than are read of one.
    public internal(set) var isLimited = false

    /// One message of it, before its payload is read.
    struct Part: Sendable, Hashable {
        var typeID: UInt8
        var timestamp: UInt32
        var payload: Range<Int>
    }

    private(set) var parts: [Part] = []

    /// Reads the messages in `bytes`, the payload of an aggregate message with this timestamp; `isCut`: not all of it is
    /// there.
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
                // The first sub-message SHOULD have the aggregate's own time: that tells how times are written.
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
