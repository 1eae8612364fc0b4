/// What a TCP connection hands on next. Everything comes in the order of the stream.
public struct Delivery: Sendable {
    /// The octets, or their absence.
    public enum Content: Sendable {
        /// This part of the payload given to the latest `TCPConnection.accept`: read it in place.
        case fresh(Range<Int>)
        /// Octets that waited behind a hole, and the frame that brought them.
        case buffered([UInt8], frame: Int, time: Timestamp)
        /// Octets that were on the wire but are not in the capture, and what shows that: the segment behind them, the cut one
        /// that should hold them, or what acknowledges them; nil when it is the latest.
        case gap(octets: Int, place: Place?)
    }

    /// A segment, and when it came.
    public struct Place: Sendable, Hashable {
        /// The frame that brought it.
        public var frame: Int
        /// When.
        public var time: Timestamp

        /// Creates the description of a place.
        public init(frame: Int, time: Timestamp) {
            self.frame = frame
            self.time = time
        }
    }

    /// Which way the octets went.
    public let direction: Direction
    /// The octets, or their absence.
    public let content: Content

    /// For octets that waited: what brought them; for a gap what shows it. Nil when that is the latest segment.
    package var arrival: Place? {
        switch content {
        case .fresh: nil
        case .buffered(_, let frame, let time): Place(frame: frame, time: time)
        case .gap(_, let place): place
        }
    }
}

/// What a TCP segment meant to its connection.
public struct Acceptance: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt16

    /// Creates a set from its bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The handshake was completed by this segment; `TCPConnection.handshakeRTT` may now be known.
    public static let connected = Self(rawValue: 1 << 0)
    /// This FIN was the second one: both sides have closed.
    public static let closed = Self(rawValue: 1 << 1)
    /// The first RST.
    public static let reset = Self(rawValue: 1 << 2)
    /// It carries octets that the capture holds already.
    public static let retransmission = Self(rawValue: 1 << 3)
    /// It carries new octets in front of others that arrived before it.
    public static let outOfOrder = Self(rawValue: 1 << 4)
    /// It carries octets that differ from those kept at the same place; the first ones count.
    public static let overlapDiffers = Self(rawValue: 1 << 5)
    /// A SYN of another connection: nothing was taken from it. Give it to a new `TCPConnection`.
    public static let newConnection = Self(rawValue: 1 << 6)
    /// A keep-alive probe: no octet, or one already acknowledged.
    public static let keepAlive = Self(rawValue: 1 << 7)
    /// A probe of a receiver that had closed its window.
    public static let zeroWindowProbe = Self(rawValue: 1 << 8)
    /// It fills octets that were already given up as a gap: too late.
    public static let late = Self(rawValue: 1 << 9)
    /// A RST with payload, which says why and is no part of the stream.
    public static let resetWithPayload = Self(rawValue: 1 << 10)
    /// The first FIN of its direction.
    public static let finished = Self(rawValue: 1 << 11)
    /// The snap length cut the segment: its missing octets become a gap.
    public static let cut = Self(rawValue: 1 << 12)
    /// Its sender closed the window in which it receives, or opened it again.
    public static let windowTurned = Self(rawValue: 1 << 13)
    /// It fills a hole that its receiver had told of, and too late to have been overtaken: it was sent again, and the first copy
    /// was lost before it came here.
    public static let resentUnseen = Self(rawValue: 1 << 14)
    /// Its sender says that octets of the other side came twice.
    public static let duplicateReported = Self(rawValue: 1 << 15)
}
