import WeirEngine
/// What a side of a connection says it can do of enhanced RTMP, in `connect` or in the answer to it (E-RTMP v2 "Enhancing
/// NetConnection connect Command").
public struct EnhancedCapabilities: Sendable, Hashable {
    /// What can be done with a codec: bits of 1 decode, 2 encode, 4 forward.
    public struct Codec: Sendable, Hashable {
        /// Four characters, or `*` for any codec.
        public var fourCC: String
        /// The bits; nil in `fourCcList`, which has none.
        public var flags: UInt32?
    }

    /// `fourCcList`: codecs without further facts.
    public var list: [Codec] = []
    /// `videoFourCcInfoMap`.
    public var video: [Codec] = []
    /// `audioFourCcInfoMap`.
    public var audio: [Codec] = []
    /// `capsEx`: bits of 1 reconnect, 2 several tracks, 4 modifiers, 8 times in nanoseconds.
    public var extended: UInt32?
    /// `videoFunction`: bits of 1 frame-accurate seeking, 2 HDR video, 4 metadata packets of video, 8 large-scale tiles
    /// (E-RTMP v2 "Metadata Frame"). Without a bit beyond the first it says nothing of enhanced RTMP.
    public var videoFunction: UInt32?

    /// Reads a command object; nil when it says nothing of enhanced RTMP.
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

    /// Whether the codec was announced, for itself or as any.
    public func announces(_ fourCC: FourCC, isVideo: Bool) -> Bool {
        (list + (isVideo ? video : audio)).contains { $0.fourCC == "*" || FourCC($0.fourCC) == fourCC }
    }

    /// Whether any codec was announced for video, or for audio: without that nothing can be missing.
    public func announcesAny(isVideo: Bool) -> Bool {
        !list.isEmpty || !(isVideo ? video : audio).isEmpty
    }

    /// The member of the report's `fields`.
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
    /// What `connect`, or the answer to it, says of enhanced RTMP.
    public var capabilities: EnhancedCapabilities? {
        guard name == "connect" || name == "_result" else { return nil }
        return arguments.lazy.compactMap { EnhancedCapabilities($0) }.first
    }
}
