/// Which way most packets of a flow take, kept with the flow: they need nothing beyond what it says.
package struct Lane: Sendable {
    /// What most packets are.
    package enum Kind: UInt8, Sendable {
        /// Whatever the analyzer makes of them.
        case open
        /// Packets of a media stream that is known.
        case media
        /// Segments of a connection in which frames of known media streams stand one behind the other.
        case framed
        /// Segments of a connection of which most are in the middle of a message that came in chunks.
        case chunked
        /// Of a conversation that nobody reads: they are counted.
        case passed
        /// There was nothing but the opening, a SYN or one datagram, and nothing is kept of it but this.
        case held
    }

    /// What most packets are.
    package private(set) var kind = Kind.open
    /// Number of the TCP connection; -1 for UDP.
    package var connection: Int32 = -1
    // Two numbers whose meaning depends on the kind: a flow is looked at for every packet, and should be small.
    private var first: Int32 = -1
    private var second: Int32 = -1

    /// The way of a flow of which nothing is known.
    package init() {}

    /// Lets the packets take another way, of which no numbers are known yet.
    package mutating func turn(to kind: Kind) {
        self.kind = kind
        first = -1
        second = -1
    }

    /// Number of the media stream of a direction, as the flow table has them; -1 when none is known.
    @inline(__always)
    package subscript(direction: Direction) -> Int32 {
        get { kind != .media ? -1 : direction == .clientToServer ? first : second }
        set {
            if direction == .clientToServer { first = newValue } else { second = newValue }
        }
    }

    /// Number of what is known of the frames in a connection; -1 when there are none.
    package var framing: Int32 {
        get { kind == .framed ? first : -1 }
        set { first = newValue }
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

    /// Number of what is known of the chunks in a connection; -1 when there are none.
    package var chunks: Int32 {
        get { kind == .chunked ? first : -1 }
        set { first = newValue }
    }

    /// State of the announcements when a flow that nobody reads was last looked up among them in vain.
    package var lookedUp: Int32 {
        get { first }
        set { first = newValue }
    }
}
