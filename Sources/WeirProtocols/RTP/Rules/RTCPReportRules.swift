import WeirEngine
import WeirPackets

/// RTCP-SR-COUNT: a sender counts the packets and octets that it sends (RFC 3550 §6.4.1).
///
/// The growth from the first report to the last is compared with what the capture saw between them, and what it missed. Where
/// numbers leap, nobody knows how many packets are missing. Octets are those of payload: 12 more for each packet are the headers.
/// A count that falls though the source goes on is wrong by itself.
struct RTCPSenderCounts: Rule {
    static let info = RuleInfo(
        "RTCP-SR-COUNT", .warning, .plain, reference: "RFC 3550 §6.4.1",
        check: "The counts of sender reports grow as the packets in the capture do.",
        example: "500 packets more in the report, 100 in the capture, none missing")
    static let observes: [String] = []

    /// Packets that may be on their way when a report is made, and the share that counts as such.
    private static let slack = (packets: 5, share: 0.02)
    /// Octets of a header without contributing sources and extension (RFC 3550 §5.1).
    private static let header = 12

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media, let first = media.reports.first, let last = media.reports.last,
            last.frame != first.frame, session?.completeness.hasGap != true, session?.completeness.isCut != true,
            media.sequence.restarts == 0, last.packetsSeen > first.packetsSeen, !media.reports.areTurned
        else {
            judgement.notApplicable()
            return
        }
        if let fall = media.reports.fall, (session as? any MediaOwner)?.wasPaused != true {
            judgement.fail(
                Text("RTCP-SR-COUNT.fell", .integer(Int(fall.from)), .integer(Int(fall.to))),
                expected: .wire("≥ \(fall.from)"), actual: .wire("\(fall.to)"), subject: stream.mediaType ?? "",
                frame: fall.frame, time: fall.time)
            return
        }
        let sent = Int(Int32(bitPattern: last.report.packetCount &- first.report.packetCount))
        let seen = last.packetsSeen - first.packetsSeen
        let lost = max(0, media.sequence.missing)
        let slack = max(Self.slack.packets, Int(Double(seen) * Self.slack.share))
        let isTooFew = sent < seen - media.sequence.duplicates - slack
        if isTooFew || sent > seen + lost + slack {
            judgement.fail(
                Text("RTCP-SR-COUNT.packets", .integer(sent), .integer(seen), .integer(lost)),
                expected: .wire("\(seen)"), actual: .wire("\(sent)"), subject: stream.mediaType ?? "",
                frame: last.frame, time: last.time)
            return
        }
        let octets = Int(Int32(bitPattern: last.report.octetCount &- first.report.octetCount))
        let seenOctets = last.octetsSeen - first.octetsSeen
        if lost == 0, media.sequence.duplicates == 0, countsHeaders(sent, seen, octets - seenOctets) {
            judgement.fail(
                Text("RTCP-SR-COUNT.headers", .integer(octets), .integer(seenOctets)), expected: .wire("\(seenOctets)"),
                actual: .wire("\(octets)"), subject: stream.mediaType ?? "", frame: last.frame, time: last.time)
            return
        }
        let usual = Double(media.payloadOctets) / Double(max(1, media.packets))
        // Whoever sends a packet twice may count it once.
        let room = Double(slack + lost + media.sequence.duplicates) * usual + Double(seenOctets) * 0.1
        guard seen > 0, (Double(octets) - Double(seenOctets)).magnitude > room + 1_500 * Double(slack) else {
            judgement.pass()
            return
        }
        judgement.fail(
            Text("RTCP-SR-COUNT.octets", .integer(octets), .integer(seenOctets)), expected: .wire("\(seenOctets)"),
            actual: .wire("\(octets)"), subject: stream.mediaType ?? "", frame: last.frame, time: last.time)
    }

    /// Whether octets beyond those of payload are those of the headers, and no packets that were on their way: few make no
    /// difference.
    private func countsHeaders(_ sent: Int, _ seen: Int, _ excess: Int) -> Bool {
        let onTheirWay = ((sent - seen).magnitude + 2) * 1_500
        return sent * Self.header > Int(onTheirWay) * 2 && (excess - sent * Self.header).magnitude <= onTheirWay
    }
}

