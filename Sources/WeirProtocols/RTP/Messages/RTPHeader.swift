public import WeirPackets

/// The header of an RTP data packet (RFC 3550 §5.1), with the sizes of the parts around the payload.
///
///      0                   1                   2                   3
///     |V=2|P|X|  CC   |M|     PT      |       sequence number         |
///     |                           timestamp                           |
///     |           synchronization source (SSRC) identifier            |
///     |            contributing source (CSRC) identifiers …           |
///
/// All fields are numbers, so parsing allocates nothing. Ranges are relative to the packet's first octet.
public struct RTPHeader: Sendable, Hashable {
    /// Octets of the header without CSRCs and extension.
    public static let fixedLength = 12
    /// Largest forward step of the sequence number that does not count as a restart (RFC 3550 §A.1, MAX_DROPOUT).
    static let maximumDropout = 3_000

    /// The padding bit.
    public let hasPadding: Bool
    /// Whether a header extension follows the CSRCs.
    public let hasExtension: Bool
    /// The marker bit; its meaning depends on the payload format.
    public let marker: Bool
    /// Payload type, 7 bits.
    public private(set) var payloadType: UInt8
    /// Number of contributing sources, 0–15.
    public let csrcCount: UInt8
    /// Padding octets, including the count; 0 if there is none, if the count was not captured, or if it does not fit
    /// the packet. In SRTP the count is encrypted (RFC 3711 §3.1).
    public let paddingLength: UInt8
    /// Whether the padding count does not fit the packet: an error unless the packet is encrypted.
    public let hasInvalidPadding: Bool
    /// Sequence number.
    public let sequenceNumber: UInt16
    /// The 16-bit profile identifier of the header extension; 0 without one.
    public let extensionProfile: UInt16
    /// Sampling instant of the first payload octet, in ticks of the media clock.
    public let timestamp: UInt32
    /// Synchronization source.
    public let ssrc: UInt32
    /// Octets before the payload: fixed header, CSRCs and extension.
    public let headerLength: Int
    /// Payload octets on the wire; fewer may have been captured.
    public private(set) var payloadLength: Int
    /// Octets of header extension data, without the four octets of profile and length.
    public let extensionLength: Int

    /// Returns the header for a block of the payload with its own type and length (RFC 2198).
    func carrying(_ type: UInt8, _ length: Int) -> Self {
        var header = self
        header.payloadType = type
        header.payloadLength = length
        return header
    }

    /// Protocol version; packets of other versions are not decoded.
    public var version: UInt8 { 2 }
    /// The payload, which may end beyond the captured octets of a truncated packet.
    public var payloadRange: Range<Int> { headerLength..<headerLength &+ payloadLength }
    /// The header extension data; empty without one.
    public var extensionRange: Range<Int> { headerLength &- extensionLength..<headerLength }

    /// Parses the header of the packet that fills the rest of the reader, and advances to the payload.
    ///
    /// - Throws: `DecodeError`, like the other initializer.
    @_lifetime(reader: copy reader)
    public init(_ reader: inout ByteReader) throws(DecodeError) {
        self = try Self(reader.bytes.clamped(reader.offset))
        try reader.skip(headerLength)
    }

