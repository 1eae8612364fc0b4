/// A part of a TCP stream delivered in order.
public struct Delivery: Sendable {
    /// The octets, or a gap.
    public enum Content: Sendable {
        /// A range of the payload passed to the latest `TCPConnection.accept`; read it in place.
        case fresh(Range<Int>)
        /// Octets that were buffered behind a gap, and the frame that carried them.
        case buffered([UInt8], frame: Int, time: Timestamp)
        /// Octets that were on the wire but not captured, and the evidence: the segment after them, the truncated
        /// segment that carried them, or the acknowledgment; nil if that is the latest segment.
        case gap(octets: Int, place: Place?)
    }

    /// The frame and time of a segment.
    public struct Place: Sendable, Hashable {
        /// The frame number.
        public var frame: Int
        /// The capture time.
        public var time: Timestamp

        /// Creates a place.
        public init(frame: Int, time: Timestamp) {
            self.frame = frame
            self.time = time
        }
    }

    /// The direction of the octets.
    public let direction: Direction
    /// The octets, or a gap.
    public let content: Content

    /// Creates a delivery.
    package init(direction: Direction, content: Content) {
        self.direction = direction
        self.content = content
    }

    /// The segment that carried buffered octets or that shows the gap, or nil if it is the latest one.
    package var arrival: Place? {
        switch content {
        case .fresh: nil
        case .buffered(_, let frame, let time): Place(frame: frame, time: time)
        case .gap(_, let place): place
        }
    }
}

/// The effects of a TCP segment on its connection.
public struct Acceptance: OptionSet, Sendable {
    /// The raw bits.
    public let rawValue: UInt16

    /// Creates a set from raw bits.
    @inlinable public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Completes the handshake; `TCPConnection.handshakeRTT` may now be available.
    @inlinable public static var connected: Self { Self(rawValue: 1 << 0) }
    /// The second FIN: both directions are closed.
    @inlinable public static var closed: Self { Self(rawValue: 1 << 1) }
    /// The first RST.
    @inlinable public static var reset: Self { Self(rawValue: 1 << 2) }
    /// Carries octets already captured.
    @inlinable public static var retransmission: Self { Self(rawValue: 1 << 3) }
    /// Carries new octets that precede others already received.
    @inlinable public static var outOfOrder: Self { Self(rawValue: 1 << 4) }
    /// Carries octets that differ from those already buffered at the same position; the first ones are kept.
    @inlinable public static var overlapDiffers: Self { Self(rawValue: 1 << 5) }
    /// A SYN of another connection. The segment was not processed: pass it to a new `TCPConnection`.
    @inlinable public static var newConnection: Self { Self(rawValue: 1 << 6) }
    /// A keep-alive probe: no octet, or one already acknowledged.
    @inlinable public static var keepAlive: Self { Self(rawValue: 1 << 7) }
    /// A probe of a closed receive window.
    @inlinable public static var zeroWindowProbe: Self { Self(rawValue: 1 << 8) }
    /// Fills a gap that was already given up: too late.
    @inlinable public static var late: Self { Self(rawValue: 1 << 9) }
    /// A RST with payload. The payload is diagnostic text and not part of the stream.
    @inlinable public static var resetWithPayload: Self { Self(rawValue: 1 << 10) }
    /// The first FIN of this direction.
    @inlinable public static var finished: Self { Self(rawValue: 1 << 11) }
    /// The segment is truncated by the snap length; its missing octets become a gap.
    @inlinable public static var cut: Self { Self(rawValue: 1 << 12) }
    /// The sender closed or reopened its receive window.
    @inlinable public static var windowTurned: Self { Self(rawValue: 1 << 13) }
    /// Fills a hole reported by the receiver, too late to be reordering: a retransmission whose first copy was lost
    /// before the capture point.
    @inlinable public static var resentUnseen: Self { Self(rawValue: 1 << 14) }
    /// Its sender reports duplicate octets from the other side (D-SACK).
    @inlinable public static var duplicateReported: Self { Self(rawValue: 1 << 15) }
}
