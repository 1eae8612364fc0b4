import WeirEngine
import WeirPackets

/// What a payload of MPEG-4 Visual begins with (RFC 6416): a piece of the bitstream as it is, without a descriptor.
///
/// Headers and pictures begin at the beginning of a payload; one without a start code there goes on with a picture.
package struct MPEG4VideoPayload: Sendable, Hashable {
    /// How a picture is coded (ISO/IEC 14496-2 §6.3.5, `vop_coding_type`).
    package enum Coding: UInt8, Sendable, Hashable {
        /// By itself.
        case intra
        /// From the one before.
        case predicted
        /// From those before and behind.
        case bidirectional
        /// With a sprite.
        case sprite
    }

    /// Whether headers or a picture begin here.
    package let startsUnit: Bool
    /// Whether the headers of a layer are here, without which nothing can be decoded.
    package private(set) var holdsLayer = false
    /// How the picture that begins here is coded; nil when none does.
    package private(set) var coding: Coding?

    /// Octets in which a picture is looked for behind headers.
    private static let maximumOctets = 512

    /// Reads what begins; nil when there are no octets.
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

    /// Whether a picture that needs no other begins here.
    package var isKeyframe: Bool { coding == .intra }
}

extension MPEG4VideoPayload {
    /// What begins here, in a few words.
    var wording: Wording {
        switch coding {
        case .intra: "MPEG-4 key frame"
        case .some: "MPEG-4 picture"
        case nil: startsUnit ? "MPEG-4 headers" : "MPEG-4"
        }
    }

    /// The members that reports show under `payload`.
    var fields: [Field] {
        [
            Field("format", .string("MP4V-ES")), Field("startOfFrame", .bool(coding != nil)),
            Field("keyframe", .bool(isKeyframe)), Field("configuration", .bool(holdsLayer)),
        ]
    }
}
