import WeirEngine
import WeirPackets

/// RTP-NOT-ARRIVED: media arrives after it was requested.
///
/// After PLAY the server starts sending (RFC 2326 §10.5); the limit of 5 seconds is set by the profile. Distinguishes
/// no media at all, one missing medium of several (a camera microphone may be off), late media, and packets that the
/// receiving host rejects with ICMP port unreachable during the session; packets in flight at its end are ignored. If
/// only RTCP is unreachable, which does little harm, it is a note.
///
/// For media without a session in the capture, it is unknown whether the receiver still wanted it: a warning if packets
/// were rejected for more than a second and until the end, and no receiver reported. A capture that ends before the
/// session shows as well that nothing arrived until then.
struct RTPNotArrived: Rule {
    static let info = RuleInfo(
        "RTP-NOT-ARRIVED", .error, .profile, reference: "RFC 2326 §10.5",
        check: "Media starts within 5 seconds after PLAY or RECORD was accepted.",
        example: "PLAY … 200 OK\n(no RTP packet; ICMP port unreachable from the client)", limits: [longest])
    static let observes = ["icmp"]

    private static let longest = RuleLimit("RTP-NOT-ARRIVED.longest", 5, "s")
    /// Seconds for which packets may be in flight to a receiver that has left.
    private static let leaving = 1.0
    /// Expected seconds between ICMP errors: hosts rate-limit them, often to one per second.
    private static let seldom = 1.5

