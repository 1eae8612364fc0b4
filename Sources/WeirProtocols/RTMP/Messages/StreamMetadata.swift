import WeirEngine

/// The stream description in `onMetaData` (FLV 10.1 §E.5; E-RTMP v2 "Enhancing onMetaData").
public struct StreamMetadata: Sendable, Hashable {
    /// Whether it was sent with `@setDataFrame`, which asks the server to store it for later subscribers.
    public var isForServer = false
    /// The picture width in pixels.
    public var width: Int?
    /// The picture height in pixels.
    public var height: Int?
    /// The frame rate in frames per second.
    public var frameRate: Double?
    /// The video codec.
    public var videoCodec: VideoCodec?
    /// The video bit rate in kilobits per second.
    public var videoDataRate: Double?
    /// The audio codec.
    public var audioCodec: AudioCodec?
    /// The audio bit rate in kilobits per second.
    public var audioDataRate: Double?
    /// The audio sample rate in Hz.
    public var audioSampleRate: Int?
    /// The audio sample size in bits.
    public var audioSampleSize: Int?
    /// The number of audio channels, given as a number or by `stereo`.
    public var audioChannels: Int?
    /// The duration of a recording in seconds, or nil if not positive.
    public var duration: Double?
    /// The encoder.
    public var encoder: String?
    /// Additional tracks (E-RTMP v2).
    public var tracks: [Track] = []

    /// A track other than the default one (E-RTMP v2 "Enhancing onMetaData").
    public struct Track: Sendable, Hashable {
        /// The track number as a member name.
        public var id: String
        /// Whether it is video.
        public var isVideo: Bool
        /// Its members, except those of the whole stream.
        public var properties: [AMFProperty]
    }

    /// Parses the values of a data message, or returns nil if it is not metadata.
    init?(_ kind: RTMPCommandKind?, _ arguments: [AMFValue]) {
        isForServer = kind == .setDataFrame
        guard kind == .onMetaData || (isForServer && arguments.first?.text == "onMetaData") else { return nil }
        guard let values = arguments.first(where: { $0.properties != nil }) else { return }
        width = Self.whole(values["width"])
        height = Self.whole(values["height"])
        frameRate = Self.positive(values["framerate"] ?? values["videoframerate"] ?? values["fps"])
        videoCodec = values["videocodecid"].flatMap(Self.video)
        videoDataRate = Self.positive(values["videodatarate"])
        audioCodec = values["audiocodecid"].flatMap(Self.audio)
        audioDataRate = Self.positive(values["audiodatarate"])
        audioSampleRate = Self.whole(values["audiosamplerate"])
        audioSampleSize = Self.whole(values["audiosamplesize"])
        audioChannels = Self.whole(values["audiochannels"]) ?? values["stereo"]?.boolean.map { $0 ? 2 : 1 }
        duration = Self.positive(values["duration"])
        encoder = values["encoder"]?.text ?? values["metadatacreator"]?.text
        for (name, isVideo) in [("videoTrackIdInfoMap", true), ("audioTrackIdInfoMap", false)] {
            for track in values[name]?.properties ?? [] {
                tracks.append(Track(id: track.name, isVideo: isVideo, properties: track.value.properties ?? []))
            }
        }
    }

    /// Returns a positive integer that is plausible for audio or video.
    private static func whole(_ value: AMFValue?) -> Int? {
        guard let number = value?.number, number >= 1, number < 0x1p31 else { return nil }
        return Int(number.rounded())
    }

    private static func positive(_ value: AMFValue?) -> Double? {
        guard let number = value?.number, number > 0, number.isFinite else { return nil }
        return number
    }

    /// Returns the codec for an FLV number, a FourCC as a number, or a FourCC as a string, which some programs write.
    private static func video(_ value: AMFValue) -> VideoCodec? {
        if let text = value.text { return FourCC(text).map { VideoCodec($0) } }
        guard let number = value.number.flatMap({ UInt32(exactly: $0) }) else { return nil }
        return number < 16 ? VideoCodec(id: UInt8(number)) : VideoCodec(FourCC(number))
    }

    private static func audio(_ value: AMFValue) -> AudioCodec? {
        if let text = value.text { return FourCC(text).map { AudioCodec($0) } }
        guard let number = value.number.flatMap({ UInt32(exactly: $0) }) else { return nil }
        return number < 16 ? AudioCodec(id: UInt8(number)) : AudioCodec(FourCC(number))
    }

    /// Returns a description such as `H.264 1280×720 30 fps 2500 kbit/s, AAC 48 kHz stereo 160 kbit/s, Lavf59.27.100`.
    ///
    /// - Parameter show: Transforms text chosen by the peer.
    public func wording(_ show: (String) -> String) -> Wording {
        var video: [Wording] = videoCodec.map { [Wording(verbatim: show($0.name))] } ?? []
        if let width, let height { video.append("\(width)×\(height)") }
        if let frameRate { video.append("\(Self.plain(frameRate)) fps") }
        if let videoDataRate { video.append("\(Self.plain(videoDataRate)) kbit/s") }
        var audio: [Wording] = audioCodec.map { [Wording(verbatim: show($0.name))] } ?? []
        if let audioSampleRate { audio.append("\(Self.plain(Double(audioSampleRate) / 1_000)) kHz") }
        if let audioChannels {
            audio.append(audioChannels == 1 ? "mono" : audioChannels == 2 ? "stereo" : "\(audioChannels) channels")
        }
        if let audioDataRate { audio.append("\(Self.plain(audioDataRate)) kbit/s") }
        let encoder = Wording(verbatim: encoder.map(show) ?? "")
        return [video.joined(separator: " "), audio.joined(separator: " "), encoder].filter { !$0.isEmpty }
            .joined(separator: ", ")
    }

    /// Whether `wording` is empty.
    var isWordless: Bool {
        videoCodec == nil && (width == nil || height == nil) && frameRate == nil && videoDataRate == nil
            && audioCodec == nil && audioSampleRate == nil && audioChannels == nil && audioDataRate == nil
            && encoder?.isEmpty ?? true
    }

    /// The same description in English, unmasked.
    public var words: String { wording { $0 }.english }

    /// Returns the number with at most two decimals.
    static func plain(_ number: Double) -> String {
        guard number < 1e9 else { return "\(number)" }
        let hundredths = Int((number * 100).rounded())
        let (whole, rest) = (hundredths / 100, hundredths % 100)
        if rest == 0 { return "\(whole)" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole)." + (rest < 10 ? "0" : "") + "\(rest)"
    }
}
