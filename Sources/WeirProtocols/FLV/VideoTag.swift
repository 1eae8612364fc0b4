import WeirEngine
import WeirPackets

/// What the first octets of a video message say (FLV 10.1 §E.4.3; E-RTMP v2 "Enhanced Video").
public struct VideoTag: Sendable, Hashable {
    /// What kind of frame it is (FLV 10.1 §E.4.3.1).
    public enum Frame: UInt8, Sendable {
        /// Key frame; of H.264 one that can be sought.
        case key = 1
        /// A frame that needs others.
        case inter = 2
        /// A frame that needs others and that none needs; of H.263 only.
        case disposableInter = 3
        /// A key frame that a server made.
        case generatedKey = 4
        /// No picture: information, or a command to the player.
        case command = 5
    }

    /// What the message holds (FLV 10.1 §E.4.3.1 AVCPacketType; E-RTMP v2 VideoPacketType).
    public enum Packet: UInt8, Sendable {
        /// What the decoder needs before the first frame.
        case sequenceHeader = 0
        /// Frames, where the codec has it with a composition time.
        case codedFrames = 1
        /// The sequence is over.
        case sequenceEnd = 2
        /// Frames whose composition time is 0.
        case codedFramesX = 3
        /// Names and values about the video that follows, such as its colours.
        case metadata = 4
        /// A descriptor of MPEG-2 transport streams that the decoder needs.
        case mpeg2TSSequenceStart = 5
    }

    /// The first octet.
    public let first: UInt8
    /// The codec.
    public let codecKind: VideoCodec
    /// Number of the packet's type; nil for codecs that have no such field, and in commands.
    public let packetTypeID: UInt8?
    /// Milliseconds from the decoding time to the presentation time.
    public let compositionTime: Int?
    /// What follows the first octet in enhanced RTMP; nil in plain FLV.
    public let enhanced: EnhancedHeader?
    /// A command to the player: 0 a seek begins, 1 it ends.
    public let command: UInt8?
    /// What a sequence header says, or several, in the order of the tracks; nil for codecs whose header is not read.
    public let configurations: [MediaConfiguration?]
    /// Names and values of a metadata message, one after the other.
    public let metadata: [AMFValue]
    /// What is not as AMF has it in them.
    package let metadataFlaws: [AMFFlaw]
    /// The NAL units of coded frames of H.264 and H.265; nil where they were not followed.
    public internal(set) var units: NALUnits?
    /// Of a message with several tracks: each of them, as if it had come alone.
    public private(set) var parts: [VideoTag] = []

    /// Whether the codec was named by four characters (enhanced RTMP).
    public var isEnhanced: Bool { enhanced != nil }
    /// The kind of frame; nil for numbers that the specification reserves.
    public var frame: Frame? { Frame(rawValue: first >> 4 & 0x07) }
    /// What the message holds; nil for codecs that have no such field, and for reserved numbers.
    public var packet: Packet? {
        // Plain FLV has the first three.
        packetTypeID.flatMap { isEnhanced || $0 < 3 ? Packet(rawValue: $0) : nil }
    }
    /// The codec's name, such as `H.264`.
    public var codec: String { codecKind.name }
    /// What the first sequence header of the message says.
    public var configuration: MediaConfiguration? { configurations.first ?? nil }
    /// Number of the track, if the message has exactly one with a number.
    public var trackID: UInt8? { enhanced?.tracks.count == 1 ? enhanced?.tracks.first?.id : nil }
    /// Where the NAL units begin in the message; nil when it has none or several tracks of them.
    let unitsOffset: Int?

    /// Whether the message holds what a decoder needs before the first frame, or facts about the frames that follow.
    public var isConfiguration: Bool {
        packet == .sequenceHeader || packet == .mpeg2TSSequenceStart || packet == .metadata
    }

    /// Whether the message holds frames.
    public var isFrames: Bool {
        command == nil && (packetTypeID == nil || packet == .codedFrames || packet == .codedFramesX)
    }

