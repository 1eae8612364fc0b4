import WeirEngine
import WeirPackets

/// What the first octets of an audio message say (FLV 10.1 §E.4.2; E-RTMP v2 "Enhanced Audio").
public struct AudioTag: Sendable, Hashable {
    /// What the message holds (FLV 10.1 §E.4.2.1 AACPacketType; E-RTMP v2 AudioPacketType).
    public enum Packet: UInt8, Sendable {
        /// What the decoder needs before the first frame.
        case sequenceHeader = 0
        /// Frames.
        case codedFrames = 1
        /// The sequence is over: silence.
        case sequenceEnd = 2
        /// Which speaker each channel is for.
        case multichannelConfig = 4
    }

    /// Which speaker each channel is for (E-RTMP v2 "Enhanced Audio").
    public struct Channels: Sendable, Hashable {
        /// 0 nothing is said, 1 the order of the specification, 2 a list.
        public var order: UInt8
        /// How many there are.
        public var count: UInt8
        /// Order 1: a bit for each speaker that is there.
        public var mask: UInt32?
        /// Order 2: the speaker of each channel.
        public var mapping: [UInt8] = []
    }

    /// The first octet.
    public let first: UInt8
    /// The codec.
    public let codecKind: AudioCodec
    /// Number of the packet's type; nil for codecs that have no such field.
    public let packetTypeID: UInt8?
    /// What follows the first octet in enhanced RTMP; nil in plain FLV.
    public let enhanced: EnhancedHeader?
    /// What a sequence header says, or several, in the order of the tracks; nil for codecs whose header is not read.
    public let configurations: [MediaConfiguration?]
    /// What a multichannel configuration says.
    public let channels: Channels?
    /// Of a message with several tracks: each of them, as if it had come alone.
    public private(set) var parts: [AudioTag] = []

    /// Whether the codec was named by four characters (enhanced RTMP).
    public var isEnhanced: Bool { enhanced != nil }
    /// What the message holds; nil for codecs that have no such field, and for reserved numbers.
    public var packet: Packet? {
        // Plain FLV has the first two.
        packetTypeID.flatMap { isEnhanced || $0 < 2 ? Packet(rawValue: $0) : nil }
    }
    /// The codec's name, such as `AAC`.
    public var codec: String { codecKind.name }
    /// What the first sequence header of the message says.
    public var configuration: MediaConfiguration? { configurations.first ?? nil }
    /// Number of the track, if the message has exactly one with a number.
    public var trackID: UInt8? { enhanced?.tracks.count == 1 ? enhanced?.tracks.first?.id : nil }

    /// Whether the message holds what a decoder needs before the first frame.
    public var isConfiguration: Bool { packet == .sequenceHeader || packet == .multichannelConfig }

    /// Whether the message holds frames.
    public var isFrames: Bool { packetTypeID == nil || packet == .codedFrames }

    /// Samples in a second as the first octet says, which only uncompressed sound and MP3 are bound to (FLV 10.1
    /// §E.4.2.1); nil in enhanced RTMP.
    public var sampleRate: Int? { isEnhanced ? nil : [5_512, 11_025, 22_050, 44_100][Int(first >> 2 & 3)] }
    /// Bits of a sample as the first octet says.
    public var sampleSize: Int? { isEnhanced ? nil : first & 2 == 0 ? 8 : 16 }
    /// Whether the first octet says stereo.
    public var isStereo: Bool? { isEnhanced ? nil : first & 1 == 1 }

    /// Reads the beginning of a message that is `length` octets long.
    init(_ bytes: RawSpan, length: Int, limits: Limits = Limits()) throws(DecodeError) {
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

    /// One of the tracks of a message.
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
    /// `sequenceHeader`, `codedFrames` and others; nil for codecs that have no such field.
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

    /// The message in words.
    func wording(_ length: Int) -> Wording {
        var name: Wording = "audio: \(codec)"
        if let tracks = enhanced?.trackWords { name += tracks }
        switch packet {
        case .sequenceHeader:
            let words = MediaConfiguration.words(configurations, enhanced)
            return name + " sequence header" + (words.isEmpty ? "" : ": " + words)
        case .sequenceEnd: return name + " end of sequence"
        case .multichannelConfig: return name + ", speakers of \(Int(channels?.count ?? 0), "channel", "channels")"
        case .codedFrames: return name + ", \(length, "octet", "octets")"
        default:
            return name + (packetTypeID == nil ? ", \(length, "octet", "octets")" : ", packet \(packetType ?? "")")
        }
    }

    /// All that summary and fields depend on beside the length; nil when it is not a frame of plain FLV.
    var outline: UInt64? {
        guard enhanced == nil, isFrames else { return nil }
        return UInt64(first) | (packetTypeID.map { 0x100 | UInt64($0) << 16 } ?? 0)
    }

    /// Members of the report's `fields`.
    var fields: [Field] {
        var fields: [Field] = []
        fields.add("codec", codec)
        fields.add("packetType", packetType)
        // Of AAC and others the first octet says the same whatever the sound is (FLV 10.1 §E.4.2.1).
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
    /// The element, or nil outside of the array.
    subscript(safe index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}