    /// When the last stream ended.
    private var lastMedia: Timestamp?
    /// Endpoints whose host reported port unreachable.
    private var reported: Recent<Endpoint, Int> = Recent(limit: 64)

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let error = step.message(ICMPEvent.self), error.isRefusal,
            let session = step.session?.mediaOwner, !session.isEnding
        else { return }
        unreachable(error.quotedDestination, step.event.frame, session, &judgement)
    }

    private mutating func unreachable(
        _ target: Endpoint, _ frame: Int, _ session: any MediaOwner, _ judgement: inout Judgement
    ) {
        guard reported[target] == nil else { return }
        let media = session.agreedMedia
        if media.contains(where: { $0.rtpEndpoints.contains(target) }) {
            // Whether the receiver was leaving is known later.
            reported[target] = frame
        } else if media.contains(where: { $0.rtcpEndpoints.contains(target) }) {
            reported[target] = frame
            let message = Text("RTP-NOT-ARRIVED.rtcp", .string(target.description))
            guard session.completeness.isComplete else { return judgement.inconclusive(message, subject: "rtcp") }
            judgement.fail(message, severity: .note, reference: "RFC 3550 §11", subject: "rtcp")
        }
    }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        lastMedia = max(lastMedia ?? stream.endTime, stream.endTime)
        guard session == nil, let media = stream.media, !media.isRepair, let refusal = media.refusal else { return }
        guard media.reports.receiverReports == 0,
            stream.endTime.seconds(since: refusal.row.first.time) > Self.leaving,
            stream.endTime.seconds(since: refusal.latest) < Self.seldom
        else {
            judgement.notApplicable()
            return
        }
        judgement.fail(
            Text("RTP-NOT-ARRIVED.nobody", .string(refusal.destination.description), .integer(refusal.row.count)),
            severity: .warning, subject: "refused", frame: refusal.row.first.frame, time: refusal.row.first.time)
    }

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let session = session.mediaOwner else { return }
        for medium in session.formerMedia { absent(medium, mayLackMedia(session), session, &judgement) }
        guard let accepted = session.mediaAccepted else { return }
        let media = session.agreedMedia
        for (index, medium) in media.enumerated() {
            guard let target = medium.refused, let frame = reported[target] else { continue }
            let message = Text("RTP-NOT-ARRIVED.unreachable", .uri(Text.clip(medium.name)), .string(target.description))
            if session.completeness.isComplete {
                judgement.fail(message, subject: "\(index)", frame: frame)
            } else {
                judgement.inconclusive(message, subject: "\(index)", frame: frame)
            }
        }
        let hasAny = media.contains { $0.packets > 0 }
        let mayLack = mayLackMedia(session)
        let followed = session.isEnding ? accepted.time : session.followedUntil ?? accepted.time
        let latest = session.phases.reduce(max(lastMedia ?? accepted.time, followed)) { max($0, $1.endTime) }
        let waited = latest.seconds(since: accepted.time)
        // If UDP was not captured, missing datagrams cannot be detected.
        let isUndecided = session.completeness.lacksDatagrams
        for (index, medium) in media.enumerated() where medium.packets == 0 {
            if isUndecided, !medium.rtpEndpoints.isEmpty {
                judgement.inconclusive(
                    Text("RTP-NOT-ARRIVED.noDatagrams", .uri(Text.clip(medium.name))), subject: "\(index)")
                continue
            }
            absent(medium, index, waited, accepted.frame, hasAny: hasAny, mayLack: mayLack, &judgement)
        }
        guard hasAny else { return }
        let late = session.firstMediaTime?.seconds(since: accepted.time) ?? 0
        if late > judgement.limit(Self.longest) {
            let message = Text("RTP-NOT-ARRIVED.late", .decimal(late, places: 1))
            guard !mayLack else { return judgement.inconclusive(message, subject: "late", frame: accepted.frame) }
            judgement.fail(message, severity: .warning, subject: "late", frame: accepted.frame)
        } else {
            judgement.pass()
        }
    }

    /// Judges a medium that was given up for another session.
    private func absent(
        _ medium: FormerMedium, _ mayLack: Bool, _ session: any MediaOwner, _ judgement: inout Judgement
    ) {
        guard medium.waited >= judgement.limit(Self.longest) else { return judgement.notApplicable() }
        let name = Text.Argument.uri(Text.clip(medium.name))
        let message =
            medium.isOverUDP && session.completeness.lacksDatagrams
            ? Text("RTP-NOT-ARRIVED.noDatagrams", name)
            : Text("RTP-NOT-ARRIVED.never", name, .decimal(medium.waited, places: 1))
        guard !mayLack, !(medium.isOverUDP && session.completeness.lacksDatagrams) else {
            return judgement.inconclusive(message, subject: medium.name, frame: medium.frame)
        }
        judgement.fail(message, severity: .warning, subject: medium.name, frame: medium.frame)
    }

    /// Returns whether media may have arrived and not been captured.
    private func mayLackMedia(_ session: Session) -> Bool {
        var until = session.completeness
        until.endsEarly = false
        return !until.isComplete || until.clockWentBack || session.beganBehind
    }

    private func absent(
        _ medium: AgreedMedium, _ index: Int, _ waited: Double, _ frame: Int, hasAny: Bool, mayLack: Bool,
        _ judgement: inout Judgement
    ) {
        if medium.rtpEndpoints.contains(where: { reported[$0] != nil }) { return }
        if waited < judgement.limit(Self.longest) || medium.isMisplaced {
            judgement.notApplicable()
        } else {
            let message = Text("RTP-NOT-ARRIVED.never", .uri(Text.clip(medium.name)), .decimal(waited, places: 1))
            guard !mayLack else { return judgement.inconclusive(message, subject: "\(index)", frame: frame) }
            judgement.fail(message, severity: hasAny ? .warning : nil, subject: "\(index)", frame: frame)
        }
    }
}

