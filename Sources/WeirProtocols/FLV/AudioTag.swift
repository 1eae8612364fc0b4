import WeirEngine
import WeirPackets

/// The header of an audio message (FLV 10.1 §E.4.2; E-RTMP v2 "Enhanced Audio").
public struct AudioTag: Sendable, Hashable {
    /// The packet type (FLV 10.1 §E.4.2.1 AACPacketType; E-RTMP v2 AudioPacketType).
    public enum Packet: UInt8, Sendable {
        /// The decoder configuration.
        case sequenceHeader = 0
        /// Coded frames.
        case codedFrames = 1
        /// The end of the sequence: silence.
        case sequenceEnd = 2
        /// The speaker of each channel.
        case multichannelConfig = 4
    }

    /// The channel layout (E-RTMP v2 "Enhanced Audio").
    public struct Channels: Sendable, Hashable {
        /// The channel order: 0 unspecified, 1 native, 2 custom.
        public var order: UInt8
        /// The number of channels.
        public var count: UInt8
        /// The speaker bit mask for order 1.
        public var mask: UInt32?
        /// The speaker of each channel for order 2.
        public var mapping: [UInt8] = []
    }

    /// The first octet.
    public let first: UInt8
    /// The codec.
    public let codecKind: AudioCodec
    /// The packet type number, or nil for codecs without that field.
    public let packetTypeID: UInt8?
    /// The enhanced RTMP header after the first octet, or nil in plain FLV.
    public let enhanced: EnhancedHeader?
    /// The decoder configurations in the order of the tracks; nil for codecs whose sequence header is not parsed.
    public let configurations: [MediaConfiguration?]
    /// The content of a multichannel configuration.
    public let channels: Channels?
    /// The tracks of a multitrack message as separate messages.
    public private(set) var parts: [AudioTag] = []

    /// Whether a FourCC identifies the codec (enhanced RTMP).
    public var isEnhanced: Bool { enhanced != nil }
    /// The packet type, or nil for codecs without that field and for reserved numbers.
    public var packet: Packet? {
        // Plain FLV defines the first two.
        packetTypeID.flatMap { isEnhanced || $0 < 2 ? Packet(rawValue: $0) : nil }
    }
    /// The codec name, such as `AAC`.
    public var codec: String { codecKind.name }
    /// The first decoder configuration of the message.
    public var configuration: MediaConfiguration? { configurations.first ?? nil }
    /// The track number, if the message has exactly one numbered track.
    public var trackID: UInt8? { enhanced?.tracks.count == 1 ? enhanced?.tracks.first?.id : nil }

    /// Whether the message contains a decoder configuration.
    public var isConfiguration: Bool { packet == .sequenceHeader || packet == .multichannelConfig }

    /// Whether the message contains frames.
    public var isFrames: Bool { packetTypeID == nil || packet == .codedFrames }

    /// The sample rate in the first octet, in Hz, which only uncompressed audio and MP3 adhere to (FLV 10.1 §E.4.2.1);
    /// nil in enhanced RTMP.
    public var sampleRate: Int? { isEnhanced ? nil : [5_512, 11_025, 22_050, 44_100][Int(first >> 2 & 3)] }
    /// The sample size in the first octet, in bits.
    public var sampleSize: Int? { isEnhanced ? nil : first & 2 == 0 ? 8 : 16 }
    /// Whether the first octet indicates stereo.
    public var isStereo: Bool? { isEnhanced ? nil : first & 1 == 1 }

    /// Parses the start of a message that is `length` octets long.
    init(_ bytes: RawSpan, length: Int, limits: borrowing Limits = Limits()) throws(DecodeError) {
        var reader = ByteReader(bytes, layer: "audio")
        first = try reader.uint8()
        let format = first >> 4
        guard format == 9 else {
            (enhanced, channels) = (nil, nil)
            codecKind = AudioCodec(id: format)
            packetTypeID = format == 10 ? try reader.uint8() : nil
            configurations =
                packetTypeID == 0 ? [MediaConfiguration(codecKind, bytes, from: reader.offset, length: length)] : []
            return
        }
        let header = try EnhancedHeader(
            &reader, type: first & 0x0F, multitrackType: 5, messageLength: length, isCommand: false,
            most: limits[FLVLimits.self].messageTracks)
        enhanced = header
        packetTypeID = header.packetType
        codecKind = header.fourCC.map { AudioCodec($0) } ?? .several
        let start = header.tracks.first?.offset ?? reader.offset
        switch header.packetType {
        case 0:
            var records =
                header.tracks.isEmpty
                ? [MediaConfiguration(codecKind, bytes, from: start, length: length)] : []
            for track in header.tracks {
                let codec = AudioCodec(track.fourCC)
                records.append(MediaConfiguration(codec, bytes, from: track.offset, length: track.end(in: length)))
            }
            configurations = records
            channels = nil
        case 4:
            configurations = []
            try? reader.seek(to: start)
            channels = try Channels(&reader)
        default: (configurations, channels) = ([], nil)
        }
        guard header.tracks.count > 1 || header.lacksTracks else { return }
        for (index, track) in header.tracks.enumerated() {
            let configuration = configurations.indices.contains(index) ? [configurations[index]] : []
            parts.append(AudioTag(track, of: header, first: first, bytes, configuration))
        }
    }

