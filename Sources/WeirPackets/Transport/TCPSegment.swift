/// The control bits of a TCP header (RFC 9293 §3.1).
public struct TCPFlags: OptionSet, Hashable, Sendable {
    /// The eight bits, as on the wire.
    public let rawValue: UInt8

    /// Creates flags from the bits on the wire.
    @inline(__always)
    @inlinable public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// No more data from the sender.
    @inlinable public static var fin: Self { Self(rawValue: 0x01) }
    /// Synchronize sequence numbers.
    @inlinable public static var syn: Self { Self(rawValue: 0x02) }
    /// Reset the connection.
    @inlinable public static var rst: Self { Self(rawValue: 0x04) }
    /// Push function.
    @inlinable public static var psh: Self { Self(rawValue: 0x08) }
    /// The acknowledgment field is significant.
    @inlinable public static var ack: Self { Self(rawValue: 0x10) }
    /// The urgent pointer is significant.
    @inlinable public static var urg: Self { Self(rawValue: 0x20) }
    /// ECN echo.
    @inlinable public static var ece: Self { Self(rawValue: 0x40) }
    /// Congestion window reduced.
    @inlinable public static var cwr: Self { Self(rawValue: 0x80) }
}

/// A TCP header (RFC 9293 §3.1), with the options needed to follow a connection.
public struct TCPSegment: Hashable, Sendable {
    /// Sequence number of the first data octet, or of the SYN.
    public var sequence = Sequence32(0)
    /// The next sequence number that the sender expects, if `flags` contains `ack`.
    public var acknowledgment = Sequence32(0)
    /// The receive window as on the wire, not scaled.
    public var window: UInt16 = 0
    /// Control bits.
    public var flags: TCPFlags = []
    /// The header length in octets, including options.
    public var headerLength: UInt8 = 0
    /// The maximum segment size option in octets; 0 if absent.
    public var maximumSegmentSize: UInt16 = 0
    /// TSval of the timestamps option; 0 if absent (RFC 7323 §3.2).
    public var timestampValue: UInt32 = 0
    /// TSecr of the timestamps option; 0 if absent.
    public var timestampEcho: UInt32 = 0
    /// The first block of the SACK option if it reports octets after the acknowledgment or duplicate octets; otherwise
    /// 0 and 0.
    public private(set) var selectiveBlock: (start: UInt32, end: UInt32) {
        get { (blockStart, blockEnd) }
        set { (blockStart, blockEnd) = newValue }
    }
    private var blockStart: UInt32 = 0
    private var blockEnd: UInt32 = 0
    private var windowShift: UInt8 = 0
    private var found: UInt8 = 0

    /// Creates an empty header.
    @inline(__always)
    public init() {}

    /// Reads a header from the octets of a segment, at least 20, whose header length is `headerLength`.
    @inline(__always)
    init(_ octets: RawSpan, headerLength: Int) {
        let numbers = octets.loadUInt64(at: 4)
        let control = octets.loadUInt32(at: 12)
        sequence = Sequence32(UInt32(truncatingIfNeeded: numbers >> 32))
        acknowledgment = Sequence32(UInt32(truncatingIfNeeded: numbers))
        flags = TCPFlags(rawValue: UInt8(truncatingIfNeeded: control >> 16))
        window = UInt16(truncatingIfNeeded: control)
        self.headerLength = UInt8(truncatingIfNeeded: headerLength)
        if headerLength > 20 { readOptions(octets, to: min(headerLength, octets.byteCount)) }
    }

    /// The shift count of the window scale option, or nil if absent.
    public var windowScale: UInt8? { found & 1 != 0 ? windowShift : nil }
    /// Whether the SACK-permitted option is present.
    public var permitsSelectiveAcknowledgment: Bool { found & 2 != 0 }
    /// Whether the timestamps option is present.
    public var hasTimestamps: Bool { found & 4 != 0 }
    /// Whether the SACK option reports a hole: octets after the acknowledgment were received, those at it were not (RFC
    /// 2018 §3).
    @inline(__always)
    var reportsHole: Bool { found & 8 != 0 }
    /// Whether the first block of the SACK option reports duplicate octets (RFC 2883 §4).
    @inline(__always)
    public var reportsDuplicate: Bool { found & 16 != 0 }

    /// Sequence numbers used in addition to the data: one for SYN, one for FIN.
    public var controlLength: Int {
        Int(flags.rawValue & 1) &+ Int(flags.rawValue >> 1 & 1)
    }

    /// Parses the options of a segment, up to `end`. Parsing stops at a truncated or invalid option without an error.
    @inline(__always)
    private mutating func readOptions(_ octets: RawSpan, to end: Int) {
        //  The common case of a connection with timestamps: two no-operations, then the option.
        if end == 32, octets.byteCount >= 32, octets.loadUInt32(at: 20) == 0x0101_080A {
            timestampValue = octets.loadUInt32(at: 24)
            timestampEcho = octets.loadUInt32(at: 28)
            found |= 4
        } else {
            self = withOptions(octets, to: end)
        }
    }

    /// Returns the header with its options. Not in place, so that the header of other segments needs no address.
    @inline(never)
    private func withOptions(_ octets: RawSpan, to end: Int) -> Self {
        var segment = self
        segment.readAll(octets, to: end)
        return segment
    }

    private mutating func readAll(_ bytes: RawSpan, to end: Int) {
        var offset = 20
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
            case (5, 10...): readSelective(bytes, at: offset &+ 2, hasSecond: length >= 18)
            case (8, 10): readTimestamps(bytes, at: offset &+ 2)
            default: break
            }
            offset &+= length
        }
    }

    /// Parses the SACK blocks. Duplicate octets are in the first block: they are already acknowledged, or part of the
    /// second block (RFC 2883 §4).
    private mutating func readSelective(_ bytes: RawSpan, at offset: Int, hasSecond: Bool) {
        guard let start = bytes.uint32(at: offset), let end = bytes.uint32(at: offset &+ 4) else { return }
        selectiveBlock = (start, end)
        if Sequence32(start).precedes(acknowledgment) {
            found |= 16
            if hasSecond { found |= 8 }
            return
        }
        found |= 8
        guard hasSecond, let outerStart = bytes.uint32(at: offset &+ 8), let outerEnd = bytes.uint32(at: offset &+ 12)
        else { return }
        let isWithin =
            !Sequence32(start).precedes(Sequence32(outerStart)) && !Sequence32(outerEnd).precedes(Sequence32(end))
        if isWithin { found |= 16 }
    }

    private mutating func readTimestamps(_ bytes: RawSpan, at offset: Int) {
        timestampValue = bytes.uint32(at: offset) ?? 0
        timestampEcho = bytes.uint32(at: offset &+ 4) ?? 0
        found |= 4
    }
}
