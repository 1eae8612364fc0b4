/// A moment, in nanoseconds since 1970-01-01 00:00:00 UTC, as the capture recorded it.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Nanoseconds since the epoch; negative before it.
    public var nanoseconds: Int64

    /// Creates a moment from nanoseconds since the epoch.
    @inline(__always)
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Whether `lhs` is earlier.
    @inline(__always)
    public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.nanoseconds < rhs.nanoseconds
    }

    /// Seconds from `other` to this moment; negative when this one is earlier (clocks step back).
    @inline(__always)
    public func seconds(since other: Self) -> Double {
        Double(nanoseconds &- other.nanoseconds) / 1_000_000_000
    }
}

/// What a capture records of a frame beside its bytes.
public struct FrameInfo: Sendable {
    /// 1-based position in the file: the number that Wireshark shows.
    public var number: Int
    /// When it was seen.
    public var time: Timestamp
    /// Whether its own time was wrong, and that of the frame before stands in for it.
    public var isTimeReplaced = false
    /// Whether the capture says that packets were dropped since the frame before.
    package var followsDrops = false
    /// Octets that the capture holds.
    public var capturedLength: Int
    /// Octets that were on the wire.
    public var originalLength: Int
    /// Index of the interface in the capture; 0 when the format knows only one.
    public var interface: Int
    /// Data link type, as in the capture file.
    public var linkType: LinkType

    /// Creates the description of a frame.
    public init(
        number: Int,
        time: Timestamp,
        capturedLength: Int,
        originalLength: Int,
        interface: Int = 0,
        linkType: LinkType
    ) {
        self.number = number
        self.time = time
        self.capturedLength = capturedLength
        self.originalLength = originalLength
        self.interface = interface
        self.linkType = linkType
    }

    /// Whether the capture kept fewer octets than were on the wire.
    public var isCut: Bool { capturedLength < originalLength }
}

/// A captured frame. Its bytes live only as long as the call that hands it over.
public struct Frame: ~Escapable {
    /// Number, time, lengths, interface and link type.
    public let info: FrameInfo
    /// The captured octets, from the first octet of the link layer.
    public let bytes: RawSpan

    /// Creates a frame over bytes that belong to somebody else.
    @_lifetime(copy bytes)
    public init(info: FrameInfo, bytes: RawSpan) {
        self.info = info
        self.bytes = bytes
    }
}

/// Frames, one after the other.
package protocol FrameSource: ~Copyable {
    /// Why there are no more frames, if it is not the end.
    associatedtype Failure: Error

    /// The next frame, which lives until this is called again; nil at the end.
    @_lifetime(&self)
    mutating func next() throws(Failure) -> Frame?
}
