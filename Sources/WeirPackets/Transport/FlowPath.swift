/// The processing path of most packets of a flow, stored with the flow: such packets need no other lookup.
public struct FlowPath: Sendable {
    /// The kind of processing.
    public enum Kind: UInt8, Sendable {
        /// The analyzer examines the packets.
        case open
        /// A fast path processes the packets.
        case fast
        /// No dissector applies to the flow; its packets are counted.
        case ignored
        /// An embryonic flow: only its first packet was seen, and no state is kept.
        case embryonic
        /// A connection whose SYN was answered, without data so far; no state is kept.
        case answered
    }

    /// The kind of processing.
    public internal(set) var kind = Kind.open
    /// The number of the fast path.
    package private(set) var number: UInt8 = 0
    /// The index of the TCP connection; -1 for UDP, and `untracked` for one that is no longer tracked.
    @usableFromInline package var connection: Int32 = -1
    /// The index of a connection without state: only the flags of its segments count.
    package static let untracked: Int32 = -2
    /// Whether the flow is a TCP connection.
    @inlinable package var isConnection: Bool { connection != -1 }
    /// The frame of the first packet, or of its latest retransmission.
    package var openingFrame: UInt32 = 0
    // Two numbers whose meaning depends on the kind: every packet accesses its flow, so it should be small.
    @usableFromInline var first: Int32 = -1
    @usableFromInline var second: Int32 = -1

    /// Creates the path of a new flow.
    package init() {}

    /// Switches to another kind of processing and resets its numbers.
    package mutating func turn(to kind: Kind, path: UInt8 = 0) {
        self.kind = kind
        number = path
        first = -1
        second = -1
    }

    /// The fast-path slot of a direction, in the flow's own orientation; -1 if there is none.
    @inlinable @inline(__always)
    public subscript(direction: Direction) -> Int32 {
        get { kind != .fast ? -1 : direction == .clientToServer ? first : second }
        set {
            if direction == .clientToServer { first = newValue } else { second = newValue }
        }
    }

    /// The fast-path slot of a connection; -1 if there is none.
    package var slot: Int32 { kind == .fast ? first : -1 }

    /// Switches to a fast path with the same slot for both directions.
    package mutating func turn(toPath path: UInt8, slot: Int32) {
        turn(to: .fast, path: path)
        (first, second) = (slot, slot)
    }

    /// The time of the first packet, or of its latest retransmission.
    package var openingTime: Timestamp {
        get {
            Timestamp(nanoseconds: Int64(first) << 32 | Int64(UInt32(bitPattern: second)))
        }
        set {
            first = Int32(truncatingIfNeeded: newValue.nanoseconds >> 32)
            second = Int32(truncatingIfNeeded: newValue.nanoseconds)
        }
    }

    /// Switches to an answered opening with a number.
    package mutating func turn(toOpening number: Int32) {
        turn(to: .answered)
        first = number
    }

    /// The number of an answered opening.
    package var opening: Int32 { first }

    /// Records a FIN of an ignored connection. Returns whether both sides have sent one.
    package mutating func finish(_ direction: Direction) -> Bool {
        second = max(second, 0) | (direction == .clientToServer ? 1 : 2)
        return second == 3
    }

    /// The version of the claims at the last lookup of an ignored flow, which found none.
    package var lookedUp: Int32 {
        get { first }
        set { first = newValue }
    }
}
