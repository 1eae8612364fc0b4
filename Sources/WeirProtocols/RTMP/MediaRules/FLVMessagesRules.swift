import WeirEngine

/// A rule about messages of audio and video, and about the tracks that they make.
protocol FLVRule: Rule {}

extension FLVRule {
    static var observes: [String] { ["rtmp"] }
}

extension Step {
    /// The message of audio or video.
    var media: RTMPMessage? {
        guard let message = rtmp, message.typeID == 8 || message.typeID == 9 else {
            return nil
        }
        return message
    }

    /// The video message.
    var video: VideoTag? {
        guard case .video(let tag?)? = media?.payload else { return nil }
        return tag
    }

    /// The audio message.
    var audio: AudioTag? {
        guard case .audio(let tag?)? = media?.payload else { return nil }
        return tag
    }
}

extension Session.Completeness {
    /// Whether what came before something may be missing from the capture.
    var mayLackEarlier: Bool { startsLate || hasGap || isCut || isFiltered }
}

/// Which tracks a finding was made of: each is told once, and its record counts the rest.
struct TracksTold {
    private var tracks: Set<Int> = []

    /// Whether this is the first time for the track; never again once there are too many to remember.
    mutating func isNew(_ stream: Int?) -> Bool {
        guard tracks.count < 1_024 else { return false }
        return tracks.insert(stream ?? 0).inserted
    }
}

/// FLV-SEQHDR: a sequence header precedes coded data, and can be used.
///
/// H.264 and AAC have a packet type for it (FLV 10.1 §E.4.2.1, §E.4.3.1) that holds what the decoder needs
/// (§E.4.2.2, §E.4.3.2); the codecs of enhanced RTMP likewise (E-RTMP v2 "Enhanced Audio", "Enhanced Video"), where that
/// of Opus may be left out. Lighter: FLAC without its signature, which FFmpeg writes, is a note; a record that names
/// another profile or level than its parameter set, which most decoders pass over, a warning.
struct FLVSequenceHeader: FLVRule {
    static let info = RuleInfo(
        "FLV-SEQHDR", .error, .plain, reference: "FLV 10.1 §E.4.3.2",
        check: "A sequence header comes before the first frame of H.264, H.265, AV1, AAC or FLAC, and can be read.",
        example: "video: H.264 key frame\nvideo: H.264 sequence header")

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        let video = step.video
        let audio = step.audio
        let name = video?.codec ?? audio?.codec ?? ""
        for configuration in (video?.configurations ?? audio?.configurations ?? []).compactMap({ $0 }) {
            guard let problem = configuration.problem else {
                judgement.pass()
                continue
            }
            let severity: Severity? =
                switch problem {
                case .signature: .note
                case .profileDiffers: .warning
                default: nil
                }
            judgement.fail(
                Text("FLV-SEQHDR.\(problem.rawValue)", .wire(name)), severity: severity,
                reference: reference(audio, video), subject: name)
        }
    }

    /// Where it says what a sequence header holds; nil for the rule's own clause.
    private func reference(_ audio: AudioTag?, _ video: VideoTag?) -> String? {
        if video?.isEnhanced == true { return "E-RTMP v2 \"Enhanced Video\"" }
        guard let audio else { return nil }
        return audio.isEnhanced ? "E-RTMP v2 \"Enhanced Audio\"" : "FLV 10.1 §E.4.2.2"
    }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let track = stream.track, track.framesThatNeedConfiguration > 0 else {
            return
        }
        guard track.framesBeforeConfiguration > 0 else {
            judgement.pass()
            return
        }
        let message = Text(
            track.configurations == 0 ? "FLV-SEQHDR.never" : "FLV-SEQHDR.late", .string(track.mediaType),
            .integer(track.framesBeforeConfiguration))
        if session?.completeness.mayLackEarlier == true {
            judgement.inconclusive(message, subject: track.mediaType)
        } else {
            judgement.fail(
                message, reference: track.typeID == 8 ? "FLV 10.1 §E.4.2.1" : "FLV 10.1 §E.4.3.1",
                subject: track.mediaType)
        }
    }
}

