import WeirEngine
import WeirPackets

/// RTP-TS-RATE: timestamps advance at the announced clock rate (RFC 3550 §5.1).
///
/// The slope of the timestamps over capture time, after at least five seconds, may differ from the clock rate by 2 %
/// for video and 0.5 % for audio, in both halves. Bursts far from that line (media sent faster than real time or
/// delayed in transit) are no evidence. A single timestamp for all packets is always an error, and so are Opus packets
/// that last longer than their timestamps advance (RFC 7587 §4.1).
struct RTPTimestampRate: Rule {
    static let info = RuleInfo(
        "RTP-TS-RATE", .warning, .must, reference: "RFC 3550 §5.1",
        check: "Timestamps advance at the clock rate: within 2 % for video, 0.5 % for audio.",
        example: "a=rtpmap:96 H264/90000, and timestamps that advance by 180 000 per second",
        limits: [video, audio, shortest])
    static let observes: [String] = []

    private static let video = RuleLimit("RTP-TS-RATE.video", 2, "%")
    private static let audio = RuleLimit("RTP-TS-RATE.audio", 0.5, "%")
    private static let shortest = RuleLimit("RTP-TS-RATE.shortest", 5, "s")
    /// Tolerated deviation from the line in seconds, per second of the interval.
    private static let scatter = 0.02

    /// Packets with the same timestamp from which the clock counts as stopped.
    private static let stillPackets = 50

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media else { return judgement.ignore() }
        if isClockStopped(media, judgement.limit(Self.shortest) * 0.95) {
            judgement.fail(
                Text(
                    "RTP-TS-RATE.still", .integer(media.packets), .integer(Int(media.firstTimestamp)),
                    .decimal(media.activeSeconds, places: 1)),
                subject: stream.mediaType ?? "", frame: media.firstFrame, time: media.startTime)
            return
        }
        if let short = media.content.opus.short, media.isMostly(.opus),
            media.mainFormat?.clockRate == OpusPacket.clockRate
        {
            judge(short, stream, &judgement)
            return
        }
        guard let slope = media.slope.estimate, let format = media.mainFormat, let clock = format.clockRate,
            !format.isRepair, slope.seconds >= judgement.limit(Self.shortest) * 0.95,
            slope.deviation < Self.scatter * slope.seconds
        else {
            judgement.notApplicable()
            return
        }
        let tolerance =
            (format.mediaType == "audio" ? judgement.limit(Self.audio) : judgement.limit(Self.video)) / 100
        let off = (slope.rate - 1).magnitude
        guard off > tolerance + 3 * slope.uncertainty, slope.isOff(by: tolerance / 2) else {
            judgement.pass()
            return
        }
        judgement.fail(
            Text(
                "RTP-TS-RATE.off", .decimal(slope.rate * Double(clock), places: 0), .integer(clock),
                .decimal(off * 100, places: 1), .decimal(slope.seconds, places: 1)),
            expected: .wire("\(clock)"), actual: .wire("\(Int((slope.rate * Double(clock)).rounded()))"),
            subject: stream.mediaType ?? "", frame: media.firstFrame, time: media.startTime)
    }

    private func judge(_ short: OpusDurations.Short, _ stream: StreamRecord, _ judgement: inout Judgement) {
        let milliseconds = Double(short.duration) * 1_000 / Double(OpusPacket.clockRate)
        judgement.fail(
            Text(
                "RTP-TS-RATE.opus", .integer(short.advance),
                .decimal(milliseconds, places: milliseconds == milliseconds.rounded() ? 0 : 1),
                .integer(short.duration)),
            expected: .wire("\(short.duration)"), actual: .wire("\(short.advance)"), reference: "RFC 7587 §4.1",
            subject: stream.mediaType ?? "", frame: short.frame, time: short.time)
    }

    /// Returns whether all packets, over `seconds` seconds, have the same timestamp.
    private func isClockStopped(_ media: RTPStreamDetails, _ seconds: Double) -> Bool {
        guard let format = media.mainFormat, format.clockRate != nil, !format.isRepair, !format.isSupplement else {
            return false
        }
        return media.timestamps == 1 && media.packets - media.sequence.duplicates >= Self.stillPackets
            && media.activeSeconds >= seconds
    }
}