    /// Parses the header of a packet, with the checks of RFC 3550 §A.1.
    ///
    /// - Parameters:
    ///   - bytes: the packet, as captured.
    ///   - wireLength: octets of the packet on the wire, if more than `bytes`.
    /// - Throws: `.unsupported` for another version; `.malformed` if CSRCs or extension do not fit the packet;
    ///   `.tooShort` if a part of the header was not captured.
    @inline(__always)
    public init(_ bytes: RawSpan, wireLength: Int = 0) throws(DecodeError) {
        guard let first = bytes.uint64(at: 0), let source = bytes.uint32(at: 8) else {
            throw Self.tooShort(bytes, wireLength)
        }
        let length = max(wireLength, bytes.byteCount)
        marker = first & 0x0080_0000_0000_0000 != 0
        payloadType = UInt8(truncatingIfNeeded: first >> 48) & 0x7F
        sequenceNumber = UInt16(truncatingIfNeeded: first >> 32)
        timestamp = UInt32(truncatingIfNeeded: first)
        ssrc = source
        let flags = UInt8(truncatingIfNeeded: first >> 56)
        guard flags != 0x80 else {
            // Nothing but the fixed header: nearly every packet.
            hasPadding = false
            hasExtension = false
            csrcCount = 0
            paddingLength = 0
            hasInvalidPadding = false
            extensionProfile = 0
            headerLength = Self.fixedLength
            payloadLength = length &- Self.fixedLength
            extensionLength = 0
            return
        }
        let variable = try VariableParts(flags, bytes, length)
        hasPadding = flags & 0x20 != 0
        hasExtension = flags & 0x10 != 0
        csrcCount = flags & 0x0F
        paddingLength = variable.padding
        hasInvalidPadding = variable.hasInvalidPadding
        extensionProfile = variable.profile
        headerLength = variable.headerLength
        payloadLength = length &- variable.headerLength &- Int(variable.padding)
        extensionLength = variable.extensionLength
    }

    @inline(never)
    private static func tooShort(_ bytes: RawSpan, _ wireLength: Int) -> DecodeError {
        if let first = bytes.byte(at: 0), first >> 6 != 2 { return VariableParts.version(first) }
        return DecodeError(.tooShort(needed: fixedLength, available: bytes.byteCount), layer: "RTP", offset: 0)
    }
}

/// The variable-length parts, which most packets do not have.
private struct VariableParts {
    var headerLength = RTPHeader.fixedLength
    var padding: UInt8 = 0
    var hasInvalidPadding = false
    var profile: UInt16 = 0
    var extensionLength = 0

    /// Parses the parts: `length` octets on the wire, of which `bytes` were captured.
    @inline(never)
    init(_ flags: UInt8, _ bytes: RawSpan, _ length: Int) throws(DecodeError) {
        guard flags >> 6 == 2 else { throw Self.version(flags) }
        headerLength &+= Int(flags & 0x0F) &* 4
        guard headerLength <= length else {
            throw Self.malformed("\(flags & 0x0F) CSRCs exceed the packet", at: 0)
        }
        if flags & 0x10 != 0 {
            guard headerLength &+ 4 <= length else {
                throw Self.malformed("the header extension exceeds the packet", at: headerLength)
            }
            guard let word = bytes.uint32(at: headerLength) else { throw Self.cut(bytes, headerLength &+ 4) }
            profile = UInt16(truncatingIfNeeded: word >> 16)
            extensionLength = Int(word & 0xFFFF) &* 4
            guard headerLength &+ 4 &+ extensionLength <= length else {
                let reason = "the header extension of \(extensionLength) octets exceeds the packet"
                throw Self.malformed(reason, at: headerLength)
            }
            headerLength &+= 4 &+ extensionLength
        }
        guard headerLength <= bytes.byteCount else { throw Self.cut(bytes, headerLength) }
        // The padding count is the last octet, which a truncated packet does not contain.
        if flags & 0x20 != 0, let count = bytes.byte(at: length &- 1) {
            hasInvalidPadding = count == 0 || headerLength &+ Int(count) > length
            if !hasInvalidPadding { padding = count }
        }
    }

    static func version(_ flags: UInt8) -> DecodeError {
        DecodeError(.unsupported("version \(flags >> 6) is not 2"), layer: "RTP", offset: 0)
    }

    private static func malformed(_ reason: String, at offset: Int) -> DecodeError {
        DecodeError(.malformed(reason), layer: "RTP", offset: offset)
    }

    private static func cut(_ bytes: RawSpan, _ needed: Int) -> DecodeError {
        DecodeError(.tooShort(needed: needed, available: bytes.byteCount), layer: "RTP", offset: bytes.byteCount)
    }
}

extension RTPHeader {
    /// Returns the contributing sources, given the packet of this header.
    public func csrcs(in bytes: RawSpan) -> [UInt32] {
        var sources: [UInt32] = []
        for index in 0..<Int(csrcCount) {
            guard let source = bytes.uint32(at: Self.fixedLength &+ index &* 4) else { break }
            sources.append(source)
        }
        return sources
    }
}