/// RTP-SEQ-LOSS: few packets are missing.
///
/// Missing sequence numbers, counted according to RFC 3550 §A.3 after the reorder window. The limits are set by the
/// profile: more than 0.1 % is a warning, more than 2 % an error, with at least 5 packets. TCP does not lose packets:
/// what is missing there was missing before.
///
/// - Octets of a TCP connection that were not captured make loss on it inconclusive. They also prove that the capture
///   dropped packets, so loss over UDP is inconclusive as well, unless a receiver reports that much. A late start or
///   early end does not matter: only the numbers between the first and the last packet are evaluated.
/// - Packets that a receiver reports as received were dropped by the capture; those it counts as lost between its first
///   and last report are lost.
/// - Octets outside any interleaved frame show that frames were damaged: their packets are missing, too, and loss on the
///   connection is inconclusive.
/// - With reordering, numbers missing at the very edges of a capture are inconclusive, too.
/// - Some servers skip up to three numbers when media resumes after PAUSE or a seek: those are a note.
/// - Retransmitted packets (RFC 4588, RIST) and those received on the stream's twin (SMPTE ST 2022-7) are not lost.
/// - Lost retransmissions are requested again: their stream is not evaluated.
/// - If FEC packets share the sequence numbers of the stream, an unprotected missing number may belong to FEC.
struct RTPSequenceLoss: Rule {
    static let info = RuleInfo(
        "RTP-SEQ-LOSS", .warning, .profile, restsOnOrder: true, reference: "RFC 3550 §A.3",
        check: "No more than 0.1 % of a stream's sequence numbers are missing.",
        example: "seq 19400, 19404: 3 of 1,024 packets lost (0.29 %)", limits: [warning, error])
    static let observes: [String] = []

