import WeirPackets

/// The PictureID of a payload descriptor of VP8 or VP9: 7 bits, or 15 where the first bit says so (RFC 7741 §4.2).
struct PictureNumber {
    /// The number.
    let value: UInt16
    /// Whether it has 15 bits.
    let isLong: Bool
    /// Octets that it takes.
    var octets: Int { isLong ? 2 : 1 }

    /// Reads the number; nil when it is not all there.
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
