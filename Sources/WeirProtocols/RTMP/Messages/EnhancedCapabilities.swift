import WeirEngine
/// The enhanced RTMP capabilities that a side announces in `connect` or in its answer (E-RTMP v2 "Enhancing
/// NetConnection connect Command").
public struct EnhancedCapabilities: Sendable, Hashable {
    /// The capabilities for a codec: flags 1 decode, 2 encode, 4 forward.
    public struct Codec: Sendable, Hashable {
        /// The FourCC, or `*` for any codec.
        public var fourCC: String
        /// The flags, or nil in `fourCcList`, which has none.
        public var flags: UInt32?
    }

    /// `fourCcList`: codecs without flags.
    public var list: [Codec] = []
    /// `videoFourCcInfoMap`.
    public var video: [Codec] = []
    /// `audioFourCcInfoMap`.
    public var audio: [Codec] = []
    /// `capsEx`: flags 1 reconnect, 2 multitrack, 4 modifiers, 8 nanosecond timestamp offsets.
    public var extended: UInt32?
    /// `videoFunction`: flags 1 frame-accurate seeking, 2 HDR video, 4 video metadata packets, 8 large-scale tiles
    /// (E-RTMP v2 "Metadata Frame"). The first flag alone does not indicate enhanced RTMP.
    public var videoFunction: UInt32?

    /// Parses a command object, or returns nil if it announces nothing of enhanced RTMP.
    public init?(_ object: AMFValue) {
        list = (object["fourCcList"]?.items ?? []).compactMap { $0.text.map { Codec(fourCC: $0) } }
        video = Self.map(object["videoFourCcInfoMap"])
        audio = Self.map(object["audioFourCcInfoMap"])
        extended = object["capsEx"]?.number.flatMap { UInt32(exactly: $0) }
        videoFunction = object["videoFunction"]?.number.flatMap { UInt32(exactly: $0) }
        if list.isEmpty, video.isEmpty, audio.isEmpty, extended == nil, videoFunction ?? 0 < 2 { return nil }
    }

    private static func map(_ value: AMFValue?) -> [Codec] {
        (value?.properties ?? []).map { Codec(fourCC: $0.name, flags: $0.value.number.flatMap { UInt32(exactly: $0) }) }
    }

    /// Returns whether the codec was announced, explicitly or as any codec.
    public func announces(_ fourCC: FourCC, isVideo: Bool) -> Bool {
        (list + (isVideo ? video : audio)).contains { $0.fourCC == "*" || FourCC($0.fourCC) == fourCC }
    }

    /// Returns whether any video or audio codec was announced; otherwise no codec can be missing.
    public func announcesAny(isVideo: Bool) -> Bool {
        !list.isEmpty || !(isVideo ? video : audio).isEmpty
    }

    /// The member of `fields` in the report.
    var field: FieldValue {
        var fields: [Field] = []
        for (name, codecs) in [("fourCcList", list), ("video", video), ("audio", audio)] where !codecs.isEmpty {
            let shown = codecs.map { codec in
                guard let flags = codec.flags else { return FieldValue.string(codec.fourCC) }
                let words = ["decode", "encode", "forward"].enumerated()
                    .filter { flags >> UInt32($0.offset) & 1 == 1 }.map { FieldValue.string($0.element) }
                return .object([Field("fourCc", .string(codec.fourCC)), Field("can", .array(words))])
            }
            fields.append(Field(name, .array(shown)))
        }
        let extendedNames = ["reconnect", "multitrack", "modEx", "timestampNanoOffset"]
        let functionNames = ["clientSeek", "hdr", "videoMetadata", "largeScaleTile"]
        for (name, flags, names) in [
            ("extended", extended, extendedNames), ("videoFunction", videoFunction, functionNames),
        ] {
            guard let flags else { continue }
            let words = names.enumerated().filter { flags >> UInt32($0.offset) & 1 == 1 }
            fields.append(Field(name, .array(words.map { .string($0.element) })))
        }
        return .object(fields)
    }
}

extension RTMPCommand {
    /// The enhanced RTMP capabilities in `connect` or its answer.
    public var capabilities: EnhancedCapabilities? {
        guard kind == .connect || kind == .result else { return nil }
        return arguments.lazy.compactMap { EnhancedCapabilities($0) }.first
    }
}
