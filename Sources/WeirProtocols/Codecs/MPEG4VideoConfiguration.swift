import WeirPackets

/// The parts of the MPEG-4 Visual headers that describe the stream (ISO/IEC 14496-2 §6.2.2, §6.2.3): profile, level and
/// size. They are in `config` (RFC 6416) and may be repeated before pictures.
struct MPEG4VideoConfiguration: Sendable, Hashable {
    /// The maximum number of octets parsed: headers are some ten octets long, and a line of user data may follow.
    private static let maximumOctets = 512

    /// `profile_and_level_indication`; 0, which is reserved, without that header.
    private(set) var profileAndLevel: UInt8 = 0
    private var across: UInt16 = 0
    private var down: UInt16 = 0

    /// The picture width in pixels; 0 if unknown.
    var width: Int { Int(across) }
    /// The picture height in pixels; 0 if unknown.
    var height: Int { Int(down) }

    /// Parses consecutive headers with start codes, up to the first picture; returns nil if they contain no size.
    init?(_ bytes: RawSpan) {
        var codes = MPEG4StartCodes(limit: Self.maximumOctets)
        while let code = codes.next(bytes), code != MPEG4StartCodes.picture {
            if code == MPEG4StartCodes.sequence, let octet = bytes.byte(at: codes.offset) { profileAndLevel = octet }
            if MPEG4StartCodes.layers ~= code { readLayer(bytes.clamped(codes.offset, codes.offset &+ 64)) }
        }
        if across == 0 || down == 0 { return nil }
    }

    /// Parses the value of `config` in a session description.
    init?(hexadecimal text: String) {
        guard let octets = TextSyntax.octets(hexadecimal: TextSyntax.unquote(text)) else { return nil }
        self.init(octets.rawSpan)
    }

    /// The profile name, or nil for rarely used profiles.
    var profileName: String? {
        switch profileAndLevel {
        case 0x01...0x06, 0x08, 0x09: "Simple"
        case 0x21, 0x22: "Core"
        case 0x32...0x34: "Main"
        case 0xF0...0xF5, 0xF7: "Advanced Simple"
        default: nil
        }
    }

    /// The level in the usual notation.
    var levelName: String? {
        switch profileAndLevel {
        case 0x08: "0"
        case 0x09: "0b"
        case 0x04: "4a"
        case 0xF7: "3b"
        default: profileName == nil ? nil : "\(profileAndLevel & 0x0F)"
        }
    }

    /// Parses a video object layer up to the picture size.
    private mutating func readLayer(_ bytes: RawSpan) {
        var bits = BitReader(bytes)
        guard bits.read(9) != nil, let isNamed = bits.flag() else { return }
        if isNamed, bits.read(7) == nil { return }
        guard let ratio = bits.read(4) else { return }
        if ratio == 15, bits.read(16) == nil { return }
        guard let isControlled = bits.flag() else { return }
        if isControlled, !Self.skipControl(&bits) { return }
        // Shapes other than a rectangle have no size here.
        guard bits.read(2) == 0, bits.flag() == true, let resolution = bits.read(16),
            bits.flag() == true, let isFixed = bits.flag()
        else { return }
        // An increment has as many bits as needed for the resolution minus one, and at least one.
        let size = UInt32.bitWidth - max(1, resolution &- (resolution > 0 ? 1 : 0)).leadingZeroBitCount
        if isFixed, bits.read(UInt8(size)) == nil { return }
        guard bits.flag() == true, let width = bits.read(13), bits.flag() == true, let height = bits.read(13),
            bits.flag() == true
        else { return }
        (across, down) = (UInt16(width), UInt16(height))
    }

    @_lifetime(bits: copy bits)
    private static func skipControl(_ bits: inout BitReader) -> Bool {
        guard bits.read(3) != nil, let hasBuffer = bits.flag() else { return false }
        return hasBuffer ? bits.skip(79) : true
    }
}

/// Finds the start codes of MPEG-4 Visual: 00 00 01, followed by an octet with the type (ISO/IEC 14496-2 §6.2.1).
struct MPEG4StartCodes {
    /// A visual object sequence.
    static let sequence: UInt8 = 0xB0
    /// A video object plane (picture).
    static let picture: UInt8 = 0xB6
    /// Video object layers.
    static let layers: ClosedRange<UInt8> = 0x20...0x2F

    /// The offset after the latest start code.
    private(set) var offset = 0
    private let limit: Int

    /// Starts at the first octet, with a limit for the number of octets.
    init(limit: Int) { self.limit = limit }

    /// Returns the last octet of the next start code.
    mutating func next(_ bytes: RawSpan) -> UInt8? {
        while offset < limit, let word = bytes.uint32(at: offset) {
            guard word >> 8 == 1 else {
                offset &+= 1
                continue
            }
            offset &+= 4
            return UInt8(truncatingIfNeeded: word)
        }
        return nil
    }
}
