/// A four-character code that identifies a codec (E-RTMP v2 "Enhanced Video", "Enhanced Audio").
public struct FourCC: Sendable, Hashable, CustomStringConvertible {
    /// The characters, the first in the most significant octet.
    public var code: UInt32

    /// Creates a code from its number.
    public init(_ code: UInt32) { self.code = code }

    /// Creates a code from four characters, or returns nil if the text is not four octets long.
    public init?(_ text: String) {
        guard text.utf8.count == 4 else { return nil }
        code = text.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The four characters, with a dot for each unprintable one.
    public var description: String {
        let octets = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> UInt32($0)) }
        return String(decoding: octets.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
    }
}

/// A video codec.
public enum VideoCodec: Sendable, Hashable {
    /// Sorenson H.263, 2.
    case sorensonH263
    /// Screen video, 3.
    case screenVideo
    /// On2 VP6, 4.
    case vp6
    /// On2 VP6 with an alpha channel, 5.
    case vp6Alpha
    /// Screen video version 2, 6.
    case screenVideo2
    /// H.264: 7, or `avc1`.
    case avc
    /// H.265: `hvc1`, or 12, which many servers and players used before it was standardized.
    case hevc
    /// H.266: `vvc1`.
    case vvc
    /// VP8: `vp08`.
    case vp8
    /// VP9: `vp09`.
    case vp9
    /// AV1: `av01`.
    case av1
    /// A reserved number.
    case reserved(UInt8)
    /// An unspecified FourCC.
    case unknown(FourCC)
    /// Tracks of several codecs in one message.
    case several

    /// Creates a codec from its FLV number (FLV 10.1 §E.4.3.1).
    init(id: UInt8) {
        self =
            switch id {
            case 2: .sorensonH263
            case 3: .screenVideo
            case 4: .vp6
            case 5: .vp6Alpha
            case 6: .screenVideo2
            case 7: .avc
            case 12: .hevc
            default: .reserved(id)
            }
    }

    /// Creates a codec from its FourCC.
    public init(_ fourCC: FourCC) {
        self =
            switch fourCC.code {
            case 0x6176_6331: .avc
            case 0x6876_6331: .hevc
            case 0x7676_6331: .vvc
            case 0x7670_3038: .vp8
            case 0x7670_3039: .vp9
            case 0x6176_3031: .av1
            default: .unknown(fourCC)
            }
    }

    /// The codec name.
    public var name: String {
        switch self {
        case .sorensonH263: "Sorenson H.263"
        case .screenVideo: "Screen video"
        case .vp6: "VP6"
        case .vp6Alpha: "VP6 with alpha"
        case .screenVideo2: "Screen video 2"
        case .avc: "H.264"
        case .hevc: "H.265"
        case .vvc: "H.266"
        case .vp8: "VP8"
        case .vp9: "VP9"
        case .av1: "AV1"
        case .reserved(let id): "codec \(id)"
        case .unknown(let code): code.description
        case .several: "several codecs"
        }
    }

    /// Whether the codec is specified; codec 12 is not distinguished from `hvc1` here.
    public var isKnown: Bool {
        switch self {
        case .reserved, .unknown: false
        default: true
        }
    }

    /// Whether its frames consist of length-prefixed NAL units.
    var hasNALUnits: Bool { self == .avc || self == .hevc }

    /// Whether coded frames have a composition time in enhanced RTMP.
    var hasCompositionTime: Bool { self == .avc || self == .hevc || self == .vvc }

    /// Whether it requires a sequence header before the first frame.
    public var needsConfiguration: Bool { hasCompositionTime || self == .av1 }
}

/// An audio codec.
public enum AudioCodec: Sendable, Hashable {
    /// An FLV sound format other than 2 and 10 (FLV 10.1 §E.4.2.1).
    case format(UInt8)
    /// AAC: 10, or `mp4a`.
    case aac
    /// MP3: 2, or `.mp3`.
    case mp3
    /// Opus: `Opus`.
    case opus
    /// FLAC: `fLaC`.
    case flac
    /// AC-3: `ac-3`.
    case ac3
    /// E-AC-3: `ec-3`.
    case eac3
    /// An unspecified FourCC.
    case unknown(FourCC)
    /// Tracks of several codecs in one message.
    case several

    init(id: UInt8) {
        self =
            switch id {
            case 10: .aac
            case 2: .mp3
            default: .format(id)
            }
    }

    /// Creates a codec from its FourCC.
    public init(_ fourCC: FourCC) {
        self =
            switch fourCC.code {
            case 0x6D70_3461: .aac
            case 0x2E6D_7033: .mp3
            case 0x4F70_7573: .opus
            case 0x664C_6143: .flac
            case 0x6163_2D33: .ac3
            case 0x6563_2D33: .eac3
            default: .unknown(fourCC)
            }
    }

    /// The codec name.
    public var name: String {
        switch self {
        case .aac: "AAC"
        case .mp3: "MP3"
        case .opus: "Opus"
        case .flac: "FLAC"
        case .ac3: "AC-3"
        case .eac3: "E-AC-3"
        case .format(let id): Self.formats[id] ?? "format \(id)"
        case .unknown(let code): code.description
        case .several: "several codecs"
        }
    }

    /// Whether the codec is specified.
    public var isKnown: Bool {
        switch self {
        case .format(let id): Self.formats[id] != nil
        case .unknown: false
        default: true
        }
    }

    /// Whether it requires a sequence header before the first frame; for Opus it is optional.
    public var needsConfiguration: Bool { self == .aac || self == .flac }

    private static let formats: [UInt8: String] = [
        0: "PCM", 1: "ADPCM", 3: "PCM little-endian", 4: "Nellymoser 16 kHz", 5: "Nellymoser 8 kHz",
        6: "Nellymoser", 7: "G.711 A-law", 8: "G.711 mu-law", 11: "Speex", 14: "MP3 8 kHz", 15: "device-specific",
    ]
}
