package import WeirEngine
import WeirPackets

/// The payload format of an RTP packet, from the session description or the static payload type.
///
/// Nothing is guessed from the payload: without either source the format is `unknown`.
package enum RTPPayloadFormat: Sendable, Hashable {
    /// Not known.
    case unknown
    /// H.264 (RFC 6184).
    case h264
    /// H.265 (RFC 7798).
    case h265
    /// H.266 (RFC 9328).
    case h266
    /// VP8 (RFC 7741).
    case vp8
    /// VP9 (RFC 9628).
    case vp9
    /// AV1 (RTP Payload Format For AV1).
    case av1
    /// JPEG (RFC 2435).
    case jpeg
    /// An MPEG transport stream (RFC 2250 §2).
    case transportStream
    /// An MPEG program stream, as sent by GB/T 28181 devices.
    case programStream
    /// MPEG-4 elementary streams, such as AAC, with access unit headers (RFC 3640).
    case mpeg4Generic(AccessUnitHeaderSizes)
    /// MPEG-4 audio in LATM (RFC 6416).
    case audioMux
    /// MPEG-4 Visual (RFC 6416).
    case mpeg4Video
    /// Audio samples without a payload header.
    case samples(SampleSize)
    /// Telephone events (RFC 4733).
    case telephoneEvent
    /// Opus (RFC 7587).
    case opus
    /// A known format that is not parsed.
    case opaque

    /// Creates the format of an encoding.
    ///
    /// - Parameters:
    ///   - encoding: the encoding name as in `a=rtpmap`, case-insensitive.
    ///   - parameters: the format parameters as in `a=fmtp`, without the payload type.
    package init(encoding: String, parameters: String = "") {
        switch encoding.uppercased() {
        case "": self = .unknown
        case "H264": self = .h264
        case "H265": self = .h265
        case "H266": self = .h266
        case "VP8": self = .vp8
        case "VP9": self = .vp9
        case "AV1": self = .av1
        case "JPEG": self = .jpeg
        case "MP2T": self = .transportStream
        case "PS", "MP2P": self = .programStream
        case "TELEPHONE-EVENT": self = .telephoneEvent
        case "MP4A-LATM": self = .audioMux
        case "MP4V-ES": self = .mpeg4Video
        case "OPUS": self = .opus
        case "MPEG4-GENERIC": self = .mpeg4Generic(AccessUnitHeaderSizes(parameters: parameters))
        default: self = SampleSize.bits(of: encoding) == nil ? .opaque : .samples(SampleSize())
        }
    }
}

/// The sizes of samples and packets.
package struct SampleSize: Sendable, Hashable {
    /// Octets per sample frame (all channels); a packet contains a whole number of them (RFC 3551 §4.2).
    package var unit = 1
    /// Octets of a packet of the announced packet time (`a=ptime`, RFC 8866 §6.4); 0 if none was announced.
    package var packet = 0

    /// Creates unknown sizes.
    package init() {}

    /// Creates the sizes of a format, or returns nil for formats that are not plain samples.
    ///
    /// - Parameters:
    ///   - encoding: the encoding name.
    ///   - clockRate: the RTP clock rate in Hz. That of G.722 counts every second 4-bit sample (RFC 3551 §4.5.2): 8
    ///     bits per tick.
    ///   - channels: the number of channels.
    ///   - packetTime: milliseconds of audio per packet, if announced.
    package init?(encoding: String, clockRate: Int?, channels: Int, packetTime: Double?) {
        guard let bits = Self.bits(of: encoding), 1...64 ~= channels else { return nil }
        unit = bits &* channels % 8 == 0 ? bits &* channels / 8 : bits &* channels
        guard let clockRate, 0...1_000_000 ~= clockRate, let packetTime, packetTime > 0, packetTime <= 1_000 else {
            return
        }
        packet = Int((Double(clockRate) * packetTime / 1_000).rounded()) &* bits &* channels / 8
    }

    /// Returns the bits per sample, or nil for encodings that are not plain samples.
    static func bits(of encoding: String) -> Int? {
        switch encoding.uppercased() {
        case "PCMU", "PCMA", "L8", "G722": 8
        case "L16": 16
        case "L20": 20
        case "L24": 24
        default: nil
        }
    }
}

