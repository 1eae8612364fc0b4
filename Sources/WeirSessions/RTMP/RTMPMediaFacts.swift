import WeirDissectors

/// What a track has to know of one message of audio or video.
struct RTMPMediaFacts {
    var codec: String?
    /// It configures a decoder: a sequence header, or metadata of enhanced RTMP.
    var isConfiguration = false
    /// It holds no media: an end of sequence, a command frame.
    var isControl = false
    var isKeyframe = false
    var compositionTime: Int?
    var isBroken = false
    var configuration: RTMPCodecFacts?

    init(_ message: RTMPMessage) {
        switch message.payload {
        case .audio(let audio?):
            codec = audio.codec
            isConfiguration = audio.isConfiguration
            isControl = audio.packetType == "sequenceEnd"
        case .video(let video?):
            codec = video.codec
            isConfiguration = video.isConfiguration
            isControl = video.packetType == "sequenceEnd" || video.frameType == "command"
            isKeyframe = video.frameType == "key" && !isConfiguration && !isControl
            compositionTime = video.compositionTime
        case .malformed: isBroken = true
        default: isControl = true
        }
    }
}

/// What a decoder was configured with: what the parameter sets or the audio configuration say.
public struct RTMPCodecFacts: Sendable, Hashable {
    /// The profile's name.
    public var profile: String?
    /// The level, such as `3.1`.
    public var level: String?
    /// Width in pixels.
    public var width: Int?
    /// Height in pixels.
    public var height: Int?
    /// Samples in a second.
    public var sampleRate: Int?
    /// Channels of sound.
    public var channels: Int?

    /// The codec's name as encoders and session descriptions spell it: without the point of H.264.
    static func encoding(_ codec: String) -> String {
        codec.hasPrefix("H.2") ? "H2" + codec.dropFirst(3) : codec
    }

    /// In words, such as `High 3.1 1280×720` or `LC 44.1 kHz 2 channels`.
    var words: String {
        var words = [profile, level].compactMap { $0 }
        if let width, let height { words.append("\(width)×\(height)") }
        if let sampleRate { words.append("\(rounded(Double(sampleRate) / 1_000, places: 1)) kHz") }
        if let channels { words.append(channels == 1 ? "mono" : channels == 2 ? "stereo" : "\(channels) channels") }
        return words.joined(separator: " ")
    }
}

extension RTMPMessage {
    /// Whether it is audio or video.
    var isMedia: Bool { typeID == 8 || typeID == 9 }

    /// Whether its payload could not be read.
    var isBroken: Bool {
        if case .malformed = payload { true } else { false }
    }
}
