import WeirEngine
import WeirPackets

/// The format of a payload type in a stream: from the session description (`a=rtpmap`, `a=fmtp`) or from RFC 3551 §6.
package final class MediaFormat: Sendable, Hashable {
    /// `audio`, `video` or `data`, or nil if one stream carries several.
    package let mediaType: String?
    /// The encoding name.
    package let encoding: String
    /// The RTP clock rate in Hz.
    package let clockRate: Int?
    /// The parameters of `a=fmtp`, without the payload type.
    package let parameters: String
    /// Whether the payload is encrypted (SRTP) and cannot be parsed.
    package let isEncrypted: Bool
    /// The payload format, as far as it is supported.
    package let payload: RTPPayloadFormat
    /// The parameter sets in `sprop-parameter-sets` (RFC 6184 §8.1), or in `sprop-vps`, `sprop-sps` and `sprop-pps`
    /// (RFC 7798 §7.1).
    package let parameterSets: [[UInt8]]
    /// The number of channels; 1 for everything but audio.
    package let channels: Int
    /// Whether the format was not announced, so that absent parameters have no default.
    package let isAssumed: Bool
    /// The `packetization-mode` of H.264 (RFC 6184 §8.1), if it has one.
    let packetizationMode: Int?
    /// Properties derived from name and parameters; cached since they are queried often.
    private let traits: Traits

    /// Creates a format; the payload of encrypted media (SRTP, RFC 3711 §3.1) is not parsed.
    ///
    /// - Parameter packetTime: milliseconds of audio per packet (`a=ptime`).
    package init(
        mediaType: String?, encoding: String, clockRate: Int?, parameters: String = "", channels: Int = 1,
        packetTime: Double? = nil, isEncrypted: Bool = false, isAssumed: Bool = false
    ) {
        self.mediaType = mediaType
        self.encoding = encoding
        self.clockRate = clockRate.flatMap { $0 > 0 ? $0 : nil }
        self.parameters = parameters
        self.channels = channels
        self.isEncrypted = isEncrypted
        self.isAssumed = isAssumed
        let size = SampleSize(
            encoding: encoding, clockRate: clockRate, channels: channels, packetTime: packetTime)
        payload =
            isEncrypted
            ? .opaque
            : size.map { .samples($0) } ?? RTPPayloadFormat(encoding: encoding, parameters: parameters)
        switch payload {
        case .h264: parameterSets = Self.parameterSets(["sprop-parameter-sets"], in: parameters)
        case .h265: parameterSets = Self.parameterSets(["sprop-vps", "sprop-sps", "sprop-pps"], in: parameters)
        default: parameterSets = []
        }
        let mode = payload == .h264 ? Self.parameter("packetization-mode", in: parameters) : nil
        packetizationMode = mode.flatMap { Int($0) }
        traits = Traits(encoding: encoding, isInterleaved: mode == "2")
    }

    /// Compares what the other properties are derived from.
    package static func == (one: MediaFormat, other: MediaFormat) -> Bool {
        one === other
            || one.mediaType == other.mediaType && one.encoding == other.encoding && one.clockRate == other.clockRate
                && one.parameters == other.parameters && one.channels == other.channels
                && one.isEncrypted == other.isEncrypted && one.payload == other.payload
                && one.isAssumed == other.isAssumed
    }

    /// Hashes what most formats differ in.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(encoding)
        hasher.combine(clockRate)
        hasher.combine(parameters)
    }

    /// Creates the format of a static payload type, or returns nil for dynamic ones.
    package convenience init?(staticPayloadType type: UInt8) {
        guard let known = StaticPayloadTypes.all[type] else { return nil }
        let media: String? = known.media == .audioVideo ? nil : known.media.rawValue
        self.init(
            mediaType: media, encoding: known.encoding, clockRate: known.clockRate, channels: known.channels,
            isAssumed: true)
    }

    /// Creates a format specified by the user: `H264/90000` or `L16/44100/2`, with `a=fmtp` parameters after a space.
    /// The media type is optional for known encodings.
    convenience init(_ meaning: AnalyzerOptions.DecodeAs.Meaning) {
        let (name, parameters) = TextSyntax.pair(meaning.text, at: ASCII.space)
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let encoding = parts.first.map(String.init) ?? ""
        self.init(
            mediaType: meaning.kind ?? Self.usualType(of: encoding), encoding: encoding,
            clockRate: parts.count > 1 ? Int(parts[1]) : nil, parameters: parameters ?? "",
            channels: parts.count > 2 ? max(1, Int(parts[2]) ?? 1) : 1, packetTime: meaning.packetTime,
            // Without parameters, they are unknown rather than absent.
            isAssumed: parameters == nil)
    }

    /// Returns the usual media type of an encoding.
    private static func usualType(of encoding: String) -> String? {
        switch encoding.uppercased() {
        case "H261", "H263", "H263-1998", "H264", "H265", "H266", "VP8", "VP9", "AV1", "JPEG", "MPV", "MP4V-ES": "video"
        case "PCMU", "PCMA", "G722", "G729", "OPUS", "MPEG4-GENERIC", "MP4A-LATM", "MPA", "L16", "L24", "AC3", "EAC3":
            "audio"
        default: nil
        }
    }

    /// Whether such packets supplement another payload type: comfort noise (RFC 3389), telephone events (RFC 4733),
    /// redundancy and FEC.
    package var isSupplement: Bool { traits.contains(.supplement) }

    /// Whether a timestamp identifies a frame; that of MPEG streams is a transmission time (RFC 2250 §2).
    var marksFrames: Bool { !traits.contains(.timesPackets) }

    /// Whether such packets repair another stream and have their own sequence numbers: retransmissions (RFC 4588 §4)
    /// and FEC. A repair stream has neither frames nor a regular rate.
    package var isRepair: Bool { traits.contains(.repair) }

    /// How such packets repeat or protect others, as far as supported.
    var correction: Retransmission {
        guard !isEncrypted else { return .none }
        return traits.contains(.redundant) ? .redundant : traits.contains(.parity) ? .parity : .none
    }

    /// Whether it is FEC with the protected sources in its header (RFC 8627).
    var isFlexible: Bool { ASCII.equalIgnoringCase(encoding, "flexfec") }

    /// Whether it is FEC of RFC 2733 or SMPTE 2022-1, with a flow of its own.
    var isMatrix: Bool { ASCII.equalIgnoringCase(encoding, "parityfec") }

    /// The payload type of the retransmitted packets, `apt` (RFC 4588 §8.1).
    var associatedType: UInt8? {
        guard ASCII.equalIgnoringCase(encoding, "rtx") else { return nil }
        return TextSyntax.split(parameters, at: ASCII.semicolon).lazy.compactMap { part -> UInt8? in
            let (name, value) = TextSyntax.pair(part)
            guard ASCII.equalIgnoringCase(TextSyntax.trim(name), "apt") else { return nil }
            return value.flatMap { TextSyntax.decimal(TextSyntax.trim($0), as: UInt8.self) }
        }.first
    }

    /// Whether packets are sent regularly as long as the media lasts: audio and video, but not data.
    var hasRhythm: Bool { !isRepair && (mediaType == nil || mediaType == "audio" || mediaType == "video") }

    /// Whether each timestamp is that of a picture, ended by the marker (RFC 6184 §5.1, RFC 7798 §4.1, RFC 7741 §4.1,
    /// RFC 9628, RFC 2435 §3, RFC 6416).
    ///
    /// With interleaved NAL units timestamps recur, and the marker refers to one of several pictures (RFC 6184 §5.4).
    var hasPictures: Bool { traits.contains(.pictures) && !isInterleaved }

    /// Whether the marker indicates the start of a talkspurt (RFC 3551 §4.1, RFC 7587 §4.1).
    var marksTalkspurts: Bool { traits.contains(.talkspurts) && mediaType == "audio" }

    /// Whether it is H.264 with NAL units out of decoding order (RFC 6184 §5.4, §8.1).
    var isInterleaved: Bool { traits.contains(.interleaved) }

    /// Returns the value of an `a=fmtp` parameter, by case-insensitive name.
    func parameter(_ name: String) -> String? { Self.parameter(name, in: parameters) }

    private static func parameter(_ name: String, in parameters: String) -> String? {
        for part in TextSyntax.split(parameters, at: ASCII.semicolon) {
            let (key, value) = TextSyntax.pair(part)
            if let value, ASCII.equalIgnoringCase(TextSyntax.trim(key), name) { return TextSyntax.trim(value) }
        }
        return nil
    }

    private static func parameterSets(_ names: [String], in parameters: String) -> [[UInt8]] {
        var sets: [[UInt8]] = []
        for part in TextSyntax.split(parameters, at: ASCII.semicolon) {
            let (name, value) = TextSyntax.pair(part)
            guard let value, !value.isEmpty,
                names.contains(where: { ASCII.equalIgnoringCase(TextSyntax.trim(name), $0) })
            else { continue }
            sets += TextSyntax.split(value, at: ASCII.comma).filter { !$0.isEmpty }.prefix(16).map {
                Base64.decode($0.utf8.prefix(1_024))
            }
        }
        return sets
    }
}

