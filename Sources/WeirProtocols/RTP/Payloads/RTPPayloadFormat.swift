public import WeirEngine
import WeirPackets

/// What the payload of an RTP packet is made of, as the session description or the static payload type says.
///
/// Nothing is guessed from the bytes: without either of the two the format is `unknown`.
public enum RTPPayloadFormat: Sendable, Hashable {
    /// Not known.
    case unknown
    /// H.264 (RFC 6184).
    case h264
    /// H.265 (RFC 7798).
    case h265
    /// VP8 (RFC 7741).
    case vp8
    /// MPEG-4 elementary streams, such as AAC, with access unit headers (RFC 3640).
    case mpeg4Generic(AccessUnitHeaderSizes)
    /// Samples: each packet holds some of them, and nothing else.
    case samples
    /// A known format that is not looked into.
    case opaque

    /// The format of an encoding.
    ///
    /// - Parameters:
    ///   - encoding: the encoding's name as in `a=rtpmap`, in any case.
    ///   - parameters: the format's parameters as in `a=fmtp`, without the payload type.
    public init(encoding: String, parameters: String = "") {
        switch encoding.uppercased() {
        case "": self = .unknown
        case "H264": self = .h264
        case "H265": self = .h265
        case "VP8": self = .vp8
        case "MPEG4-GENERIC": self = .mpeg4Generic(AccessUnitHeaderSizes(parameters: parameters))
        case "PCMU", "PCMA", "L8", "L16", "L20", "L24", "G722": self = .samples
        default: self = .opaque
        }
    }
}

/// What one RTP payload holds, read as its format says. It holds numbers only.
public enum RTPPayload: Sendable, Hashable {
    /// Not looked into.
    case opaque
    /// An H.264 payload.
    case h264(H264Payload)
    /// An H.265 payload.
    case h265(H265Payload)
    /// A VP8 payload.
    case vp8(VP8Payload)
    /// MPEG-4 access units, or a fragment of one.
    case accessUnits(AccessUnitHeaders)

    /// Reads a payload; one that its format does not allow is `opaque`.
    @inline(__always)
    public init(_ bytes: RawSpan, format: RTPPayloadFormat) {
        switch format {
        case .h264: self = H264Payload(bytes).map(RTPPayload.h264) ?? .opaque
        case .h265: self = H265Payload(bytes).map(RTPPayload.h265) ?? .opaque
        case .vp8: self = VP8Payload(bytes).map(RTPPayload.vp8) ?? .opaque
        case .mpeg4Generic(let sizes): self = AccessUnitHeaders(bytes, sizes).map(RTPPayload.accessUnits) ?? .opaque
        case .unknown, .samples, .opaque: self = .opaque
        }
    }

    /// What the payload holds, in a few words; nil when it was not looked into.
    public var summary: String? {
        switch self {
        case .opaque: nil
        case .h264(let payload): payload.summary
        case .h265(let payload): payload.summary
        case .vp8(let payload): payload.isKeyframe ? "VP8 key frame" : "VP8"
        case .accessUnits(let headers): headers.summary
        }
    }

    /// All that summary and fields depend on: the kind of payload in the lowest three bits, and what it holds.
    var outline: (form: UInt64, content: UInt64) {
        switch self {
        case .opaque: (0, 0)
        case .h264(let payload):
            (1 | payload.outline << 3, UInt64(payload.types) << 16 | UInt64(payload.unitCount))
        case .h265(let payload): (2 | payload.outline << 3, payload.types)
        case .vp8(let payload): (3 | (payload.startsFrame ? 8 : 0) | (payload.isKeyframe ? 16 : 0), 0)
        case .accessUnits(let headers):
            (
                4 | UInt64(truncatingIfNeeded: headers.count) << 3,
                headers.isFragment ? 1 &+ UInt64(truncatingIfNeeded: headers.announcedOctets) : 0
            )
        }
    }

    /// The members that reports show under `payload`.
    public var fields: [Field] {
        switch self {
        case .opaque: []
        case .h264(let payload): payload.fields
        case .h265(let payload): payload.fields
        case .vp8(let payload):
            [
                Field("format", .string("VP8")), Field("startOfFrame", .bool(payload.startsFrame)),
                Field("keyframe", .bool(payload.isKeyframe)),
            ]
        case .accessUnits(let headers): headers.fields
        }
    }
}
