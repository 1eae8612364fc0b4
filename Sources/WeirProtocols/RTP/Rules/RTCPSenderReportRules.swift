import WeirEngine
import WeirPackets

/// RTCP-SR-COUNT: a sender counts the packets and octets that it sends (RFC 3550 §6.4.1).
///
/// The increase from the first report to the last is compared with the packets captured and missing between them. Where
/// sequence numbers jump, the number of missing packets is unknown. Octets are payload octets: an excess of 12 per
/// packet indicates that headers are counted. A count that decreases while the source continues is always an error.
struct RTCPSenderCounts: Rule {
    static let info = RuleInfo(
        "RTCP-SR-COUNT", .warning, .plain, reference: "RFC 3550 §6.4.1",
        check: "The counts of sender reports match the captured packets.",
        example: "500 more packets in the report, 100 captured, none missing")
    static let observes: [String] = []

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
        if let fall = media.reports.fall, session?.mediaOwner?.wasPaused != true {
            judgement.fail(
                Text("RTCP-SR-COUNT.fell", .integer(Int(fall.from)), .integer(Int(fall.to))),
                expected: .wire("≥ \(fall.from)"), actual: .wire("\(fall.to)"), subject: stream.mediaType ?? "",
                frame: fall.frame, time: fall.time)
            return
        }
        let sent = Int(Int32(bitPattern: last.report.packetCount &- first.report.packetCount))
        let seen = last.packetsSeen - first.packetsSeen
        let lost = max(0, media.sequence.missing)
        let slack = max(StreamReports.slack.packets, Int(Double(seen) * StreamReports.slack.share))
        let isTooFew = sent < seen - media.sequence.duplicates - slack
        if isTooFew || sent > seen + lost + slack {
            judgement.fail(
                Text("RTCP-SR-COUNT.packets", .integer(sent), .integer(seen), .integer(lost)),
                expected: .wire("\(seen)"), actual: .wire("\(sent)"), subject: stream.mediaType ?? "",
                frame: media.reports.miscount?.frame ?? last.frame, time: media.reports.miscount?.time ?? last.time)
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
        // A sender may count a packet sent twice once.
        let room = Double(slack + lost + media.sequence.duplicates) * usual + Double(seenOctets) * 0.1
        guard seen > 0, (Double(octets) - Double(seenOctets)).magnitude > room + 1_500 * Double(slack) else {
            judgement.pass()
            return
        }
        judgement.fail(
            Text("RTCP-SR-COUNT.octets", .integer(octets), .integer(seenOctets)), expected: .wire("\(seenOctets)"),
            actual: .wire("\(octets)"), subject: stream.mediaType ?? "", frame: last.frame, time: last.time)
    }

    /// Returns whether the excess over payload octets is that of the headers, and not of packets in flight: a few
    /// packets make no difference.
    private func countsHeaders(_ sent: Int, _ seen: Int, _ excess: Int) -> Bool {
        let onTheirWay = ((sent - seen).magnitude + 2) * 1_500
        return sent * Self.header > Int(onTheirWay) * 2 && (excess - sent * Self.header).magnitude <= onTheirWay
    }
}

/// RTCP-SR-CLOCK: the RTP timestamps of sender reports advance with the wall clock at the clock rate (RFC 3550 §6.4.1),
/// and the wall clock is plausible: 0 and the time since the sender's start are allowed; a date off by years is a note.
/// Reports of one host's streams use one wall clock, by which receivers synchronize audio and video.
struct RTCPSenderClock: Rule {
    static let info = RuleInfo(
        "RTCP-SR-CLOCK", .warning, .must, restsOnTimes: true, reference: "RFC 3550 §6.4.1",
        check: "Between sender reports, RTP timestamps advance at the clock rate; the wall clock is plausible.",
        example: "NTP 5.000 s on, RTP 900 000 on, clock rate 90 000", limits: [tolerance])
    static let observes: [String] = []

    private static let tolerance = RuleLimit("RTCP-SR-CLOCK.tolerance", 2, "%")
    /// Tolerated difference in seconds between the two clocks of a report.
    private static let slack = 0.1
    /// The longest pause of media, in nanoseconds, after which timestamps of reports are those of packets to come.
    private static let longestPause: Int64 = 1_000_000_000
    /// Minimum seconds, by timestamps and by capture time, in which a running wall clock must advance.
    private static let fewestSeconds = 5.0
    /// Seconds between the wall clocks of two streams that delays do not explain.
    private static let farApart = 5.0

    /// The wall clock of a stream's reports.
    private struct WallClock {
        var source: IPAddress
        var mediaType: String
        /// The wall clock minus the capture time, in seconds, of the first and of the last report; nil if unknown.
        var first: Double?
        var last: Double?
        var frame: Int
        var time: Timestamp

        /// Returns the smallest difference from another clock, in seconds.
        func least(from other: WallClock) -> Double? {
            var least: Double?
            func compare(_ one: Double?, _ other: Double?) {
                guard let one, let other else { return }
                if let least, least.magnitude <= (one - other).magnitude { return }
                least = one - other
            }
            compare(first, other.first)
            compare(first, other.last)
            compare(last, other.first)
            compare(last, other.last)
            return least
        }
    }

    private var wallClocks: [WallClock] = []
    private static let mostClocks = 16

