import WeirEngine
import WeirPackets

/// The headers of a JPEG payload (RFC 2435 §3.1).
package struct JPEGPayload: Sendable, Hashable {
    /// Octets of the picture's data before this fragment.
    package let offset: Int
    /// What of the main header is the same in all packets of a picture: type-specific octet, type, Q, width and height.
    package let constant: UInt64
    /// Type: 0 and 1 sample chroma in two ways; 64 and above have restart markers.
    package let type: UInt8
    /// Which quantization tables; 128 to 255: they follow in the first packet (§3.1.8).
    package let quantization: UInt8
    /// Width of the picture in pixels.
    package let width: Int
    /// Height of the picture in pixels.
    package let height: Int
    /// The restart interval, where there are restart markers (§3.1.7).
    package private(set) var restartInterval: UInt16 = 0
    /// Where the quantization tables are in the payload; empty without.
    package private(set) var tables = 0..<0
    /// Where the picture's data begins in the payload.
    package private(set) var dataOffset: Int

    /// Reads the headers; nil when they do not fit the payload.
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
    /// The members that reports show under `payload`.
    var fields: [Field] {
        [
            Field("format", .string("JPEG")), Field("fragmentOffset", .integer(offset)),
            Field("type", .integer(Int(type))), Field("quantization", .integer(Int(quantization))),
            Field("width", .integer(width)), Field("height", .integer(height)),
        ]
    }
}
