import WeirEngine

/// A rule about audio and video messages and their tracks.
protocol FLVRule: Rule {}

extension FLVRule {
    static var observes: [String] { ["rtmp"] }
}

extension Step {
    /// The audio or video message.
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
    /// Whether earlier packets may be missing from the capture.
    var mayLackEarlier: Bool { startsLate || hasGap || isCut || isFiltered }
}

/// The tracks for which a finding was reported: each is reported once, and its record counts further occurrences.
struct ReportedTracks {
    private var tracks: Set<Int> = []

    /// Returns whether this is the first finding for the track; always false beyond the limit of stored tracks.
    mutating func isNew(_ stream: Int?) -> Bool {
        guard tracks.count < 1_024 else { return false }
        return tracks.insert(stream ?? 0).inserted
    }
}

/// FLV-SEQHDR: a valid sequence header precedes coded data.
///
/// H.264 and AAC have a packet type for it (FLV 10.1 §E.4.2.1, §E.4.3.1) that contains the decoder configuration
/// (§E.4.2.2, §E.4.3.2), as do the codecs of enhanced RTMP (E-RTMP v2 "Enhanced Audio", "Enhanced Video"), where that
/// of Opus is optional. Less severe: FLAC without its signature, as written by FFmpeg, is a note; a record whose
/// profile or level differs from its parameter set, which most decoders ignore, is a warning.
struct FLVSequenceHeader: FLVRule {
    static let info = RuleInfo(
        "FLV-SEQHDR", .error, .plain, reference: "FLV 10.1 §E.4.3.2",
        check: "A sequence header precedes the first frame of H.264, H.265, AV1, AAC or FLAC, and can be decoded.",
        example: "video: H.264 key frame\nvideo: H.264 sequence header")

    static var sorts: MessageSorts { .rtmpMedia }

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        switch step.media?.payload {
        case .video(let video?):
            let reference = video.isEnhanced ? "E-RTMP v2 \"Enhanced Video\"" : nil
            Self.judge(video.configurations, video.codec, reference, &judgement)
        case .audio(let audio?):
            let reference = audio.isEnhanced ? "E-RTMP v2 \"Enhanced Audio\"" : "FLV 10.1 §E.4.2.2"
            Self.judge(audio.configurations, audio.codec, reference, &judgement)
        default: break
        }
    }

    /// - Parameter reference: The clause that defines the content of a sequence header, or nil for that of the rule.
    private static func judge(
        _ configurations: [MediaConfiguration?], _ codec: String, _ reference: String?, _ judgement: inout Judgement
    ) {
        for case let configuration? in configurations {
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
                Text("FLV-SEQHDR.\(problem.rawValue)", .wire(codec)), severity: severity, reference: reference,
                subject: codec)
        }
    }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let track = stream.track else { return judgement.ignore() }
        guard track.framesThatNeedConfiguration > 0 else { return }
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
            let first = track.firstBeforeConfiguration
            judgement.fail(
                message, reference: track.typeID == 8 ? "FLV 10.1 §E.4.2.1" : "FLV 10.1 §E.4.3.1",
                subject: track.mediaType, frame: first?.frame, time: first?.time)
        }
    }
}

/// FLV-NALU-LEN: the lengths of NAL units add up to the message.
///
/// A message contains the NAL units of a complete frame (FLV 10.1 §E.4.3.2), each preceded by its length, whose size is
/// in the sequence header. The most common fault is start codes in their place. Reported once per track; the stream
/// record has the count.
struct FLVUnitLengths: FLVRule {
    static let info = RuleInfo(
        "FLV-NALU-LEN", .error, .plain, reference: "FLV 10.1 §E.4.3.2",
        check: "NAL units and their length fields fill the message exactly.",
        example: "17 01 00 00 00 00 00 00 01 67 …\n(a start code where a length belongs)")

    private var reported = ReportedTracks()

    init() {}

    static var sorts: MessageSorts { .rtmpMedia }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let video = step.video else { return }
        let problem = video.units?.problem ?? video.parts.lazy.compactMap { $0.units?.problem }.first
        guard let problem, reported.isNew(step.event.stream) else { return }
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
        guard let track = stream.track else { return judgement.ignore() }
        guard track.followedFrames > 0 else { return }
        if track.faults.unitLengths == 0 { judgement.pass() }
    }
}

/// FLV-KEYFLAG: the key frame flag matches the pictures.
///
/// A key frame of H.264 is seekable (FLV 10.1 §E.4.3.1): it contains an IDR picture or announces a recovery point; one
/// of H.265 contains any random access picture. Unflagged key frames prevent servers from starting there. Reported once
/// per track; the stream record has the count.
struct FLVKeyFlag: FLVRule {
    static let info = RuleInfo(
        "FLV-KEYFLAG", .warning, .plain, reference: "FLV 10.1 §E.4.3.1",
        check:
            "Messages with an IDR picture are marked as key frames; key frames have an IDR picture or a recovery point.",
        example: "17 01 00 00 00 00 00 1F 40 41 …\n(a key frame that contains a slice of type 1)")

    private var reported = ReportedTracks()

    init() {}

    static var sorts: MessageSorts { .rtmpMedia }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let video = step.video else { return }
        let faults = video.faults
        if faults.contains(.keyWithoutAccess), reported.isNew(step.event.stream) {
            judgement.fail(Text("FLV-KEYFLAG.noPicture", .wire(video.codec)), subject: "video key")
        } else if faults.contains(.accessWithoutKey), reported.isNew(step.event.stream) {
            judgement.fail(Text("FLV-KEYFLAG.noFlag", .wire(video.codec)), subject: "video inter")
        }
    }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let track = stream.track else { return judgement.ignore() }
        guard track.followedFrames > 0 else { return }
        if track.faults.keyFlags == 0 { judgement.pass() }
    }
}

/// FLV-HEVC12: H.265 as codec 12.
///
/// FLV defines numbers 2 to 7 (FLV 10.1 §E.4.3.1). Many servers and players use 12 for H.265, from before enhanced RTMP
/// defined `hvc1`; others reject the stream.
struct FLVCodec12: FLVRule {
    static let info = RuleInfo(
        "FLV-HEVC12", .note, .practice, reference: "FLV 10.1 §E.4.3.1",
        check: "H.265 is sent as hvc1, not as codec 12.",
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