    /// Compares the wall clocks of audio and video of one host.
    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        for sound in wallClocks where sound.mediaType == "audio" {
            guard let pictures = wallClocks.first(where: { $0.mediaType == "video" && $0.source == sound.source })
            else {
                continue
            }
            guard let least = pictures.least(from: sound), least.magnitude > Self.farApart else { continue }
            judgement.fail(
                Text(least > 0 ? "RTCP-SR-CLOCK.ahead" : "RTCP-SR-CLOCK.behind", .seconds(least.magnitude)),
                subject: "apart", frame: pictures.frame, time: pictures.time)
            return
        }
    }

    private mutating func note(_ stream: StreamRecord, _ first: StreamReports.Sent, _ last: StreamReports.Sent) {
        guard let type = stream.mediaType, wallClocks.count < Self.mostClocks else { return }
        let clock = WallClock(
            source: stream.source.address, mediaType: type, first: Self.offset(of: first), last: Self.offset(of: last),
            frame: first.frame, time: first.time)
        if clock.first != nil || clock.last != nil { wallClocks.append(clock) }
    }

    /// Returns the wall clock of a report minus the capture time, in seconds, or nil if it has no wall clock.
    private static func offset(of sent: StreamReports.Sent) -> Double? {
        let clock = NTPTime(sent.report.ntpTimestamp)
        guard clock.isWallClock else { return nil }
        return clock.secondsWithFraction - 2_208_988_800 - Double(sent.time.nanoseconds) / 1_000_000_000
    }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media, let first = media.reports.first, let last = media.reports.last else {
            judgement.notApplicable()
            return
        }
        if session != nil, !media.isRepair { note(stream, first, last) }
        guard let clock = media.mainFormat?.clockRate else {
            judgement.notApplicable()
            return
        }
        if let wrong = Self.hasOtherDate(first) ? first : Self.hasOtherDate(last) ? last : nil {
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
        // 32-bit timestamps wrap, and a timestamp jump was already reported.
        let isClockStopped =
            passed >= 0 && passed <= 1
            && min(ticks / Double(clock), last.time.seconds(since: first.time)) > Self.fewestSeconds
        guard passed > 1 || isClockStopped, passed < 20_000, media.jumps.count == 0, media.sequence.restarts == 0,
            media.stretches.count == 1
        else {
            judgement.notApplicable()
            return
        }
        let difference = (ticks / Double(clock) - passed).magnitude
        let step = media.longestDelta < Self.longestPause ? media.reports.clockStep : nil
        guard difference > Self.slack + passed * judgement.limit(Self.tolerance) / 100 else {
            guard let step else { return judgement.pass() }
            judgement.fail(
                Text("RTCP-SR-CLOCK.step", .decimal(step.passed, places: 3), .decimal(step.ticks, places: 3)),
                subject: stream.mediaType ?? "", frame: step.frame, time: step.time)
            return
        }
        judgement.fail(
            Text(
                "RTCP-SR-CLOCK.slope", .decimal(passed, places: 3), .decimal(ticks / Double(clock), places: 3),
                .integer(clock)),
            subject: stream.mediaType ?? "", frame: step?.frame ?? last.frame, time: step?.time ?? last.time)
    }

    /// Returns whether the wall clock of a report differs from the capture time by more than a day.
    private static func hasOtherDate(_ sent: StreamReports.Sent) -> Bool {
        offset(of: sent).map { $0.magnitude > 86_400 } ?? false
    }
}

/// RTCP-INTERVAL: reports are sent about as often as required (RFC 3550 §6.2, §6.3.1).
///
/// Two sources alone report every 5 seconds, or, with the reduced minimum, every 360 / bandwidth in kbit/s seconds;
/// with feedback (RFC 4585 §3.4) there is no minimum. An interval three times longer or shorter is a note. Reports not
/// captured only lengthen the interval between others, so the shortest interval is used to find rare reports. RIST has an
/// interval of its own, of at most 100 ms (VSF TR-06-1).
struct RTCPInterval: Rule {
    static let info = RuleInfo(
        "RTCP-INTERVAL", .note, .should, restsOnTimes: true, reference: "RFC 3550 §6.2",
        check: "The interval of sender reports is within a factor of three of the computed one.",
        example: "a sender report every 60 s")
    static let observes: [String] = []

    private static let minimum = 5.0
    /// Minimum number of intervals to report rare reports; with fewer, reports in between may be missing.
    private static let fewest = 4
    private static let factor = 3.0

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media, media.reports.senderReports - media.reports.earlyReports > 2,
            let first = media.reports.first,
            let last = media.reports.last, last.time > first.time, !(session is RISTSession)
        else {
            judgement.notApplicable()
            return
        }
        let intervals = media.reports.senderReports - media.reports.earlyReports - 1
        let interval = last.time.seconds(since: first.time) / Double(intervals)
        let rate = max(media.bitrate ?? 0, 1) / 1_000
        // A receiver that sends NACKs uses the feedback profile, whatever was announced.
        let hasFeedback = media.agreement.hasFeedbackProfile || media.reports.requestedAgain > 0
        let often = hasFeedback ? 0 : min(Self.minimum, 360 / rate) / Self.factor
        let closest = media.reports.shortestInterval ?? 0
        let wasPaused = session?.mediaOwner?.wasPaused == true
        let isSeldom = closest > Self.minimum * Self.factor && intervals >= Self.fewest && !wasPaused
        guard interval < often || isSeldom else {
            judgement.pass()
            return
        }
        let place = interval < often ? media.reports.intervalPlaces.short : media.reports.intervalPlaces.long
        judgement.fail(
            interval < often
                ? Text("RTCP-INTERVAL.often", .decimal(interval, places: 2))
                : Text("RTCP-INTERVAL.seldom", .decimal(closest, places: 2)),
            subject: stream.mediaType ?? "", frame: place?.frame ?? last.frame, time: place?.time ?? last.time)
    }
}
