import WeirEngine
import WeirPackets

/// FLV-META: a publisher sends metadata before media, and it matches the sequence headers.
///
/// Only the data tag and its members are specified (FLV 10.1 §E.4.4, §E.5); a preceding `@setDataFrame`, which makes
/// the server store the metadata for later subscribers, is customary. Sizes, codecs and rates are compared with the
/// following sequence headers: for AAC with either rate, since programs use one or the other.
struct FLVMetadata: FLVRule {
    static let info = RuleInfo(
        "FLV-META", .note, .practice, reference: "FLV 10.1 §E.5",
        check: "@setDataFrame onMetaData precedes media, and matches the sequence headers.",
        example: "onMetaData: width 1920, height 1080\nvideo: H.264 sequence header: High 3.1, 1280×720")

    static var sorts: MessageSorts { [.rtmpData, .rtmpMedia, .rtmpStart] }

    /// The latest metadata of each message stream sent by the client.
    private var metadata: [UInt32: SharedValue<StreamMetadata>] = [:]
    private var reported = ReportedTracks()

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard step.event.direction == .clientToServer else { return }
        if let message = step.rtmp {
            if case .data(let data) = message.payload, let said = data.metadata {
                if metadata.count < 1_024 { metadata[message.messageStreamID] = said }
                if !said.isForServer {
                    judgement.fail(
                        Text("FLV-META.bare"), expected: .wire("@setDataFrame"), quirk: "Q-RTMP-FLV", subject: "bare")
                }
            } else if let said = metadata[message.messageStreamID], !said.isWordless {
                compare(said, step, &judgement)
            }
        } else if let start = step.message(RTMPStart.self) {
            // If the ID is unknown, messages have 0 as well.
            begin(start.messageStreamID ?? 0, step, &judgement)
        }
    }

    private mutating func begin(_ stream: UInt32, _ step: Step, _ judgement: inout Judgement) {
        guard metadata[stream] == nil else {
            judgement.pass()
            return
        }
        guard reported.isNew(Int(stream)) else { return }
        if step.completeness?.mayLackEarlier == true {
            judgement.inconclusive(Text("FLV-META.none"), subject: "none")
        } else {
            judgement.fail(Text("FLV-META.none"), subject: "none")
        }
    }

    private func compare(_ said: SharedValue<StreamMetadata>, _ step: Step, _ judgement: inout Judgement) {
        var differences: [(String, String, String)] = []
        func compare<Value: Equatable>(_ name: String, _ announced: Value?, _ actual: Value?, _ other: Value? = nil) {
            guard let announced, let actual, announced != actual, announced != other else { return }
            differences.append((name, "\(announced)", "\(actual)"))
        }
        // Metadata describes the default track.
        let video = step.video.flatMap { $0.parts.isEmpty ? $0 : $0.parts.first { $0.trackID == 0 } }
        let audio = step.audio.flatMap { $0.parts.isEmpty ? $0 : $0.parts.first { $0.trackID == 0 } }
        if let video, let configuration = video.configuration, video.trackID ?? 0 == 0 {
            compare("videocodecid", said.videoCodec?.name, video.codec)
            compare("width", said.width, configuration.width)
            compare("height", said.height, configuration.height)
        } else if let audio, let configuration = audio.configuration, audio.trackID ?? 0 == 0 {
            compare("audiocodecid", said.audioCodec?.name, audio.codec)
            compare(
                "audiosamplerate", said.audioSampleRate, configuration.sampleRate, configuration.coreSampleRate)
            compare("channels", said.audioChannels, configuration.channels.map { min($0, 2) }, configuration.channels)
        } else {
            return
        }
        if differences.isEmpty { judgement.pass() }
        for (name, announced, actual) in differences {
            judgement.fail(
                Text("FLV-META.differs", .string(name), .wire(announced), .wire(actual)), expected: .wire(actual),
                actual: .wire(announced), subject: name)
        }
    }
}
