import WeirEngine

/// The audio or video codec of a track.
enum RTMPTrackCodec: Hashable {
    case audio(AudioCodec)
    case video(VideoCodec)

    var name: String {
        switch self {
        case .audio(let codec): codec.name
        case .video(let codec): codec.name
        }
    }
}

/// What a track counts of an audio or video message. A protocol, so that a frame is counted as it is, which most messages are.
protocol RTMPCountedMedia {
    /// The timestamp in milliseconds, modulo 2^32, and whether it is known absolutely.
    var timestamp: UInt32 { get }
    var isTimestampKnown: Bool { get }
    /// The number of losses of messages of its side before it, modulo 2^16.
    var losses: UInt16 { get }
    /// The payload length in octets.
    var length: Int { get }
    var trackCodec: RTMPTrackCodec? { get }
    /// Whether it configures a decoder: a sequence header, or enhanced RTMP metadata.
    var isConfiguration: Bool { get }
    var configuration: MediaConfiguration? { get }
    /// Whether it contains no media: an end of sequence or a command frame.
    var isControl: Bool { get }
    var isBroken: Bool { get }
    var isKeyframe: Bool { get }
    /// The composition time offset of video, in milliseconds.
    var compositionTime: Int? { get }
    /// Whether it contains frames that require a preceding sequence header.
    var needsConfiguration: Bool { get }
    /// Whether its NAL units were parsed to the end.
    var hasUnits: Bool { get }
    /// Violations of FLV.
    var faults: FLVFaults { get }
}

extension RTMPFrame: RTMPCountedMedia {
    var trackCodec: RTMPTrackCodec? {
        switch codec {
        case .aac: .audio(.aac)
        case .avc: .video(.avc)
        case .hevc: .video(.hevc)
        }
    }
    var isConfiguration: Bool { false }
    var configuration: MediaConfiguration? { nil }
    var isControl: Bool { false }
    var isBroken: Bool { false }
    var needsConfiguration: Bool { true }
    var faults: FLVFaults { [] }
}

/// The same of any audio or video message.
struct RTMPMediaFacts: RTMPCountedMedia {
    let timestamp: UInt32
    let isTimestampKnown: Bool
    let losses: UInt16
    let length: Int
    private(set) var trackCodec: RTMPTrackCodec?
    private(set) var isConfiguration = false
    private(set) var configuration: MediaConfiguration?
    private(set) var isControl = false
    private(set) var isBroken = false
    private(set) var isKeyframe = false
    private(set) var compositionTime: Int?
    private(set) var needsConfiguration = false
    private(set) var hasUnits = false
    private(set) var faults: FLVFaults = []

    init(_ message: RTMPMessage) {
        timestamp = message.timestamp
        isTimestampKnown = message.framing.isTimestampKnown
        losses = message.framing.losses
        length = message.length
        switch message.payload {
        case .audio(let audio?):
            trackCodec = .audio(audio.codecKind)
            isConfiguration = audio.isConfiguration
            isControl = !isConfiguration && !audio.isFrames
            configuration = audio.configuration
            needsConfiguration = audio.isFrames && audio.codecKind.needsConfiguration
            faults = audio.faults
        case .video(let video?):
            isConfiguration = video.isConfiguration
            isControl = !isConfiguration && !video.isFrames
            if video.command == nil { trackCodec = .video(video.codecKind) }
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