/// RTCP-SR-CLOCK: the timestamps of sender reports advance with their wall clock at the clock rate (RFC 3550 §6.4.1), and the
/// wall clock is about right: 0 and the time since the sender's start are allowed, another decade is a note.
struct RTCPSenderClock: Rule {
    static let info = RuleInfo(
        "RTCP-SR-CLOCK", .warning, .must, restsOnTimes: true, reference: "RFC 3550 §6.4.1",
        check:
            "Between sender reports RTP timestamps advance by the clock rate a second; the wall clock is about right.",
        example: "NTP 5.000 s on, RTP 900 000 on, clock rate 90 000", limits: [tolerance])
    static let observes: [String] = []

    private static let tolerance = RuleLimit("RTCP-SR-CLOCK.tolerance", 2, "%")
    /// Seconds by which both times of a report may be apart.
    private static let slack = 0.1
    /// Seconds by the timestamps and by the capture in which a wall clock that moves would have moved.
    private static let fewestSeconds = 5.0

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media, let clock = media.mainFormat?.clockRate, let first = media.reports.first,
            let last = media.reports.last
        else {
            judgement.notApplicable()
            return
        }
        if let wrong = [first, last].first(where: Self.hasOtherDate) {
            let date = NTPTime(wrong.report.ntpTimestamp).description
            judgement.fail(
                Text("RTCP-SR-CLOCK.date", .string(date)), actual: .wire(date), severity: .note, subject: "date",
                frame: wrong.frame, time: wrong.time)
        }
        guard last.frame != first.frame, first.report.ntpTimestamp != 0 else {
            judgement.notApplicable()
            return
        }
        let passed = Double(Int64(bitPattern: last.report.ntpTimestamp &- first.report.ntpTimestamp)) / 4_294_967_296
        let ticks = Double(Int32(bitPattern: last.report.rtpTimestamp &- first.report.rtpTimestamp))
        // A timestamp of 32 bits wraps, and one that jumped was said to.
        let standsStill =
            passed >= 0 && passed <= 1
            && min(ticks / Double(clock), last.time.seconds(since: first.time)) > Self.fewestSeconds
        guard passed > 1 || standsStill, passed < 20_000, media.timestampJumps == 0, media.sequence.restarts == 0,
            media.stretches.count == 1
        else {
            judgement.notApplicable()
            return
        }
        let difference = (ticks / Double(clock) - passed).magnitude
        guard difference > Self.slack + passed * judgement.limit(Self.tolerance) / 100 else {
            judgement.pass()
            return
        }
        judgement.fail(
            Text(
                "RTCP-SR-CLOCK.slope", .decimal(passed, places: 3), .decimal(ticks / Double(clock), places: 3),
                .integer(clock)),
            subject: stream.mediaType ?? "", frame: last.frame, time: last.time)
    }

    /// Whether the wall clock of a report is more than a day away from the capture's.
    private static func hasOtherDate(_ sent: StreamReports.Sent) -> Bool {
        let time = NTPTime(sent.report.ntpTimestamp)
        guard time.isWallClock else { return false }
        let captured = Double(sent.time.nanoseconds) / 1_000_000_000
        return (time.secondsWithFraction - 2_208_988_800 - captured).magnitude > 86_400
    }
}

/// RTCP-RR-LSR: a reception report names a sender report that was sent, or 0 before the first (RFC 3550 §6.4.1).
///
/// A datagram with a sender report may be missing from the capture. So a report that was not seen is a fault over UDP only
/// where it cannot have been sent: its time, by the source's own clock, has not come yet, or is before the session.
struct RTCPLastReport: Rule {
    static let info = RuleInfo(
        "RTCP-RR-LSR", .warning, .plain, needsFullCapture: true, reference: "RFC 3550 §6.4.1",
        check: "LSR of reception reports is the middle of a sender report's NTP time, or 0.",
        example: "LSR 0x12345678, and no sender report with that time")
    static let observes: [String] = []

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media, media.reports.receiverReports > 0 else {
            judgement.notApplicable()
            return
        }
        let unknown = media.reports.unknownLastReports
        guard unknown > 0 else {
            judgement.pass()
            return
        }
        let message = Text(
            "RTCP-RR-LSR.unknown", .integer(unknown), .integer(media.reports.receiverReports))
        let place = media.reports.unknownLastReportPlace
        guard let session, media.reports.senderReports > 0, isNeverSent(stream, media, session) else {
            judgement.inconclusive(message, subject: stream.mediaType ?? "", frame: place?.frame, time: place?.time)
            return
        }
        judgement.fail(message, subject: stream.mediaType ?? "", frame: place?.frame, time: place?.time)
    }
}

