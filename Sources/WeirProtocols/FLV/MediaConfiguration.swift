import WeirEngine
import WeirPackets

/// The decoder configuration in a sequence header, as far as parsed: profile, level and picture size, or sample rate
/// and channels.
public struct MediaConfiguration: Sendable, Hashable {
    /// Why it is unusable or questionable.
    public enum Problem: String, Sendable {
        /// The record is empty.
        case empty
        /// The record ends before all of its announced content.
        case tooShort
        /// An undefined version, or a wrong signature.
        case version
        /// The signature is missing, as for FLAC from FFmpeg.
        case signature
        /// NAL unit lengths of three octets, which are undefined.
        case lengthSize
        /// No sequence or picture parameter set.
        case noParameterSets
        /// A parameter set that cannot be parsed.
        case parameterSet
        /// The profile or level of the record differs from that of its parameter set.
        case profileDiffers
        /// An undefined sample rate or object type.
        case reserved
    }

    /// The profile name, such as `High`, or the AAC object type, such as `LC`.
    public var profile: String?
    /// The level, such as `3.1`, for H.265 and AV1 followed by a high tier.
    public var level: String?
    /// The display width in pixels.
    public var width: Int?
    /// The display height in pixels.
    public var height: Int?
    /// The bit depth of luma or audio samples.
    public var bitDepth: Int?
    /// The size of the NAL unit length field, in octets.
    public var lengthOctets: Int?
    /// The number of parameter sets by kind.
    public var parameterSets: [Count] = []
    /// The output sample rate of audio, in Hz.
    public var sampleRate: Int?
    /// The sample rate of the core coder in Hz, if different.
    public var coreSampleRate: Int?
    /// The number of output audio channels, including parametric stereo.
    public var channels: Int?
    /// The problem, if any.
    public var problem: Problem?

    /// The number of parameter sets of one kind.
    public struct Count: Sendable, Hashable {
        /// `VPS`, `SPS` or `PPS`.
        public var kind: String
        /// The number.
        public var count: Int
    }

    /// Creates an empty configuration.
    init() {}

    /// Parses the sequence header from `start` to `length` in a message, or returns nil for codecs whose header is not
    /// parsed. Truncated bytes are not reported as a problem.
    init?(_ codec: VideoCodec, _ bytes: RawSpan, from start: Int, length: Int) {
        let record = bytes.clamped(start, length)
        switch codec {
        case .avc: self = Self.avc(record)
        case .hevc: self = Self.hevc(record)
        case .vvc: self = Self.vvc(record)
        case .av1: self = Self.av1(record)
        case .vp8, .vp9: self = Self.vp(record)
        default: return nil
        }
        settle(record, isWhole: bytes.byteCount >= length)
    }

    /// Parses an audio sequence header likewise.
    init?(_ codec: AudioCodec, _ bytes: RawSpan, from start: Int, length: Int) {
        let record = bytes.clamped(start, length)
        switch codec {
        case .aac: self = Self.aac(record)
        case .opus where record.byteCount == 0: return nil
        case .opus: self = Self.opus(record)
        case .flac: self = Self.flac(record)
        default: return nil
        }
        settle(record, isWhole: bytes.byteCount >= length)
    }

    private mutating func settle(_ record: RawSpan, isWhole: Bool) {
        if record.byteCount == 0 { problem = .empty }
        if !isWhole { problem = nil }
    }

    /// The description, such as `High 3.1, 1280×720` or `LC, 44.1 kHz, stereo`.
    public var words: Wording {
        var words: [Wording] = []
        let name = [profile, level].compactMap { $0 }.joined(separator: " ")
        if !name.isEmpty { words.append(Wording(verbatim: name)) }
        if let width, let height { words.append("\(width)×\(height)") }
        if let bitDepth, bitDepth > 8, width != nil { words.append("\(bitDepth) bit") }
        if let sampleRate {
            words.append("\(StreamMetadata.plain(Double(sampleRate) / 1_000)) kHz")
        }
        if let channels { words.append(channels == 1 ? "mono" : channels == 2 ? "stereo" : "\(channels) channels") }
        return words.joined(separator: ", ")
    }

    /// Returns the description of several configurations with their track numbers.
    static func words(_ configurations: [MediaConfiguration?], _ header: EnhancedHeader?) -> Wording {
        guard configurations.count > 1 else { return (configurations.first ?? nil)?.words ?? "" }
        let each = configurations.enumerated().compactMap { index, configuration -> Wording? in
            guard let words = configuration?.words, !words.isEmpty else { return nil }
            return "track \(header?.tracks[safe: index]?.id ?? 0) \(words)"
        }
        return each.joined(separator: "; ")
    }

    /// The members of `configuration` in the report.
    var fields: [Field] {
        var fields: [Field] = []
        fields.add("profile", profile)
        fields.add("level", level)
        fields.add("width", width)
        fields.add("height", height)
        fields.add("bitDepth", bitDepth)
        fields.add("lengthOctets", lengthOctets)
        if !parameterSets.isEmpty {
            fields.add("parameterSets", .object(parameterSets.map { Field($0.kind, .integer($0.count)) }))
        }
        fields.add("sampleRate", sampleRate)
        fields.add("coreSampleRate", coreSampleRate)
        fields.add("channels", channels)
        fields.add("problem", problem?.rawValue)
        return fields
    }
}