    private static let warning = RuleLimit("RTP-SEQ-LOSS.warning", 0.1, "%")
    private static let error = RuleLimit("RTP-SEQ-LOSS.error", 2, "%")
    private static let packetsOfError = 5

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let details = stream.media else { return judgement.ignore() }
        let figures = details.lossFigures
        let (lost, expected) = (figures.lost, figures.expected)
        guard !figures.isRepair else {
            judgement.notApplicable()
            return
        }
        guard figures.ratio > judgement.limit(Self.warning) / 100 else {
            if lost == 0, figures.perhapsSkipped > 0 { return perhapsSkipped(details, &judgement) }
            if lost == 0, figures.skipped > 0 { skipped(details, stream, &judgement) }
            let open = figures.undecided
            if Double(lost + open) > judgement.limit(Self.warning) / 100 * Double(expected) {
                judgement.inconclusive(Text("RTP-SEQ-LOSS.correction", .integer(open)))
            } else {
                judgement.pass()
            }
            return
        }
        judgeLoss(details, stream, session, lost: lost, expected: expected, &judgement)
    }

    /// Judges a stream that lacks more than the limit allows.
    private func judgeLoss(
        _ details: RTPStreamDetails, _ stream: StreamRecord, _ session: Session?, lost: Int, expected: Int,
        _ judgement: inout Judgement
    ) {
        // Packets with the marker and such a payload type look like RTCP.
        if details.stream.faults[.payloadTypeOfRTCP] != nil {
            return judgement.inconclusive(Text("RTP-SEQ-LOSS.inconclusive", .integer(lost)))
        }
        if details.stream.arrived > 0 { return arrived(details, stream, &judgement) }
        if isUnseen(details, session?.completeness), Int(details.stream.reports.reportedLost ?? 0) < lost {
            judgement.inconclusive(Text("RTP-SEQ-LOSS.inconclusive", .integer(lost)))
            return
        }
        if details.channel != nil, session?.mediaOwner?.hasFramingFault == true {
            judgement.inconclusive(Text("RTP-SEQ-LOSS.framing", .integer(lost)))
            return
        }
        // After a long silence the sequence numbers continue as expected. Whether the packets in between were lost or
        // sent elsewhere is unknown without a session that requested them.
        let missed = session == nil ? min(lost, details.stream.silence.missing) : 0
        let (shown, shownRatio) = (lost - missed, Double(lost - missed) / Double(max(1, expected - missed)))
        if missed > 0, shownRatio <= judgement.limit(Self.warning) / 100 {
            judgement.inconclusive(Text("RTP-SEQ-LOSS.silence", .integer(missed)))
            return
        }
        // With reordering, packets at the edges may have arrived before or after the capture.
        let isEdged = session.map { $0.completeness.startsLate || $0.completeness.endsEarly } ?? true
        let atEdges = details.stream.missingAtEdges
        if isEdged, details.stream.sequence.reordered > 0, atEdges > 0,
            Double(lost - atEdges) / Double(expected) <= judgement.limit(Self.warning) / 100
        {
            judgement.inconclusive(Text("RTP-SEQ-LOSS.edge", .integer(atEdges)))
            return
        }
        // Whether a neighboring stream retransmits packets would be in a description that was not captured.
        let mayBeRepaired = details.stream.hasNeighbour || session?.completeness.isCut == true
        if mayBeRepaired, !details.stream.agreement.isDescribed {
            judgement.inconclusive(Text("RTP-SEQ-LOSS.inconclusive", .integer(lost)))
            return
        }
        // Retransmissions beyond those tracked or parsed may have recovered everything.
        let unknown = details.stream.repairs.unkept + details.stream.repairs.unread
        guard unknown < lost - Int(Double(expected) * judgement.limit(Self.warning) / 100) else {
            judgement.inconclusive(Text("RTP-SEQ-LOSS.inconclusive", .integer(lost)))
            return
        }
        let isError = shownRatio > judgement.limit(Self.error) / 100 && shown >= Self.packetsOfError
        let runs = details.stream.repairs.lost
        let place = missed > 0 ? runs.soundingPlace : runs.place
        judgement.fail(
            Text(
                "RTP-SEQ-LOSS.lost", .integer(shown), .integer(expected - missed),
                .decimal(shownRatio * 100, places: 2),
                .integer(max(1, missed > 0 ? runs.soundingLongest : runs.longest))),
            expected: isError ? Self.atMost(judgement.limit(Self.error)) : nil,
            actual: isError ? .wire("\(rounded(shownRatio * 100, places: 2)) %") : nil,
            severity: isError ? .error : nil, subject: stream.mediaType ?? "", frame: place?.frame, time: place?.time)
    }

    /// Evaluates packets not captured but received: only what the receiver itself counts as lost is lost.
    private func arrived(_ details: RTPStreamDetails, _ stream: StreamRecord, _ judgement: inout Judgement) {
        let (lost, expected) = (details.stream.unrecovered, details.stream.sequence.expected)
        let losses = details.stream.reports.losses
        let counted = losses.map { min(lost, max(0, Int($0.last) - Int($0.first))) } ?? 0
        let ratio = Double(counted) / Double(max(1, expected))
        guard ratio > judgement.limit(Self.warning) / 100 else {
            let reported = max(0, Int(losses?.last ?? 0))
            judgement.inconclusive(Text("RTP-SEQ-LOSS.arrived", .integer(lost), .integer(reported)))
            return
        }
        let isError = ratio > judgement.limit(Self.error) / 100 && counted >= Self.packetsOfError
        let place = details.stream.repairs.lost.place
        judgement.fail(
            Text(
                "RTP-SEQ-LOSS.reported", .integer(counted), .integer(expected), .decimal(ratio * 100, places: 2),
                .integer(lost)),
            severity: isError ? .error : nil, subject: stream.mediaType ?? "", frame: place?.frame, time: place?.time)
    }

    /// Returns the limit above which a warning becomes an error, without trailing zeros.
    private static func atMost(_ limit: Double) -> Text {
        .wire("≤ \(rounded(limit, places: limit == limit.rounded() ? 0 : 2)) %")
    }

    /// Returns whether the missing packets may not have been captured.
    private func isUnseen(_ details: RTPStreamDetails, _ completeness: Session.Completeness?) -> Bool {
        if details.uncaptured > 0 { return true }
        guard let completeness else { return false }
        // A one-sided capture does not show when media was paused.
        let lacksAny = completeness.isCut || completeness.isOneSided
        return completeness.hasGap || details.channel != nil && lacksAny
    }

    /// Marks numbers as possibly skipped at a pause that was not captured.
    private func perhapsSkipped(_ details: RTPStreamDetails, _ judgement: inout Judgement) {
        let count = details.stream.skips.inferred
        guard Double(count) > judgement.limit(Self.warning) / 100 * Double(details.stream.sequence.expected) else {
            return judgement.pass()
        }
        judgement.inconclusive(Text("RTP-SEQ-LOSS.perhapsSkipped", .integer(count)))
    }

    private func skipped(_ details: RTPStreamDetails, _ stream: StreamRecord, _ judgement: inout Judgement) {
        let (count, expected) = (details.stream.skips.count, details.stream.sequence.expected)
        let ratio = expected > 0 ? Double(count) / Double(expected) : 0
        guard ratio > judgement.limit(Self.warning) / 100 else { return }
        judgement.fail(
            Text(
                "RTP-SEQ-LOSS.skipped", .integer(count), .integer(expected), .decimal(ratio * 100, places: 2),
                .integer(details.stream.skips.longest)),
            severity: .note, subject: stream.mediaType ?? "", frame: details.stream.skips.first?.frame,
            time: details.stream.skips.first?.time)
    }
}