/// A parsed RTP payload. Contains numbers only.
package enum RTPPayload: Sendable, Hashable {
    /// Not parsed.
    case opaque
    /// An H.264 payload.
    case h264(H264Payload)
    /// An H.265 payload.
    case h265(H265Payload)
    /// A VP8 payload.
    case vp8(VP8Payload)
    /// An H.266 payload.
    case h266(H266Payload)
    /// A VP9 payload.
    case vp9(VP9Payload)
    /// An AV1 payload.
    case av1(AV1Payload)
    /// A JPEG payload.
    case jpeg(JPEGPayload)
    /// MPEG-4 access units, or a fragment of one.
    case accessUnits(AccessUnitHeaders)
    /// An MPEG-4 Visual payload.
    case mpeg4Video(MPEG4VideoPayload)

    /// Parses a payload; an invalid one becomes `opaque`.
    @inline(__always)
    package init(_ bytes: RawSpan, format: RTPPayloadFormat) {
        switch format {
        case .h264: self = H264Payload(bytes).map(RTPPayload.h264) ?? .opaque
        case .h265: self = H265Payload(bytes).map(RTPPayload.h265) ?? .opaque
        case .vp8: self = VP8Payload(bytes).map(RTPPayload.vp8) ?? .opaque
        case .h266: self = H266Payload(bytes).map(RTPPayload.h266) ?? .opaque
        case .vp9: self = VP9Payload(bytes).map(RTPPayload.vp9) ?? .opaque
        case .av1: self = AV1Payload(bytes).map(RTPPayload.av1) ?? .opaque
        case .jpeg: self = JPEGPayload(bytes).map(RTPPayload.jpeg) ?? .opaque
        case .mpeg4Generic(let sizes): self = AccessUnitHeaders(bytes, sizes).map(RTPPayload.accessUnits) ?? .opaque
        case .mpeg4Video: self = MPEG4VideoPayload(bytes).map(RTPPayload.mpeg4Video) ?? .opaque
        // The start of a LATM element cannot be detected in a single payload.
        case .unknown, .samples, .transportStream, .programStream, .telephoneEvent, .audioMux, .opus, .opaque:
            self = .opaque
        }
    }

    /// The payload contents, in short, or nil if not parsed.
    package var wording: Wording? {
        switch self {
        case .opaque: nil
        case .h264(let payload): payload.wording
        case .h265(let payload): payload.wording
        case .h266(let payload): payload.wording
        case .vp8(let payload): payload.isKeyframe ? "VP8 key frame" : "VP8"
        case .vp9(let payload): payload.isKeyframe ? "VP9 key frame" : "VP9"
        case .av1(let payload): payload.startsSequence ? "AV1 key frame" : "AV1"
        case .jpeg(let payload): "JPEG \(payload.width)×\(payload.height) at octet \(payload.offset)"
        case .accessUnits(let headers): headers.wording
        case .mpeg4Video(let payload): payload.wording
        }
    }

    /// Everything that summary and fields depend on besides counters: the payload kind in the lowest four bits, and its
    /// contents.
    var outline: (form: UInt64, content: UInt64) {
        switch self {
        case .opaque: (0, 0)
        case .h264(let payload):
            (1 | payload.outline << 4, UInt64(payload.types) << 16 | UInt64(payload.unitCount))
        case .h265(let payload): (2 | payload.outline << 4, payload.types)
        case .vp8(let payload):
            (
                3 | (payload.startsFrame ? 16 : 0) | (payload.isKeyframe ? 32 : 0),
                payload.pictureID == nil ? 0 : 1
            )
        case .accessUnits(let headers):
            (
                4 | UInt64(truncatingIfNeeded: headers.count) << 4,
                headers.isFragment ? 1 &+ UInt64(truncatingIfNeeded: headers.announcedOctets) : 0
            )
        case .vp9(let payload):
            (
                5 | (payload.startsFrame ? 16 : 0) | (payload.endsFrame ? 32 : 0) | (payload.isPredicted ? 64 : 0)
                    | (payload.isKeyframe ? 128 : 0) | UInt64(payload.spatialLayer) << 8,
                payload.pictureID == nil ? 0 : 1
            )
        case .av1(let payload):
            (
                6 | (payload.continuesUnit ? 16 : 0) | (payload.isContinued ? 32 : 0)
                    | (payload.startsSequence ? 64 : 0), UInt64(payload.types)
            )
        case .jpeg(let payload):
            (
                7 | UInt64(truncatingIfNeeded: payload.width) << 4 | UInt64(truncatingIfNeeded: payload.height) << 20
                    | UInt64(payload.type) << 36 | UInt64(payload.quantization) << 44, 0
            )
        case .mpeg4Video(let payload):
            (
                9 | (payload.startsUnit ? 16 : 0) | (payload.holdsLayer ? 32 : 0),
                payload.coding.map { 1 &+ UInt64($0.rawValue) } ?? 0
            )
        case .h266(let payload):
            (
                8 | UInt64(payload.packetType) << 4 | (payload.startsUnit ? 1 << 12 : 0)
                    | (payload.endsUnit ? 1 << 13 : 0), UInt64(payload.types)
            )
        }
    }

    /// The members of `payload` in reports.
    package var fields: [Field] {
        switch self {
        case .opaque: []
        case .h264(let payload): payload.fields
        case .h265(let payload): payload.fields
        case .h266(let payload): payload.fields
        case .vp8(let payload): payload.fields
        case .vp9(let payload): payload.fields
        case .av1(let payload): payload.fields
        case .jpeg(let payload): payload.fields
        case .accessUnits(let headers): headers.fields
        case .mpeg4Video(let payload): payload.fields
        }
    }
}