/// FLV-NALU-LEN: the lengths of NAL units fill the message.
///
/// A message holds the NAL units of a whole frame (FLV 10.1 §E.4.3.2), each behind its length, whose size the sequence
/// header says. Start codes in their place are the most common fault. The first of a track is told; its record has the
/// number.
struct FLVUnitLengths: FLVRule {
    static let info = RuleInfo(
        "FLV-NALU-LEN", .error, .plain, reference: "FLV 10.1 §E.4.3.2",
        check: "NAL units and the lengths in front of them fill the message.",
        example: "17 01 00 00 00 00 00 00 01 67 …\n(a start code where a length belongs)")

    private var told = TracksTold()

    init() {}

    static var sorts: MessageSorts { .rtmpMedia }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let video = step.video else { return }
        let problems = ([video] + video.parts).lazy.compactMap { $0.units?.problem }
        guard let problem = problems.first, told.isNew(step.event.stream) else { return }
        let message =
            switch problem {
            case .overrun(let needed, let left):
                Text("FLV-NALU-LEN.overrun", .integer(needed), .integer(left))
            case .leftover(let octets): Text("FLV-NALU-LEN.leftover", .integer(octets))
            case .startCodes: Text("FLV-NALU-LEN.startCodes")
            }
        judgement.fail(message, subject: "video")
    }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let track = stream.track, track.followedFrames > 0 else { return }
        if track.faults.unitLengths == 0 { judgement.pass() }
    }
}

/// FLV-KEYFLAG: a key frame is one.
///
/// Of H.264 a key frame is one that can be sought (FLV 10.1 §E.4.3.1): there is an IDR picture in it, or a recovery
/// point is announced; of H.265 any picture of random access. Frames that are one and do not say so keep servers from
/// starting there. The first of a track is told; its record has the number.
struct FLVKeyFlag: FLVRule {
    static let info = RuleInfo(
        "FLV-KEYFLAG", .warning, .plain, reference: "FLV 10.1 §E.4.3.1",
        check: "Messages with an IDR picture are key frames, and key frames have one, or a recovery point.",
        example: "17 01 00 00 00 00 00 1F 40 41 …\n(a key frame that holds a slice of type 1)")

    private var told = TracksTold()

    init() {}

    static var sorts: MessageSorts { .rtmpMedia }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let video = step.video else { return }
        let faults = video.faults
        if faults.contains(.keyWithoutAccess), told.isNew(step.event.stream) {
            judgement.fail(Text("FLV-KEYFLAG.noPicture", .wire(video.codec)), subject: "video key")
        } else if faults.contains(.accessWithoutKey), told.isNew(step.event.stream) {
            judgement.fail(Text("FLV-KEYFLAG.noFlag", .wire(video.codec)), subject: "video inter")
        }
    }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let track = stream.track, track.followedFrames > 0 else { return }
        if track.faults.keyFlags == 0 { judgement.pass() }
    }
}

/// FLV-HEVC12: H.265 as codec 12.
///
/// The numbers that FLV defines are 2 to 7 (FLV 10.1 §E.4.3.1). 12 for H.265 is a habit of many servers and players, from
/// before enhanced RTMP had `hvc1`; those that do not share it reject the stream.
struct FLVCodec12: FLVRule {
    static let info = RuleInfo(
        "FLV-HEVC12", .note, .practice, reference: "FLV 10.1 §E.4.3.1",
        check: "H.265 is announced as hvc1, not as codec 12.",
        example: "1C 00 00 00 00 …\ninstead of 90 68 76 63 31 …")

    init() {}

    static var sorts: MessageSorts { .rtmpMedia }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let video = step.video, video.packet == .sequenceHeader else { return }
        if video.isEnhanced || video.codecKind != .hevc {
            judgement.pass()
        } else {
            judgement.fail(
                Text("FLV-HEVC12.used"), expected: .wire("hvc1"), actual: .wire("12"), quirk: "Q-RTMP-FLV",
                subject: "video")
        }
    }
}
