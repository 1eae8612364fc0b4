import WeirEngine
import WeirPackets

/// What a sequence header tells a decoder, as far as it is read: profile, level and size of the picture, or the sound's
/// sample rate and channels.
public struct MediaConfiguration: Sendable, Hashable {
    /// Why it cannot be used, or should not be.
    public enum Problem: String, Sendable {
        /// Nothing is there.
        case empty
        /// It ends before all of what it announces is there.
        case tooShort
        /// A version that nobody has defined, or a signature that is another.
        case version
        /// The signature that belongs in front is not there, as FFmpeg has it with FLAC.
        case signature
        /// NAL units with lengths of three octets, which nobody has defined.
        case lengthSize
        /// No sequence or picture parameter set.
        case noParameterSets
        /// A parameter set that cannot be read.
        case parameterSet
        /// The record names another profile or level than its parameter set.
        case profileDiffers
        /// A sample rate or an object type that nobody has defined.
        case reserved
    }

    /// The profile's name, such as `High`, or what AAC calls its object type, such as `LC`.
    public var profile: String?
    /// The level, such as `3.1`; of H.265 and AV1 with the tier where that is the high one.
    public var level: String?
    /// Width of the shown picture in pixels.
    public var width: Int?
    /// Height of the shown picture in pixels.
    public var height: Int?
    /// Bits of a sample of luma, or of sound.
    public var bitDepth: Int?
    /// Octets of the length in front of each NAL unit.
    public var lengthOctets: Int?
    /// How many parameter sets it holds, by their kind.
    public var parameterSets: [Count] = []
    /// Samples of sound in a second, as they are played.
    public var sampleRate: Int?
    /// Samples in a second of the core coder, where that is another.
    public var coreSampleRate: Int?
    /// Channels of sound; with parametric stereo those that are played.
    public var channels: Int?
    /// What is wrong with it.
    public var problem: Problem?

    /// Parameter sets of one kind.
    public struct Count: Sendable, Hashable {
        /// `VPS`, `SPS` or `PPS`.
        public var kind: String
        /// How many.
        public var count: Int
    }

    /// A configuration of which nothing is known yet.
    init() {}

    /// Reads the sequence header that begins at `start` of a message whose header ends at `length`; nil for codecs whose
    /// header is not read. The bytes may be less than that: then what is missing makes no problem.
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

    /// Likewise for audio.
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

    /// In words, such as `High 3.1, 1280×720` or `LC, 44.1 kHz, stereo`.
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

    /// Several in words, each with its track's number.
    static func words(_ configurations: [MediaConfiguration?], _ header: EnhancedHeader?) -> Wording {
        guard configurations.count > 1 else { return (configurations.first ?? nil)?.words ?? "" }
        let each = configurations.enumerated().compactMap { index, configuration -> Wording? in
            guard let words = configuration?.words, !words.isEmpty else { return nil }
            return "track \(header?.tracks[safe: index]?.id ?? 0) \(words)"
        }
        return each.joined(separator: "; ")
    }

    /// Members of the report's `configuration`.
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