/// RTP-TS-BACK: timestamps neither go back nor jump (RFC 3550 §5.1, RFC 2326 §B).
///
/// Reordered pictures (B-frames) go back by less than a second, which is allowed; not so for a stream without
/// reordering so far, or for audio, if no packet is missing. A forward jump of more than 10 seconds beyond elapsed time
/// is a fault; a smaller one is a note. Timestamps of MPEG transport streams are transmission times (RFC 2250 §2) and
/// never go back; FFmpeg uses presentation times. If the session seeked, nothing is reported; if the capture may lack
/// that, the result is undecided.
struct RTPTimestampBack: Rule {
    static let info = RuleInfo(
        "RTP-TS-BACK", .warning, .must, reference: "RFC 3550 §5.1",
        check: "Timestamps go back only for picture reordering, and do not jump ahead by 10 seconds.",
        example: "timestamp 900000, then 9000", limits: [longest])
    static let observes: [String] = []

    private static let longest = RuleLimit("RTP-TS-BACK.longest", 10, "s")
    /// Minimum number of transport stream packets with transmission times before those of preceding packets; a single
    /// one may be a program restart.
    private static let fewestTurned = 3

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media else { return judgement.ignore() }
        guard media.jitter != nil, media.mainFormat?.isRepair != true else {
            judgement.notApplicable()
            return
        }
        let owner = session?.mediaOwner
        // Requests of other multicast members also interrupt the group's media.
        let turns = (owner?.mediaTurns ?? 0) + (owner?.hasMulticast == true ? 1 : 0)
        var isKept = true
        for (fault, key) in [
            (PacketFault.timestampBack, "RTP-TS-BACK.back"), (.timestampJump, "RTP-TS-BACK.ahead"),
        ] {
            guard let entry = media.faults[fault], entry.count > max(0, turns - 1) else { continue }
            isKept = false
            let seconds = Double(entry.highestDetail) / 1_000
            let isSmall = fault == .timestampJump && seconds < judgement.limit(Self.longest)
            let message = Text(
                key, .integer(entry.count), .decimal(seconds, places: 1),
                .string(entry.names), .integer(entry.frames.count))
            guard let session, !session.completeness.lacksMessages, !session.completeness.isFiltered else {
                judgement.inconclusive(message, subject: stream.mediaType ?? "", frame: entry.frames.first)
                continue
            }
            judgement.fail(
                message, severity: isSmall ? .note : nil, subject: stream.mediaType ?? "", frame: entry.frames.first,
                time: entry.time)
        }
        if let entry = media.faults[.timestampOrder], entry.count >= Self.fewestTurned {
            isKept = false
            judgement.fail(
                Text(
                    "RTP-TS-BACK.sent", .integer(entry.count), .integer(media.packets), .string(entry.names),
                    .integer(entry.frames.count)),
                quirk: "Q-RTP", severity: .note, reference: "RFC 2250 §2", subject: "sent", frame: entry.frames.first,
                time: entry.time)
        }
        if isKept { judgement.pass() }
    }
}

/// RTP-TS-AU: all packets of one access unit have the same timestamp (RFC 6184 §5.1, RFC 7798 §4.1, RFC 7741 §4.1).
///
/// Checked if a packet continues the picture of the previous packet: a later fragment, or a slice that does not begin a
/// picture.
struct RTPTimestampUnit: PacketFaultRule {
    static let info = RuleInfo(
        "RTP-TS-AU", .error, .must, reference: "RFC 6184 §5.1",
        check: "All packets of an access unit have the same timestamp.",
        example: "FU-A start with timestamp 9000, FU-A end with timestamp 9001")
    static let forms = [FaultForm(.unitTimestamps, "RTP-TS-AU.several")]
    static func judges(_ stream: RTPStreamDetails) -> Bool {
        stream.mainFormat.map { $0.hasPictures && $0.payload != .opaque } ?? false
    }
    static func reference(of payload: RTPPayloadFormat?) -> String? { Pictures.reference(of: payload) }
}