extension MediaFormat {
    /// Properties of formats.
    private struct Traits: OptionSet, Hashable {
        let rawValue: UInt8
        static let supplement = Traits(rawValue: 1)
        static let timesPackets = Traits(rawValue: 2)
        static let repair = Traits(rawValue: 4)
        static let pictures = Traits(rawValue: 8)
        static let interleaved = Traits(rawValue: 16)
        static let talkspurts = Traits(rawValue: 32)
        static let redundant = Traits(rawValue: 64)
        static let parity = Traits(rawValue: 128)

        init(rawValue: UInt8) { self.rawValue = rawValue }

        init(encoding: String, isInterleaved: Bool) {
            self = isInterleaved ? .interleaved : []
            let name = TextSyntax.uppercased(encoding)
            switch name {
            case "CN", "TELEPHONE-EVENT", "TONE", "RED": insert(.supplement)
            case "ULPFEC", "RTX": formUnion([.supplement, .repair])
            case "PARITYFEC", "FLEXFEC": insert(.repair)
            case "MP2T", "MP1S", "MP2P": insert(.timesPackets)
            case "H264", "H265", "H266", "VP8", "VP9", "AV1", "JPEG", "MP4V-ES", "H263-1998", "H263-2000":
                insert(.pictures)
            case "PCMU", "PCMA", "G722", "L8", "L16", "L20", "L24", "GSM", "G723", "G728", "G729", "OPUS":
                insert(.talkspurts)
            default: break
            }
            if name == "RED" { insert(.redundant) }
            if ["ULPFEC", "FLEXFEC", "PARITYFEC"].contains(name) { insert(.parity) }
        }
    }
}