extension RTCPLastReport {
    /// Whether a sender report that the capture does not hold cannot have been sent either.
    private func isNeverSent(_ stream: StreamRecord, _ media: RTPStreamDetails, _ session: Session) -> Bool {
        if stream.media?.channel != nil { return true }
        if media.reports.futureLastReports > 0 { return true }
        // The group of a multicast may have received for long.
        guard let start = session.phases.map(\.startTime).min(), !stream.destination.address.isMulticast,
            let earliest = media.reports.earliestUnknownReport
        else { return false }
        return start.seconds(since: earliest) > StreamReports.secondsOfError
    }
}

/// RTCP-RR-LOSS: where packets got lost, as the receiver's report and the capture tell together (RFC 3550 §6.4.1).
///
/// A receiver that reports much more loss than the capture shows has lost packets behind the place of capture. What it lost
/// before the capture began is not counted: its first report says how much that may be.
struct RTCPReportedLoss: Rule {
    static let info = RuleInfo(
        "RTCP-RR-LOSS", .note, .practice, reference: "RFC 3550 §6.4.1",
        check: "Receivers report the loss that the capture shows.",
        example: "98 % lost in the receiver report, nothing missing in the capture")
    static let observes: [String] = []

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media, media.sequence.restarts == 0 else {
            judgement.notApplicable()
            return
        }
        guard let losses = media.reports.losses else {
            judgeExtended(media, stream, &judgement)
            return
        }
        let isFromStart =
            session.map { !$0.completeness.startsLate } == true && !stream.destination.address.isMulticast
        let reported = Int(losses.last) - (isFromStart ? 0 : Int(losses.first))
        let lost = max(0, media.sequence.missing)
        guard reported - lost > max(5, media.sequence.expected / 50) else {
            judgement.pass()
            return
        }
        judgement.fail(
            Text("RTCP-RR-LOSS.behind", .integer(reported), .integer(lost)), subject: stream.mediaType ?? "",
            frame: media.reports.worstReport?.frame, time: media.reports.worstReport?.time)
    }

    /// Extended reports alone: they say which packets they are about.
    private func judgeExtended(_ media: RTPStreamDetails, _ stream: StreamRecord, _ judgement: inout Judgement) {
        guard let extended = media.reports.extendedLosses else {
            judgement.notApplicable()
            return
        }
        let lost = max(0, media.sequence.missing)
        guard extended.lost - lost > max(5, media.sequence.expected / 50) else {
            judgement.pass()
            return
        }
        judgement.fail(
            Text("RTCP-RR-LOSS.behind", .integer(extended.lost), .integer(lost)), subject: stream.mediaType ?? "",
            frame: extended.frame, time: extended.time)
    }
}

/// RTCP-INTERVAL: reports come about as often as they should (RFC 3550 §6.2, §6.3.1).
///
/// Two sources alone report every 5 seconds, or, with the reduced minimum, every 360 / bandwidth in kbit/s seconds; with
/// feedback (RFC 4585 §3.4) there is no minimum. Three times as seldom or as often is a note. Reports that the capture lacks
/// only make the time between others longer: what is seldom is judged by the two that came closest.
struct RTCPInterval: Rule {
    static let info = RuleInfo(
        "RTCP-INTERVAL", .note, .should, restsOnTimes: true, reference: "RFC 3550 §6.2",
        check: "Sender reports come neither three times as often nor three times as seldom as computed.",
        example: "a sender report every 60 s")
    static let observes: [String] = []

    private static let minimum = 5.0
    /// Intervals that are needed to call reports seldom: of a few, reports between them may be missing.
    private static let fewest = 4
    private static let factor = 3.0

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media, media.reports.senderReports - media.reports.earlyReports > 2,
            let first = media.reports.first,
            let last = media.reports.last, last.time > first.time
        else {
            judgement.notApplicable()
            return
        }
        let intervals = media.reports.senderReports - media.reports.earlyReports - 1
        let interval = last.time.seconds(since: first.time) / Double(intervals)
        let rate = max(media.bitrate ?? 0, 1) / 1_000
        // Who asks for packets again uses the profile, whatever was announced.
        let hasFeedback = media.agreement.hasFeedbackProfile || media.reports.requestedAgain > 0
        let often = hasFeedback ? 0 : min(Self.minimum, 360 / rate) / Self.factor
        let closest = media.reports.shortestInterval ?? 0
        let wasPaused = (session as? any MediaOwner)?.wasPaused == true
        let isSeldom = closest > Self.minimum * Self.factor && intervals >= Self.fewest && !wasPaused
        guard interval < often || isSeldom else {
            judgement.pass()
            return
        }
        judgement.fail(
            interval < often
                ? Text("RTCP-INTERVAL.often", .decimal(interval, places: 2))
                : Text("RTCP-INTERVAL.seldom", .decimal(closest, places: 2)),
            subject: stream.mediaType ?? "", frame: last.frame, time: last.time)
    }
}

