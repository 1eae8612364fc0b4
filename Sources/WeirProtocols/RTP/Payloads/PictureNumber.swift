import WeirPackets

/// The PictureID of a VP8 or VP9 payload descriptor: 7 bits, or 15 if the first bit is set (RFC 7741 §4.2).
struct PictureNumber {
    /// The picture ID.
    let value: UInt16
    /// Whether it has 15 bits.
    let isLong: Bool
    /// Octets of the field.
    var octets: Int { isLong ? 2 : 1 }

    /// Parses the picture ID, or returns nil if it is truncated.
    @inline(__always)
    init?(_ bytes: RawSpan, at offset: Int) {
        guard let first = bytes.byte(at: offset) else { return nil }
        isLong = first & 0x80 != 0
        guard isLong else {
            value = UInt16(first)
            return
        }
        guard let number = bytes.uint16(at: offset) else { return nil }
        value = number & 0x7FFF
    }
}