    /// Reads the beginning of a message that is `length` octets long.
    init(_ bytes: RawSpan, length: Int, limits: Limits) throws(DecodeError) {
        var reader = ByteReader(bytes, layer: "video")
        first = try reader.uint8()
        let frame = first >> 4 & 0x07
        let isCommand = frame == Frame.command.rawValue
        guard first & 0x80 != 0 else {
            (enhanced, metadata, metadataFlaws) = (nil, [], [])
            let codec = VideoCodec(id: first & 0x0F)
            codecKind = codec
            command = isCommand ? reader.peek() : nil
            guard codec.hasNALUnits, !isCommand else {
                (packetTypeID, compositionTime, configurations, unitsOffset) = (nil, nil, [], nil)
                return
            }
            let type = try reader.uint8()
            packetTypeID = type
            // The field is there for all types, though some leave it out where it has no meaning.
            if type != 1 { try? reader.skip(3) }
            compositionTime = type == 1 ? Self.signed(try reader.uint24()) : nil
            unitsOffset = type == 1 ? reader.offset : nil
            configurations =
                type == 0 ? [MediaConfiguration(codec, bytes, from: reader.offset, length: length)] : []
            return
        }
        let header = try EnhancedHeader(
            &reader, type: first & 0x0F, multitrackType: 6, messageLength: length, isCommand: isCommand,
            most: limits[FLVLimits.self].messageTracks)
        enhanced = header
        packetTypeID = header.packetType
        let codec = header.fourCC.map { VideoCodec($0) } ?? (header.multitrack == .manyCodecs ? .several : nil)
        codecKind = codec ?? .reserved(0)
        guard codec != nil else {
            command = isCommand ? reader.peek() : nil
            (compositionTime, configurations, unitsOffset, metadata, metadataFlaws) = (nil, [], nil, [], [])
            return
        }
        command = nil
        let isSingle = header.tracks.count < 2 && !header.lacksTracks
        let track = header.tracks.first
        let start = track?.offset ?? reader.offset
        let kind = track.map { VideoCodec($0.fourCC) } ?? codecKind
        try? reader.seek(to: start)
        var values: AMFReader?
        switch header.packetType {
        case 1 where kind.hasCompositionTime && isSingle:
            compositionTime = Self.signed(try reader.uint24())
            unitsOffset = kind.hasNALUnits ? reader.offset : nil
            configurations = []
        case 3 where isSingle:
            compositionTime = 0
            unitsOffset = kind.hasNALUnits ? start : nil
            configurations = []
        case 0:
            (compositionTime, unitsOffset) = (nil, nil)
            var records =
                header.tracks.isEmpty
                ? [MediaConfiguration(kind, bytes, from: start, length: length)] : []
            for track in header.tracks {
                let codec = VideoCodec(track.fourCC)
                records.append(MediaConfiguration(codec, bytes, from: track.offset, length: track.end(in: length)))
            }
            configurations = records
        default:
            (compositionTime, unitsOffset, configurations) = (nil, nil, [])
            if header.packetType == 4 {
                let end = track?.end(in: length) ?? length
                values = AMFReader(bytes.clamped(0, end), from: start, limits: limits)
            }
        }
        (metadata, metadataFlaws) = (values?.values ?? [], values?.flaws ?? [])
        guard !isSingle else { return }
        for (index, track) in header.tracks.enumerated() {
            let configuration = configurations.indices.contains(index) ? [configurations[index]] : []
            parts.append(VideoTag(track, of: header, first: first, bytes, length: length, configuration))
        }
    }

    /// One of the tracks of a message.
    private init(
        _ track: EnhancedHeader.Track, of header: EnhancedHeader, first: UInt8, _ bytes: RawSpan, length: Int,
        _ configurations: [MediaConfiguration?]
    ) {
        self.first = first
        codecKind = VideoCodec(track.fourCC)
        packetTypeID = header.packetType
        enhanced = header.alone(track)
        command = nil
        self.configurations = configurations
        // Metadata is shown with the whole message.
        (metadata, metadataFlaws) = ([], [])
        var start: Int? = track.offset
        var offset: Int?
        if header.packetType == 1, codecKind.hasCompositionTime {
            let high = bytes.byte(at: track.offset)
            let low = bytes.uint16(at: track.offset &+ 1)
            offset = high.flatMap { high in low.map { Self.signed(UInt32(high) << 16 | UInt32($0)) } }
            start = track.offset &+ 3
        } else if header.packetType == 3 {
            offset = 0
        } else {
            start = nil
        }
        compositionTime = offset
        unitsOffset = codecKind.hasNALUnits && track.end(in: length) <= bytes.byteCount ? start : nil
    }

    /// Follows the NAL units of all tracks through the message, all of whose octets are there.
    ///
    /// - Parameter lengthOctets: octets of a length in the track of this number.
    mutating func follow(_ bytes: RawSpan, lengthOctets: (UInt8) -> Int) {
        if parts.isEmpty { units = units ?? follow(bytes, until: bytes.byteCount, lengthOctets) }
        for index in parts.indices {
            let end = parts[index].enhanced?.tracks.first?.end(in: bytes.byteCount) ?? bytes.byteCount
            parts[index].units = parts[index].follow(bytes, until: end, lengthOctets)
        }
    }