/// RTP-JITTER: packets arrive evenly.
///
/// Compares the mean interarrival jitter of RFC 3550 §6.4.1 with the limits of the profile: 30 ms for audio, 50 ms for
/// video. Not evaluated: media over TCP, where arrival reflects TCP rather than the sender; paused streams, whose clock
/// stops meanwhile; retransmissions, which have original timestamps; and transport streams whose timestamps are not
/// transmission times (RFC 2250 §2). With B-frames timestamps go back and forth, which the formula counts as jitter of
/// up to two frames, so the limit for video is at least that.
struct RTPJitter: Rule {
    static let info = RuleInfo(
        "RTP-JITTER", .warning, .profile, reference: "RFC 3550 §6.4.1",
        check: "The mean interarrival jitter is at most 30 ms for audio and 50 ms for video.",
        example: "audio PCMU/8000: jitter 64.2 ms", limits: [audio, video])
    static let observes: [String] = []

    private static let audio = RuleLimit("RTP-JITTER.audio", 30, "ms")
    private static let video = RuleLimit("RTP-JITTER.video", 50, "ms")
    /// Initial seconds whose mean alone is not significant.
    private static let opening = 5.0

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let details = stream.media else { return judgement.ignore() }
        let wasPaused = session?.mediaOwner?.wasPaused ?? false
        guard let jitter = details.stream.jitter, details.channel == nil, details.stream.packets > 16, !wasPaused,
            details.stream.isTimed, !details.isRepair, details.stream.faults[.timestampOrder] == nil
        else {
            judgement.notApplicable()
            return
        }
        let frame = details.frameRate.map { $0 > 0 ? 1000 / $0 : 0 } ?? 0
        let limit =
            stream.mediaType == "audio"
            ? judgement.limit(Self.audio) : max(judgement.limit(Self.video), 2 * frame)
        let mean = jitter.meanMilliseconds
        guard mean > limit else {
            judgement.pass()
            return
        }
        let message = Text(
            "RTP-JITTER.high", .decimal(mean, places: 1), .decimal(limit, places: 0),
            .decimal(jitter.maximumMilliseconds, places: 1))
        // In a capture with duplicated packets, unrecognized copies may have affected the value, too.
        if details.stream.captureDuplicates > 0, details.stream.sequence.duplicates > 0 {
            judgement.inconclusive(message, subject: stream.mediaType ?? "")
            return
        }
        // Many senders burst at first, and what follows was not captured.
        if session?.completeness.endsEarly == true, stream.endTime.seconds(since: stream.startTime) < Self.opening {
            judgement.inconclusive(message, subject: stream.mediaType ?? "")
            return
        }
        judgement.fail(message, subject: stream.mediaType ?? "")
    }
}
