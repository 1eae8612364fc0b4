import WeirEngine
package import WeirPackets

/// The RTCP statistics of one stream: sender reports and reception reports.
package struct StreamReports: Sendable {
    /// A captured sender report.
    package struct Sent: Sendable {
        /// The report, without its report blocks.
        package var report: SenderReport
        /// The capture time.
        package var time: Timestamp
        /// The frame.
        package var frame: Int
        /// Packets of the stream captured by then.
        package var packetsSeen: Int
        /// Payload octets of the stream captured by then.
        package var octetsSeen: Int
    }

    /// Sender reports of the source.
    package private(set) var senderReports = 0
    /// Sender reports received before the first packet.
    package private(set) var earlyReports = 0
    /// Reception report blocks about the stream.
    package private(set) var receiverReports = 0
    /// Cumulative packets lost, as last reported; may be negative.
    package private(set) var reportedLost: Int32?
    /// Cumulative losses in the first and last report of the receiver that reported first.
    package private(set) var losses: (receiver: Endpoint, first: Int32, last: Int32)?
    /// The highest sequence number in its last report, if it alone receives the packets; those of a multicast group may
    /// take other paths.
    package private(set) var lossesUntil: UInt16?
    /// Losses in extended reports of one receiver, each over different packets (RFC 3611 §4.1, §4.6), and the first
    /// position.
    package private(set) var extendedLosses:
        (receiver: Endpoint, lost: Int, until: UInt16, frame: Int, time: Timestamp)?
    /// The last reported fraction lost, in 256ths.
    package private(set) var fractionLost: UInt8?
    /// The highest reported fraction lost, in 256ths.
    package private(set) var highestFractionLost: UInt8 = 0
    /// The last reported jitter, in ticks.
    package private(set) var reportedJitter: UInt32?
    /// The first sender report.
    package private(set) var first: Sent?
    /// The last sender report.
    package private(set) var last: Sent?
    /// The first sender report whose packet count is below that of the previous one.
    package private(set) var fall: (from: UInt32, to: UInt32, frame: Int, time: Timestamp)?
    /// The first sender report whose timestamps advanced differently from its NTP times since the previous report.
    package private(set) var clockStep: (passed: Double, ticks: Double, frame: Int, time: Timestamp)?
    /// The first sender report whose packet count since the first report is not that of the packets captured by then.
    package private(set) var miscount: (frame: Int, time: Timestamp)?
    /// Whether a sender report has an earlier NTP time than the previous one: the capture may have reordered them.
    package private(set) var areTurned = false
    /// Number of round trips measured.
    package private(set) var roundTrips = 0
    /// The last round-trip time between capture point and receiver, in milliseconds.
    package private(set) var lastRoundTrip: Double?
    /// The shortest round-trip time, in milliseconds.
    package private(set) var shortestRoundTrip: Double?
    /// The longest round-trip time, in milliseconds.
    package private(set) var longestRoundTrip: Double?
    /// The sum of all round-trip times, in milliseconds.
    private var roundTripSum = 0.0
    /// The shortest interval between two sender reports, in seconds.
    package private(set) var shortestInterval: Double?
    /// The reports that ended the first interval, and the first one of more than three times the usual minimum.
    package private(set) var intervalPlaces:
        (short: (frame: Int, time: Timestamp)?, long: (frame: Int, time: Timestamp)?)
    /// Reception reports that refer to a sender report that was not captured.
    package private(set) var unknownLastReports = 0
    /// Frame and time of the first of them.
    package private(set) var unknownLastReportPlace: (frame: Int, time: Timestamp)?
    /// Those of them that refer to a time in the future, by the source's own clock.
    package private(set) var futureLastReports = 0
    /// The earliest time that they refer to, in capture time.
    package private(set) var earliestUnknownReport: Timestamp?
    /// Frame and time of the reception report with the highest loss.
    package private(set) var worstReport: (frame: Int, time: Timestamp)?
    /// The highest cumulative loss in reports of the receiver that reported first.
    package private(set) var highestLost: Int32?
    /// The report of that receiver with the most losses since its previous one, by its fraction lost.
    package private(set) var worstFraction: (lost: Int, expected: Int, frame: Int, time: Timestamp)?
    private var countedHighest: UInt32?
    /// Receiver requests and their fulfillment.
    package var requests: FeedbackRequests
    /// Frame and time of the first BYE of the source.
    package private(set) var bye: (frame: Int, time: Timestamp)?
    /// Whether the source sent a BYE.
    package var hasBye: Bool { bye != nil }
    /// The first reception report with a sequence number far ahead of the latest received.
    package private(set) var ahead: (number: UInt16, latest: UInt16, frame: Int, time: Timestamp)?
    private var reportedHighest: UInt32 = 0
    /// Key frame requests (PLI and FIR).
    package private(set) var keyframeRequests = 0
    /// Range NACKs of RIST.
    package private(set) var rangeRequests = 0
    /// Packets requested by NACK.
    package private(set) var requestedAgain = 0

    private var recent: [(middle: UInt32, time: Timestamp)] = []
    private let most: Int

    /// Creates statistics without reports.
    package init(_ limits: RTPLimits = RTPLimits()) {
        most = max(1, limits.senderReports)
        requests = FeedbackRequests(limits)
    }

    /// Tolerated difference between timestamps and NTP times of two reports, in seconds: pictures may be late.
    private static let secondsOfStep = 1.0
    /// Three times the minimum interval of RFC 3550 §6.2, in seconds.
    private static let longInterval = 15.0
    /// Packets that may be in flight when a report is made, and the tolerated share.
    static let slack = (packets: 5, share: 0.02)

    /// Processes a sender report of the source.
    ///
    /// - Parameters:
    ///   - missing: packets missing by then.
    ///   - clockRate: the clock rate, if known.
    package mutating func observe(
        _ report: SenderReport, at place: EventContext, packetsSeen: Int, octetsSeen: Int, missing: Int = 0,
        clockRate: Int? = nil
    ) {
        let time = place.time
        senderReports += 1
        var kept = report
        kept.reports = []
        let sent = Sent(
            report: kept, time: time, frame: place.frame, packetsSeen: packetsSeen, octetsSeen: octetsSeen)
        if first == nil { first = sent }
        if let last, report.ntpTimestamp < last.report.ntpTimestamp { areTurned = true }
        if let last, fall == nil, Int32(bitPattern: report.packetCount &- last.report.packetCount) < 0 {
            fall = (last.report.packetCount, report.packetCount, place.frame, time)
        }
        compare(sent, missing, clockRate)
        last = sent
        remember(report.middleNTP, time)
    }

    /// Compares a sender report with the previous and the first one.
    private mutating func compare(_ sent: Sent, _ missing: Int, _ clockRate: Int?) {
        guard let last, let first else { return }
        let interval = sent.time.seconds(since: last.time)
        shortestInterval = min(shortestInterval ?? .infinity, interval)
        if intervalPlaces.short == nil { intervalPlaces.short = (sent.frame, sent.time) }
        if intervalPlaces.long == nil, interval > Self.longInterval { intervalPlaces.long = (sent.frame, sent.time) }
        if clockStep == nil, let clockRate, clockRate > 0, sent.report.ntpTimestamp != 0, last.report.ntpTimestamp != 0
        {
            let passed = Double(Int64(bitPattern: sent.report.ntpTimestamp &- last.report.ntpTimestamp)) / 4_294_967_296
            let ticks =
                Double(Int32(bitPattern: sent.report.rtpTimestamp &- last.report.rtpTimestamp)) / Double(clockRate)
            if (ticks - passed).magnitude > Self.secondsOfStep { clockStep = (passed, ticks, sent.frame, sent.time) }
        }
        if miscount == nil {
            let counted = Int(Int32(bitPattern: sent.report.packetCount &- first.report.packetCount))
            let seen = sent.packetsSeen &- first.packetsSeen
            let slack = max(Self.slack.packets, Int(Double(seen) * Self.slack.share))
            if counted < seen &- slack || counted > seen &+ max(0, missing) &+ slack {
                miscount = (sent.frame, sent.time)
            }
        }
    }

    /// Processes a sender report received before the stream's first packet. Reception reports may refer to it, but its
    /// counts are unused, and servers that prepare media use another clock until it starts.
    package mutating func remember(_ report: SenderReport, at time: Timestamp) {
        senderReports += 1
        earlyReports += 1
        remember(report.middleNTP, time)
    }

    private mutating func remember(_ middle: UInt32, _ time: Timestamp) {
        if recent.count == most { recent.removeFirst() }
        recent.append((middle, time))
    }

    /// Compares the highest number of a reception report with the latest received by then. A receiver without new
    /// packets repeats the same number.
    package mutating func compare(_ block: ReportBlock, latest: UInt16, at place: EventContext) {
        defer { reportedHighest = block.extendedHighestSequence }
        let number = UInt16(truncatingIfNeeded: block.extendedHighestSequence)
        guard ahead == nil, block.extendedHighestSequence != 0, block.extendedHighestSequence != reportedHighest,
            Int64(Int16(bitPattern: number &- latest)) > RTPHeader.maximumDropout
        else { return }
        ahead = (number, latest, place.frame, place.time)
    }

    /// Processes a reception report block about the stream.
    ///
    /// The round trip is computed according to RFC 3550 §6.4.1, but from the capture times of the sender report and of
    /// the block: it is the time from the capture point to the receiver and back.
    package mutating func observe(_ block: ReportBlock, at place: EventContext) {
        let time = place.time
        receiverReports += 1
        if worstReport == nil || block.cumulativeLost > reportedLost ?? 0 { worstReport = (place.frame, time) }
        reportedLost = block.cumulativeLost
        if losses == nil { losses = (place.source, block.cumulativeLost, block.cumulativeLost) }
        if losses?.receiver == place.source {
            losses?.last = block.cumulativeLost
            noteWorst(block, place)
            let isAlone = !place.destination.address.isMulticast
            lossesUntil = isAlone ? UInt16(truncatingIfNeeded: block.extendedHighestSequence) : nil
        }
        fractionLost = block.fractionLost
        highestFractionLost = max(highestFractionLost, block.fractionLost)
        reportedJitter = block.jitter
        guard block.lastSenderReport != 0 else { return }
        guard let sent = recent.last(where: { $0.middle == block.lastSenderReport }) else {
            unknownLastReports += 1
            if unknownLastReportPlace == nil { unknownLastReportPlace = (place.frame, time) }
            note(unknown: block.lastSenderReport, at: time)
            return
        }
        observe(roundTrip: (time.seconds(since: sent.time) - block.delaySeconds) * 1_000)
    }

    /// Records a round trip between capture point and receiver, in milliseconds.
    package mutating func observe(roundTrip trip: Double) {
        // A delay above the time elapsed comes from clocks of different speed; a negative result is not a measurement.
        guard trip >= 0 else { return }
        roundTrips += 1
        roundTripSum += trip
        lastRoundTrip = trip
        shortestRoundTrip = min(shortestRoundTrip ?? trip, trip)
        longestRoundTrip = max(longestRoundTrip ?? trip, trip)
    }

    /// Records the highest loss of the receiver that reported first, in total and since its previous report.
    private mutating func noteWorst(_ block: ReportBlock, _ place: EventContext) {
        highestLost = max(highestLost ?? block.cumulativeLost, block.cumulativeLost)
        defer { countedHighest = block.extendedHighestSequence }
        guard let before = countedHighest else { return }
        let expected = Int(Int32(bitPattern: block.extendedHighestSequence &- before))
        let lost = expected &* Int(block.fractionLost) / 256
        guard 0...0xFFFF ~= expected, lost > worstFraction?.lost ?? 0 else { return }
        worstFraction = (lost, expected, place.frame, place.time)
    }

    /// Processes a report on losses in a range of packets. Ranges already reported on are ignored.
    package mutating func observe(lost: Int, from begin: UInt16, to end: UInt16, at place: EventContext) {
        guard let known = extendedLosses else {
            extendedLosses = (place.source, lost, end, place.frame, place.time)
            return
        }
        guard known.receiver == place.source, Int16(bitPattern: begin &- known.until) >= 0 else { return }
        extendedLosses?.lost = known.lost &+ lost
        extendedLosses?.until = end
        if known.lost == 0, lost > 0 {
            extendedLosses?.frame = place.frame
            extendedLosses?.time = place.time
        }
    }

    /// Estimates the sending time of a sender report that was not captured from one that was: both contain the source's
    /// clock.
    private mutating func note(unknown middle: UInt32, at time: Timestamp) {
        guard let known = recent.last else { return }
        let seconds = Double(Int32(bitPattern: middle &- known.middle)) / 65_536
        if seconds > time.seconds(since: known.time) + Self.secondsOfError { futureLastReports += 1 }
        let sent = Timestamp(nanoseconds: known.time.nanoseconds &+ Int64(seconds * 1_000_000_000))
        earliestUnknownReport = min(earliestUnknownReport ?? sent, sent)
    }

    /// The assumed error between the clocks of source and capture for reports kept, in seconds.
    package static let secondsOfError = 5.0

    /// Processes feedback about the stream.
    package mutating func observe(_ feedback: PayloadFeedback, at place: EventContext) {
        switch feedback.content {
        case .pictureLossIndication, .fullIntraRequest:
            keyframeRequests += 1
            requests.askForPicture(at: place)
        default: break
        }
    }

    /// Processes feedback about the stream.
    package mutating func observe(_ feedback: TransportFeedback, at place: EventContext) {
        guard case .nack(let lost) = feedback.content else { return }
        requestedAgain += lost.count
        requests.ask(lost, at: place)
    }

    /// Processes a request of RIST for packets.
    package mutating func observe(lost: [UInt16], at place: EventContext) {
        rangeRequests += 1
        requestedAgain += lost.count
        requests.ask(lost, at: place)
    }

    /// Records a BYE of the source.
    package mutating func observeBye(at place: EventContext) {
        if bye == nil { bye = (place.frame, place.time) }
    }

    /// The members of `rtcp` in the stream record; empty without reports.
    package var fields: [Field] {
        var fields: [Field] = []
        guard senderReports + receiverReports + keyframeRequests + requestedAgain > 0 || hasBye else { return fields }
        fields.add("senderReports", senderReports)
        fields.add("receiverReports", receiverReports)
        fields.add("reportedLost", reportedLost.map(Int.init))
        fields.add("fractionLost", fractionLost.map { Double($0) / 256 })
        if let lastRoundTrip, let shortestRoundTrip, let longestRoundTrip {
            fields.add(
                "roundTripMs",
                .object([
                    Field("last", .double(lastRoundTrip)), Field("min", .double(shortestRoundTrip)),
                    Field("mean", .double(roundTripSum / Double(max(1, roundTrips)))),
                    Field("max", .double(longestRoundTrip)),
                ]))
        }
        if keyframeRequests > 0 { fields.add("keyframeRequests", keyframeRequests) }
        if requestedAgain > 0 { fields.add("nackedPackets", requestedAgain) }
        fields += requests.fields
        fields.add("bye", hasBye)
        return fields
    }
}
