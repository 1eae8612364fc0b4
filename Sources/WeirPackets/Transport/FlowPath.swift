/// Which way most packets of a flow take, kept with the flow: they need nothing beyond what it says.
package struct FlowPath: Sendable {
    /// What becomes of most packets.
    package enum Kind: UInt8, Sendable {
        /// The analyzer looks at them.
        case open
        /// A fast path takes them.
        case fast
        /// They belong to a conversation that nobody reads, and are counted.
        case ignored
        /// There was nothing but the opening, a SYN or one datagram, and nothing is kept of it but this.
        case embryonic
    }

    /// What becomes of most packets.
    package private(set) var kind = Kind.open
    /// Which fast path takes them.
    package private(set) var number: UInt8 = 0
    /// Number of the TCP connection; -1 for UDP.
    package var connection: Int32 = -1
    /// The frame that brought the opening, or the latest copy of it.
    package var openingFrame: UInt32 = 0
    // Two numbers whose meaning depends on the kind: a flow is looked at for every packet, and should be small.
    private var first: Int32 = -1
    private var second: Int32 = -1

    /// The way of a flow of which nothing is known.
    package init() {}

    /// Lets the packets take another way, of which no numbers are known yet.
    package mutating func turn(to kind: Kind, path: UInt8 = 0) {
        self.kind = kind
        number = path
        first = -1
        second = -1
    }

    /// The slot of a direction in the fast path, as the flow table has directions; -1 when there is none.
    @inline(__always)
    package subscript(direction: Direction) -> Int32 {
        get { kind != .fast ? -1 : direction == .clientToServer ? first : second }
        set {
            if direction == .clientToServer { first = newValue } else { second = newValue }
        }
    }

    /// The slot of a connection in the fast path; -1 when there is none.
    package var slot: Int32 { kind == .fast ? first : -1 }

    /// Gives both directions the same slot.
    package mutating func turn(toPath path: UInt8, slot: Int32) {
        turn(to: .fast, path: path)
        (first, second) = (slot, slot)
    }

    /// When the opening was seen, or the latest copy of it.
    package var openingTime: Timestamp {
        get {
            Timestamp(nanoseconds: Int64(first) << 32 | Int64(UInt32(bitPattern: second)))
        }
        set {
            first = Int32(truncatingIfNeeded: newValue.nanoseconds >> 32)
            second = Int32(truncatingIfNeeded: newValue.nanoseconds)
        }
    }

    /// State of the claims when a flow that nobody reads was last looked up among them in vain.
    package var lookedUp: Int32 {
        get { first }
        set { first = newValue }
    }
}
