/// The control bits of a TCP header (RFC 9293 §3.1).
public struct TCPFlags: OptionSet, Hashable, Sendable {
    /// The eight bits as on the wire.
    public let rawValue: UInt8

    /// Wraps the bits from the wire.
    @inline(__always)
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// No more data from the sender.
    public static let fin = Self(rawValue: 0x01)
    /// Synchronise sequence numbers.
    public static let syn = Self(rawValue: 0x02)
    /// Reset the connection.
    public static let rst = Self(rawValue: 0x04)
    /// Push function.
    public static let psh = Self(rawValue: 0x08)
    /// The acknowledgment field is significant.
    public static let ack = Self(rawValue: 0x10)
    /// The urgent pointer is significant.
    public static let urg = Self(rawValue: 0x20)
    /// ECN echo.
    public static let ece = Self(rawValue: 0x40)
    /// Congestion window reduced.
    public static let cwr = Self(rawValue: 0x80)
}

/// The header of a TCP segment (RFC 9293 §3.1), with the options that following a connection needs.
public struct TCPSegment: Hashable, Sendable {
    /// Sequence number of the first data octet, or of the SYN.
    public var sequence = Sequence32(0)
    /// The next sequence number that the sender expects, when `flags` contains `ack`.
    public var acknowledgment = Sequence32(0)
    /// Receive window as on the wire, not scaled.
    public var window: UInt16 = 0
    /// Control bits.
    public var flags: TCPFlags = []
    /// Octets of the header, options included.
    public var headerLength: UInt8 = 0
    /// Maximum segment size option in octets; 0 when there is none.
    public var maximumSegmentSize: UInt16 = 0
    /// Timestamps option, the sender's clock; 0 when there is none (RFC 7323 §3.2).
    public var timestampValue: UInt32 = 0
    /// Timestamps option, the echoed clock; 0 when there is none.
    public var timestampEcho: UInt32 = 0
    private var windowShift: UInt8 = 0
    private var found: UInt8 = 0

    /// A segment of which nothing is known.
    @inline(__always)
    public init() {}

    /// Window scale option: bits by which the sender's windows are to be shifted; nil when there is none.
    public var windowScale: UInt8? { found & 1 != 0 ? windowShift : nil }
    /// Whether the SACK-permitted option is there.
    public var permitsSelectiveAcknowledgment: Bool { found & 2 != 0 }
    /// Whether the timestamps option is there.
    public var hasTimestamps: Bool { found & 4 != 0 }

    /// Sequence numbers that the segment takes up beside its data: one for SYN, one for FIN.
    public var controlLength: Int {
        Int(flags.rawValue & 1) &+ Int(flags.rawValue >> 1 & 1)
    }

    /// Reads the options between `start` and `end`; what is cut or wrong ends the reading and is no error.
    mutating func readOptions(_ bytes: RawSpan, from start: Int, to end: Int) {
        // Nearly every segment of a connection with timestamps: two no-operations, then the option.
        if end &- start == 12, bytes.uint32(at: start) == 0x0101_080A {
            readTimestamps(bytes, at: start &+ 4)
            return
        }
        var offset = start
        while offset < end, let kind = bytes.byte(at: offset), kind != 0 {
            if kind == 1 {
                offset &+= 1
                continue
            }
            guard offset &+ 1 < end, let length = bytes.byte(at: offset &+ 1).map(Int.init),
                length >= 2, offset &+ length <= end
            else { return }
            switch (kind, length) {
            case (2, 4): maximumSegmentSize = bytes.uint16(at: offset &+ 2) ?? 0
            case (3, 3):
                windowShift = bytes.byte(at: offset &+ 2) ?? 0
                found |= 1
            case (4, 2): found |= 2
            case (8, 10): readTimestamps(bytes, at: offset &+ 2)
            default: break
            }
            offset &+= length
        }
    }

    private mutating func readTimestamps(_ bytes: RawSpan, at offset: Int) {
        timestampValue = bytes.uint32(at: offset) ?? 0
        timestampEcho = bytes.uint32(at: offset &+ 4) ?? 0
        found |= 4
    }
}
