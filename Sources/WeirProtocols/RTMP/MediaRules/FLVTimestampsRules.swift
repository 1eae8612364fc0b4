import WeirEngine

/// FLV-TS: timestamps increase within each track, and those of audio and video stay together.
///
/// Timestamps are 32-bit milliseconds that wrap to 0 after about seven weeks (RTMP §4), which is not a step back. A
/// timestamp that goes back is permitted in a chunk with the full timestamp (RTMP §5.3.1.2.1), but makes players stall.
/// A new stream on the same message stream restarts its timestamps and is not judged: this covers the first step back
/// to the start of the timeline after the server reports the start of publishing, and those after it reports another
/// stream being played. Timestamps that stand still for seconds, while messages go on, are reported as such. The
/// 1-second limit between audio and video is that of the profile; it is not judged across a gap in the capture.
struct FLVTimestamps: FLVRule {
    static let info = RuleInfo(
        "FLV-TS", .warning, .profile, reference: "RTMP §4",
        check: "Timestamps of a track advance and do not go back; audio and video are less than 1 second apart.",
        example: "video 40040, 40080, 38200")

    static var sorts: MessageSorts { [.rtmpStatus, .rtmpTimestampBack] }

    private static let milliseconds = 1_000
    /// The longest time between two messages of which the second has a timestamp that wrapped, in milliseconds.
    private static let wrapMilliseconds = 20_000

    private var reported = ReportedTracks()
    /// Whether the server reported the start of published or of played media, whose timestamps may restart.
    private var mayRestart = false
    private var isPublished = false
    /// The highest timestamp of media that restarts, in milliseconds.
    private static let latestStart = 1_000
    /// Whether a step back of published media was already accepted.
    private var isForgiven = false

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if let message = step.rtmp {
            guard case .command(let command) = message.payload, command.kind == .onStatus else { return }
            let code = command.arguments.lazy.compactMap { $0["code"]?.text }.first ?? ""
            if code == "NetStream.Publish.Start", !isForgiven {
                (mayRestart, isForgiven, isPublished) = (true, true, true)
            } else if code.hasPrefix("NetStream.Play.") {
                (mayRestart, isPublished) = (true, false)
            }
        } else if let back = step.message(RTMPTimestampBack.self) {
            judge(back, step, &judgement)
        }
    }

    private mutating func judge(_ back: RTMPTimestampBack, _ step: Step, _ judgement: inout Judgement) {
        defer { mayRestart = false }
        let isRestart = mayRestart && (!isPublished || back.to <= Self.latestStart)
        // A timestamp that wraps at 24 bits is reported by RTMP-CS-TS24.
        let isWrap = 1 << 24 - Self.wrapMilliseconds...1 << 24 ~= back.milliseconds
        guard !isRestart, !isWrap, reported.isNew(step.event.stream) else { return }
        let message = Text(
            "FLV-TS.back", .string(back.mediaType), .integer(back.milliseconds), .integer(Int(back.from)),
            .integer(Int(back.to)))
        // If chunks are missing, the reference of the timestamp may be missing as well.
        if step.mayHaveMissed { return judgement.inconclusive(message, subject: back.mediaType) }
        judgement.fail(message, subject: back.mediaType)
    }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let details = stream.rtmp else { return judgement.ignore() }
        guard details.track.frames > 1 else { return }
        if let standstill = details.track.standstill {
            return judgement.fail(
                Text(
                    "FLV-TS.still", .string(details.track.mediaType), .integer(standstill.messages),
                    .integer(Int(standstill.timestamp)), .seconds(standstill.seconds)),
                subject: "still", frame: standstill.frame, time: standstill.began)
        }
        if details.track.timestampsBack == 0 { judgement.pass() }
        guard details.track.timestampsBack == 0, let offsets = details.track.steadyOffsets else { return }
        let apart = offsets.largest > -offsets.smallest ? offsets.largest : offsets.smallest
        guard apart.magnitude > Self.milliseconds else {
            judgement.pass()
            return
        }
        let message = Text(
            apart > 0 ? "FLV-TS.ahead" : "FLV-TS.behind", .integer(Int(apart.magnitude)), .integer(Self.milliseconds))
        if session?.completeness.mayLackEarlier == true {
            judgement.inconclusive(message, subject: "apart")
        } else {
            judgement.fail(message, subject: "apart")
        }
    }
}