    /// Creates one of the tracks of a message.
    private init(
        _ track: EnhancedHeader.Track, of header: EnhancedHeader, first: UInt8, _ bytes: RawSpan,
        _ configurations: [MediaConfiguration?]
    ) {
        self.first = first
        codecKind = AudioCodec(track.fourCC)
        packetTypeID = header.packetType
        enhanced = header.alone(track)
        self.configurations = configurations
        var reader = ByteReader(bytes.clamped(0, track.end(in: bytes.byteCount)), layer: "audio")
        guard header.packetType == 4, (try? reader.seek(to: track.offset)) != nil else {
            channels = nil
            return
        }
        channels = try? Channels(&reader)
    }
}

extension AudioTag.Channels {
    @_lifetime(reader: copy reader)
    init(_ reader: inout ByteReader) throws(DecodeError) {
        order = try reader.uint8()
        count = try reader.uint8()
        switch order {
        case 1: mask = try reader.uint32()
        case 2: mapping = try reader.span(Int(count)).array()
        default: break
        }
    }
}

extension AudioTag {
    /// `sequenceHeader`, `codedFrames` and others, or nil for codecs without that field.
    public var packetType: String? {
        guard let packetTypeID else { return nil }
        guard let packet else { return "type \(packetTypeID)" }
        switch packet {
        case .sequenceHeader: return "sequenceHeader"
        case .codedFrames: return "codedFrames"
        case .sequenceEnd: return "sequenceEnd"
        case .multichannelConfig: return "multichannelConfig"
        }
    }

    /// Returns the description of the message.
    func wording(_ length: Int) -> Wording {
        var name: Wording = "audio: \(codec)"
        if let tracks = enhanced?.trackWords { name += tracks }
        switch packet {
        case .sequenceHeader:
            let words = MediaConfiguration.words(configurations, enhanced)
            return name + " sequence header" + (words.isEmpty ? "" : ": " + words)
        case .sequenceEnd: return name + " end of sequence"
        case .multichannelConfig: return name + ", layout of \(Int(channels?.count ?? 0), "channel", "channels")"
        case .codedFrames: return name + ", \(length, "octet", "octets")"
        default:
            return name + (packetTypeID == nil ? ", \(length, "octet", "octets")" : ", packet \(packetType ?? "")")
        }
    }

    /// The properties that determine summary and fields except the length, or nil if it is not a frame in plain FLV.
    var outline: UInt64? {
        guard enhanced == nil, isFrames else { return nil }
        return UInt64(first) | (packetTypeID.map { 0x100 | UInt64($0) << 16 } ?? 0)
    }

    /// The members of `fields` in the report.
    var fields: [Field] {
        var fields: [Field] = []
        fields.add("codec", codec)
        fields.add("packetType", packetType)
        // For AAC and others the first octet is fixed, whatever the audio format (FLV 10.1 §E.4.2.1).
        switch codecKind {
        case .mp3 where !isEnhanced, .format:
            fields.add("sampleRate", sampleRate)
            fields.add("sampleSize", sampleSize)
            fields.add("channels", isStereo.map { $0 ? 2 : 1 })
        default: break
        }
        if let enhanced { fields += enhanced.fields(configurations) }
        if configurations.count == 1 { fields.add("configuration", configuration.map { .object($0.fields) }) }
        if let channels {
            fields.add("channelOrder", ["unspecified", "native", "custom"][safe: Int(channels.order)])
            fields.add("channelCount", Int(channels.count))
            fields.add("channelMask", channels.mask.map { Int($0) })
            if !channels.mapping.isEmpty {
                fields.add("channelMapping", .array(channels.mapping.map { .integer(Int($0)) }))
            }
        }
        return fields
    }
}

extension Array {
    /// The element, or nil if the index is out of bounds.
    subscript(safe index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}
