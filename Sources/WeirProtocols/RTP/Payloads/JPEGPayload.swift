import WeirEngine
import WeirPackets

/// The headers of a JPEG payload (RFC 2435 §3.1).
package struct JPEGPayload: Sendable, Hashable {
    /// Octets of picture data before this fragment.
    package let offset: Int
    /// The main header fields constant within a picture: type-specific octet, type, Q, width and height.
    package let constant: UInt64
    /// Type: 0 and 1 differ in chroma subsampling; 64 and above have restart markers.
    package let type: UInt8
    /// The Q value; from 128 to 255 the quantization tables follow in the first packet (§3.1.8).
    package let quantization: UInt8
    /// Width of the picture in pixels.
    package let width: Int
    /// Height of the picture in pixels.
    package let height: Int
    /// The restart interval, if there are restart markers (§3.1.7).
    package private(set) var restartInterval: UInt16 = 0
    /// Range of the quantization tables in the payload; empty without.
    package private(set) var tables = 0..<0
    /// Offset of the picture data in the payload.
    package private(set) var dataOffset: Int

    /// Parses the headers, or returns nil if they do not fit the payload.
    package init?(_ bytes: RawSpan) {
        guard let word = bytes.uint64(at: 0) else { return nil }
        offset = Int(word >> 32 & 0xFF_FFFF)
        constant = word & 0xFF00_0000_FFFF_FFFF
        type = UInt8(truncatingIfNeeded: word >> 24)
        quantization = UInt8(truncatingIfNeeded: word >> 16)
        width = Int(word >> 8 & 0xFF) &* 8
        height = Int(word & 0xFF) &* 8
        dataOffset = 8
        if type & 0x40 != 0, type < 128 {
            guard let interval = bytes.uint16(at: 8), bytes.byteCount >= 12 else { return nil }
            restartInterval = interval
            dataOffset = 12
        }
        if quantization >= 128, offset == 0 {
            guard let length = bytes.uint16(at: dataOffset &+ 2) else { return nil }
            tables = dataOffset &+ 4..<dataOffset &+ 4 &+ Int(length)
            dataOffset = tables.upperBound
        }
        guard dataOffset <= bytes.byteCount else { return nil }
    }
}

extension JPEGPayload {
    /// The members of `payload` in reports.
    var fields: [Field] {
        [
            Field("format", .string("JPEG")), Field("fragmentOffset", .integer(offset)),
            Field("type", .integer(Int(type))), Field("quantization", .integer(Int(quantization))),
            Field("width", .integer(width)), Field("height", .integer(height)),
        ]
    }
}
