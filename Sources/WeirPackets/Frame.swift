/// A capture timestamp, in nanoseconds since 1970-01-01 00:00:00 UTC.
public struct Timestamp: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Nanoseconds since the epoch; negative before it.
    public var nanoseconds: Int64

    /// Creates a timestamp from nanoseconds since the epoch.
    @inlinable @inline(__always)
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Whether `lhs` is earlier.
    @inline(__always)
    public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.nanoseconds < rhs.nanoseconds
    }

    /// Returns the seconds from `other` to this timestamp; negative if this one is earlier (the clock stepped back).
    @inline(__always)
    public func seconds(since other: Self) -> Double {
        Double(nanoseconds &- other.nanoseconds) / 1_000_000_000
    }
}

/// The metadata of a captured frame.
public struct FrameInfo: Sendable, BitwiseCopyable {
    /// The 1-based frame number, as shown by Wireshark.
    public var number: Int
    /// The capture time.
    public var time: Timestamp
    /// Whether the recorded time was invalid and has been replaced with the time of the previous frame.
    public var isTimeReplaced = false
    /// Whether the capture reports packets dropped since the previous frame.
    package var followsDrops = false
    /// The captured length, in octets.
    public var capturedLength: Int
    /// The length on the wire, in octets.
    public var originalLength: Int
    /// The index of the interface in the capture; 0 if the format supports only one.
    public var interface: Int
    /// The data link type, as in the capture file.
    public var linkType: LinkType

    /// Creates the metadata of a frame.
    @inlinable @inline(__always)
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

    /// Whether fewer octets were captured than were on the wire.
    public var isCut: Bool { capturedLength < originalLength }
}

/// A captured frame. Its bytes are valid only during the call that passes it.
public struct Frame: ~Escapable, BitwiseCopyable {
    /// Number, time, lengths, interface and link type.
    public let info: FrameInfo
    /// The captured octets, starting with the link layer header.
    public let bytes: RawSpan

    /// Creates a frame over borrowed bytes.
    @inlinable @inline(__always)
    @_lifetime(copy bytes)
    public init(info: FrameInfo, bytes: RawSpan) {
        self.info = info
        self.bytes = bytes
    }
}
