import WeirEngine

/// FLV-TS: timestamps go forward in each track, and those of audio and video stay together.
///
/// Timestamps are milliseconds in 32 bits, which begin again at 0 after some seven weeks (RTMP §4); that is no step
/// back. A chunk whose time goes back has to carry it in full (RTMP §5.3.1.2.1), so that it is allowed, but players
/// stall. A new stream on the same message stream begins anew and is not judged: the first step back behind the words of
/// the server that publishing begins, and those behind its words that something else is played. That audio and video are no further
/// apart than 1 second is the profile's limit; across a hole in the capture it is not judged.
struct FLVTimestamps: FLVRule {
    static let info = RuleInfo(
        "FLV-TS", .warning, .profile, reference: "RTMP §4",
        check: "Timestamps of a track do not go back; audio and video are less than 1 second apart.",
        example: "video 40040, 40080, 38200")

    private static let milliseconds = 1_000

    private var told = TracksTold()
    /// The server said that a stream begins since media last came: it may begin anew.
    private var mayRestart = false
    /// A step back of what is published was let pass.
    private var isForgiven = false

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if let message = step.rtmp {
            guard case .command(let command) = message.payload, command.name == "onStatus" else { return }
            let code = command.arguments.lazy.compactMap { $0["code"]?.text }.first ?? ""
            if code == "NetStream.Publish.Start", !isForgiven {
                (mayRestart, isForgiven) = (true, true)
            } else if code.hasPrefix("NetStream.Play.") {
                mayRestart = true
            }
        } else if let back = step.message(RTMPTimestampBack.self) {
            judge(back, step, &judgement)
        }
    }

    private mutating func judge(_ back: RTMPTimestampBack, _ step: Step, _ judgement: inout Judgement) {
        defer { mayRestart = false }
        guard !mayRestart, told.isNew(step.event.stream) else { return }
        let message = Text(
            "FLV-TS.back", .string(back.mediaType), .integer(back.milliseconds), .integer(Int(back.from)),
            .integer(Int(back.to)))
        // Where chunks are missing, what the time counts from may be.
        if step.mayHaveMissed { return judgement.inconclusive(message, subject: back.mediaType) }
        judgement.fail(message, subject: back.mediaType)
    }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let track = stream.track, track.frames > 1 else { return }
        if track.timestampsBack == 0 { judgement.pass() }
        guard track.timestampsBack == 0, let offsets = track.offsets else { return }
        let apart = offsets.largest > -offsets.smallest ? offsets.largest : offsets.smallest
        guard apart.magnitude > Self.milliseconds else {
            judgement.pass()
            return
        }
        let message = Text("FLV-TS.apart", .integer(Int(apart.magnitude)), .integer(Self.milliseconds))
        if session?.completeness.mayLackEarlier == true {
            judgement.inconclusive(message, subject: "apart")
        } else {
            judgement.fail(message, subject: "apart")
        }
    }
}