/// The clauses of video payload formats on markers and timestamps of a picture.
private enum Pictures {
    static func reference(of payload: RTPPayloadFormat?) -> String? {
        switch payload {
        case .h264: "RFC 6184 §5.1"
        case .h265: "RFC 7798 §4.1"
        case .vp8: "RFC 7741 §4.1"
        case .jpeg: "RFC 2435 §3"
        default: "RFC 3550 §5.1"
        }
    }
}

/// RTP-MARKER: the marker is on the last packet of a picture (RFC 6184 §5.1, RFC 7798 §4.1, RFC 7741 §4.1, RFC 2435
/// §3).
///
/// Receivers may rely on it, and display a picture later without it. Some cameras also set it on parameter sets and
/// supplemental information. For audio, it is on the first packet after silence only (RFC 3551 §4.1); aiortc sets it on
/// all packets.
struct RTPMarker: PacketFaultRule {
    static let info = RuleInfo(
        "RTP-MARKER", .warning, .plain, reference: "RFC 3550 §5.1",
        check: "The marker is on the last packet of each picture; for audio, on the first one of a talkspurt.",
        example: "timestamps 9000, 9000, 12600: no marker on the second packet")
    static let forms = [
        FaultForm(.markerMissing, "RTP-MARKER.missing"),
        FaultForm(.markerEarly, "RTP-MARKER.early"),
        FaultForm(
            .markerOfSound, "RTP-MARKER.sound", severity: .note, reference: "RFC 3551 §4.1", quirk: "Q-RTP"),
    ]
    static func judges(_ stream: RTPStreamDetails) -> Bool {
        stream.mainFormat.map { $0.hasPictures || $0.marksTalkspurts } ?? false
    }
    static func reference(of payload: RTPPayloadFormat?) -> String? { Pictures.reference(of: payload) }
}

/// RTP-PACE: the packets of a picture are sent before the next picture is due.
///
/// Compares the 99th percentile of sending times with the mean picture interval; the limit is set by the profile. Over
/// TCP the connection determines the pace, not the sender.
struct RTPPace: Rule {
    static let info = RuleInfo(
        "RTP-PACE", .warning, .profile, restsOnTimes: true, reference: "RFC 3550 §6.4.1",
        check: "The packets of a picture take no longer than the picture interval.",
        example: "25 pictures per second, and 99 of 100 within 62 ms", limits: [longest])
    static let observes: [String] = []

    private static let longest = RuleLimit("RTP-PACE.longest", 100, "%")
    private static let fewest = 100

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let details = stream.media, details.channel == nil,
            let rate = details.frameRate, rate > 0, details.stream.pacing.pictures >= Self.fewest,
            session?.mediaOwner?.wasPaused != true
        else {
            judgement.notApplicable()
            return
        }
        let pacing = details.stream.pacing
        let took = pacing.percentile99 / 1_000_000
        let interval = 1_000 / rate
        guard pacing.percentile99AtLeast / 1_000_000 > interval * judgement.limit(Self.longest) / 100 else {
            judgement.pass()
            return
        }
        judgement.fail(
            Text(
                "RTP-PACE.slow", .decimal(took, places: 1), .decimal(interval, places: 1),
                .decimal(Double(pacing.longest) / 1_000_000, places: 1)),
            subject: stream.mediaType ?? "", frame: pacing.longestPlace?.frame, time: pacing.longestPlace?.time)
    }
}