/// RTCP-NACK-SERVED: packets that a receiver asks for again are sent again within half a second (RFC 4585 §6.2.1, RFC 4588
/// §6.3).
///
/// The sender may decline; how long to wait is the profile's. Retransmissions of another source may bring them unseen: only
/// where a description names all formats is it known that there are none.
struct RTCPNackServed: Rule {
    static let info = RuleInfo(
        "RTCP-NACK-SERVED", .warning, .profile, needsFullCapture: true, reference: "RFC 4585 §6.2.1",
        check: "Packets named in NACK come again within 500 ms.", example: "NACK of seq 100, and nothing",
        limits: [longest])
    static let observes: [String] = []

    private static let longest = RuleLimit("RTCP-NACK-SERVED.longest", 500, "ms")

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media, media.reports.requestedAgain > 0 else {
            judgement.notApplicable()
            return
        }
        let limit = judgement.limit(Self.longest) / 1_000
        let requests = media.reports.requests
        let due = requests.openPackets.filter { media.endTime.seconds(since: $0.time) > limit }
        guard let first = due.first else {
            if requests.answeredPackets > 0, requests.slowestPacket > limit {
                judgement.fail(
                    Text("RTCP-NACK-SERVED.late", .decimal(requests.slowestPacket * 1_000, places: 0)),
                    severity: .note, subject: stream.mediaType ?? "")
            } else {
                judgement.pass()
            }
            return
        }
        let message = Text(
            "RTCP-NACK-SERVED.never", .integer(due.count), .integer(media.reports.requestedAgain),
            .integer(Int(first.sequence)))
        guard media.agreement.isDescribed, !media.formats.values.contains(where: \.isRepair) else {
            judgement.inconclusive(
                message, subject: stream.mediaType ?? "", frame: first.frame, time: first.time)
            return
        }
        judgement.fail(message, subject: stream.mediaType ?? "", frame: first.frame, time: first.time)
    }
}

/// RTCP-PLI-SERVED: a key frame comes within 2 seconds after it was asked for: FIR demands it (RFC 5104 §4.3.1), PLI makes it
/// likely (RFC 4585 §6.3.1).
struct RTCPPictureServed: Rule {
    static let info = RuleInfo(
        "RTCP-PLI-SERVED", .warning, .must, needsFullCapture: true, reference: "RFC 4585 §6.3.1",
        check: "A key frame comes within 2 seconds after PLI or FIR.", example: "PLI, and no key frame for 5 s",
        limits: [longest])
    static let observes: [String] = []

    private static let longest = RuleLimit("RTCP-PLI-SERVED.longest", 2, "s")

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        // Outside a session nothing tells what the capture lacks.
        guard session != nil, let media = stream.media, media.reports.keyframeRequests > 0, media.canHaveKeyframes
        else {
            judgement.notApplicable()
            return
        }
        let limit = judgement.limit(Self.longest)
        let requests = media.reports.requests
        if let open = requests.openPicture, media.endTime.seconds(since: open.time) > limit {
            judgement.fail(
                Text("RTCP-PLI-SERVED.never", .decimal(media.endTime.seconds(since: open.time), places: 1)),
                subject: stream.mediaType ?? "", frame: open.frame, time: open.time)
        } else if let slowest = requests.slowestPicture, slowest.seconds > limit {
            judgement.fail(
                Text("RTCP-PLI-SERVED.late", .decimal(slowest.seconds, places: 1)), subject: stream.mediaType ?? "",
                frame: slowest.request.frame, time: slowest.request.time)
        } else if requests.answeredPictures > 0 {
            judgement.pass()
        } else {
            judgement.notApplicable()
        }
    }
}
