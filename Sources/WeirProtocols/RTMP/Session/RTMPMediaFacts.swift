import WeirEngine

/// The properties of an audio or video message that a track uses.
struct RTMPMediaFacts {
    /// The audio or video codec.
    enum Codec: Hashable {
        case audio(AudioCodec)
        case video(VideoCodec)

        var name: String {
            switch self {
            case .audio(let codec): codec.name
            case .video(let codec): codec.name
            }
        }
    }

    var codec: Codec?
    /// Whether it configures a decoder: a sequence header, or enhanced RTMP metadata.
    var isConfiguration = false
    /// Whether it contains no media: an end of sequence or a command frame.
    var isControl = false
    var isKeyframe = false
    var compositionTime: Int?
    var isBroken = false
    var configuration: MediaConfiguration?
    /// Whether it contains frames that require a preceding sequence header.
    var needsConfiguration = false
    /// Whether its NAL units were parsed to the end.
    var hasUnits = false
    /// Violations of FLV.
    var faults: FLVFaults = []

    init(_ frame: RTMPFrame) {
        codec =
            switch frame.codec {
            case .aac: .audio(.aac)
            case .avc: .video(.avc)
            case .hevc: .video(.hevc)
            }
        isKeyframe = frame.isKeyframe
        compositionTime = frame.compositionTime
        needsConfiguration = true
        hasUnits = frame.hasUnits
    }

    init(_ message: RTMPMessage) {
        switch message.payload {
        case .audio(let audio?):
            codec = .audio(audio.codecKind)
            isConfiguration = audio.isConfiguration
            isControl = !isConfiguration && !audio.isFrames
            configuration = audio.configuration
            needsConfiguration = audio.isFrames && audio.codecKind.needsConfiguration
            faults = audio.faults
        case .video(let video?):
            isConfiguration = video.isConfiguration
            isControl = !isConfiguration && !video.isFrames
            if video.command == nil { codec = .video(video.codecKind) }
            isKeyframe = video.isFrames && video.frame == .key
            compositionTime = video.compositionTime
            configuration = video.configuration
            needsConfiguration = video.isFrames && video.codecKind.needsConfiguration
            hasUnits = video.units != nil
            faults = video.faults
        case .malformed: isBroken = true
        default: isControl = true
        }
    }
}

/// An audio or video message as counted by a track.
struct RTMPMediaPiece {
    let timestamp: UInt32
    let isTimestampKnown: Bool
    let losses: UInt16
    let length: Int
    let facts: RTMPMediaFacts

    init(_ message: RTMPMessage) {
        timestamp = message.timestamp
        isTimestampKnown = message.framing.isTimestampKnown
        losses = message.framing.losses
        length = message.length
        facts = RTMPMediaFacts(message)
    }

    init(_ frame: RTMPFrame) {
        timestamp = frame.timestamp
        isTimestampKnown = frame.isTimestampKnown
        losses = frame.losses
        length = frame.length
        facts = RTMPMediaFacts(frame)
    }
}

extension RTMPMessage {
    /// Whether it is audio or video.
    var isMedia: Bool { typeID == 8 || typeID == 9 }
    /// Whether it is metadata or other data (RTMP §7.1.2).
    var isData: Bool { typeID == 15 || typeID == 18 }

    /// Whether its payload could not be parsed.
    var isBroken: Bool {
        if case .malformed = payload { true } else { false }
    }

    /// The enhanced RTMP track of its media; 0, the default, if it specifies none or several.
    var trackID: UInt8 {
        switch payload {
        case .audio(let audio?): audio.trackID ?? 0
        case .video(let video?): video.trackID ?? 0
        default: 0
        }
    }
}
