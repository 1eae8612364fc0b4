import WeirEngine
import WeirPackets

/// The start of an MPEG-4 Visual payload (RFC 6416): a piece of the bitstream, without a payload header.
///
/// Headers and pictures begin at the start of a payload; a payload without a start code there continues a picture.
package struct MPEG4VideoPayload: Sendable, Hashable {
    /// The picture coding type (ISO/IEC 14496-2 §6.3.5, `vop_coding_type`).
    package enum Coding: UInt8, Sendable, Hashable {
        /// Intra coded.
        case intra
        /// Predicted from the previous picture.
        case predicted
        /// Predicted from previous and following pictures.
        case bidirectional
        /// Sprite coded.
        case sprite
    }

    /// Whether headers or a picture begin here.
    package let startsUnit: Bool
    /// Whether the video object layer headers, which decoding requires, are present.
    package private(set) var holdsLayer = false
    /// The coding type of the picture that begins here, or nil if none does.
    package private(set) var coding: Coding?

    /// Octets searched for a picture after headers.
    private static let maximumOctets = 512

    /// Parses the start of the payload, or returns nil if it is empty.
    package init?(_ bytes: RawSpan) {
        guard bytes.byteCount > 0 else { return nil }
        startsUnit = bytes.uint32(at: 0).map { $0 >> 8 == 1 } ?? false
        guard startsUnit else { return }
        var codes = MPEG4StartCodes(limit: Self.maximumOctets)
        while let code = codes.next(bytes) {
            if MPEG4StartCodes.layers ~= code { holdsLayer = true }
            guard code == MPEG4StartCodes.picture else { continue }
            coding = bytes.byte(at: codes.offset).flatMap { Coding(rawValue: $0 >> 6) }
            return
        }
    }

    /// Whether an intra coded picture begins here.
    package var isKeyframe: Bool { coding == .intra }
}

extension MPEG4VideoPayload {
    /// What begins here, in short.
    var wording: Wording {
        switch coding {
        case .intra: "MPEG-4 key frame"
        case .some: "MPEG-4 picture"
        case nil: startsUnit ? "MPEG-4 headers" : "MPEG-4"
        }
    }

    /// The members of `payload` in reports.
    var fields: [Field] {
        [
            Field("format", .string("MP4V-ES")), Field("startOfFrame", .bool(coding != nil)),
            Field("keyframe", .bool(isKeyframe)), Field("configuration", .bool(holdsLayer)),
        ]
    }
}