    private func follow(_ bytes: RawSpan, until end: Int, _ lengthOctets: (UInt8) -> Int) -> NALUnits? {
        guard let unitsOffset, unitsOffset <= end else { return nil }
        var walk = NALUnitWalk(at: unitsOffset, lengthOctets: lengthOctets(trackID ?? 0), isHEVC: codecKind == .hevc)
        walk.pass(bytes.clamped(0, end), from: 0, length: end)
        return walk.finished(length: end)
    }

    private static func signed(_ value: UInt32) -> Int {
        value & 0x80_0000 == 0 ? Int(value) : Int(value) &- 0x100_0000
    }
}

extension VideoTag {
    /// `key`, `inter`, `disposableInter`, `generatedKey`, `command`, or `type n`.
    public var frameType: String {
        switch frame {
        case .key: "key"
        case .inter: "inter"
        case .disposableInter: "disposableInter"
        case .generatedKey: "generatedKey"
        case .command: "command"
        case nil: "type \(first >> 4 & 0x07)"
        }
    }

    /// `sequenceHeader`, `codedFrames`, `sequenceEnd` and others; nil for codecs that have no such field.
    public var packetType: String? {
        guard let packetTypeID else { return nil }
        guard let packet else { return "type \(packetTypeID)" }
        switch packet {
        case .sequenceHeader: return "sequenceHeader"
        case .codedFrames: return "codedFrames"
        case .sequenceEnd: return "sequenceEnd"
        case .codedFramesX: return "codedFramesX"
        case .metadata: return "metadata"
        case .mpeg2TSSequenceStart: return "mpeg2TSSequenceStart"
        }
    }

    /// The message in words.
    func wording(_ length: Int) -> Wording {
        if let command {
            switch command {
            case 0: return "video: command to the player, a seek begins"
            case 1: return "video: command to the player, a seek ends"
            default: return "video: command to the player, \(command)"
            }
        }
        var name: Wording = "video: \(codec)"
        if let tracks = enhanced?.trackWords { name += tracks }
        switch packet {
        case .sequenceHeader:
            let words = MediaConfiguration.words(configurations, enhanced)
            return name + " sequence header" + (words.isEmpty ? "" : ": " + words)
        case .sequenceEnd: return name + " end of sequence"
        case .metadata: return name + " metadata" + (metadata.first?.text.map { " \($0)" } ?? "")
        case .codedFrames, .codedFramesX: return name + frameWords + ", \(length, "octet", "octets")"
        case .mpeg2TSSequenceStart: return name + " MPEG-2 TS sequence start"
        case nil where packetTypeID == nil: return name + frameWords + ", \(length, "octet", "octets")"
        case nil: return name + ", packet \(packetType ?? "")"
        }
    }

    private var frameWords: Wording {
        frame == .key ? " key frame" : " \(Wording(phrase: frameType)) frame"
    }

    /// All that summary and fields depend on beside length, composition time, and number and types of the NAL units; nil
    /// when it is not a frame of plain FLV, or its NAL units do not fill it.
    var outline: UInt64? {
        guard enhanced == nil, isFrames, units?.problem == nil else { return nil }
        let hasRecoveryPoint = units?.hasRecoveryPoint == true
        return UInt64(first) | (packetTypeID.map { 0x100 | UInt64($0) << 16 } ?? 0) | (hasRecoveryPoint ? 0x200 : 0)
    }

    /// Members of the report's `fields`.
    func fields(_ text: @escaping (String) -> String) -> [Field] {
        var fields: [Field] = []
        if command == nil { fields.add("codec", codec) }
        fields.add("frameType", frameType)
        fields.add("packetType", packetType)
        fields.add("compositionTime", compositionTime)
        if let enhanced {
            let details = parts.map { part -> [Field] in
                var fields: [Field] = []
                fields.add("compositionTime", part.compositionTime)
                return fields + (part.units?.fields ?? [])
            }
            fields += enhanced.fields(configurations, details: details)
        }
        fields.add("videoCommand", command.map { Int($0) })
        if configurations.count == 1 { fields.add("configuration", configuration.map { .object($0.fields) }) }
        if !metadata.isEmpty {
            fields.add("metadata", .array(metadata.map { $0.json { _, string in text(string) } }))
        }
        if let units { fields += units.fields }
        return fields
    }
}
