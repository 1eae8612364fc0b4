import WeirEngine
package import WeirPackets

/// What RTCP says about one stream: the sender's reports and those of its receivers.
package struct StreamReports: Sendable {
    /// A sender report as the capture saw it.
    package struct Sent: Sendable {
        /// The report.
        package var report: SenderReport
        /// When it was captured.
        package var time: Timestamp
        /// In which frame.
        package var frame: Int
        /// Packets of the stream that the capture had seen by then.
        package var packetsSeen: Int
        /// Payload octets of the stream that the capture had seen by then.
        package var octetsSeen: Int
    }

    /// Sender reports of the stream's source.
    package private(set) var senderReports = 0
    /// Those of them that came before the first packet.
    package private(set) var earlyReports = 0
    /// Reception report blocks about the stream.
    package private(set) var receiverReports = 0
    /// Packets lost since the beginning, as last reported; can be negative.
    package private(set) var reportedLost: Int32?
    /// What the receiver that reported first has said of losses since it began: in its first report, and in its last.
    package private(set) var losses: (receiver: Endpoint, first: Int32, last: Int32)?
    /// The highest number that it had got then, where it has the packets for itself: those of a group may take other ways.
    package private(set) var lossesUntil: UInt16?
    /// What extended reports of one receiver have said of losses, each of other packets (RFC 3611 §4.1, §4.6), and where first.
    package private(set) var extendedLosses:
        (receiver: Endpoint, lost: Int, until: UInt16, frame: Int, time: Timestamp)?
    /// The last reported fraction of packets lost, in 256ths.
    package private(set) var fractionLost: UInt8?
    /// The highest reported fraction of packets lost, in 256ths.
    package private(set) var highestFractionLost: UInt8 = 0
    /// The last reported jitter, in ticks.
    package private(set) var reportedJitter: UInt32?
    /// The first sender report.
    package private(set) var first: Sent?
    /// The last sender report.
    package private(set) var last: Sent?
    /// The first sender report whose count of packets is below that of the report before.
    package private(set) var fall: (from: UInt32, to: UInt32, frame: Int, time: Timestamp)?
    /// Whether a sender report names an earlier time than the one before: the capture may have them the wrong way round.
    package private(set) var areTurned = false
    /// Round trips measured.
    package private(set) var roundTrips = 0
    /// Milliseconds of the last round trip between the place of capture and the receiver.
    package private(set) var lastRoundTrip: Double?
    /// Milliseconds of the shortest round trip.
    package private(set) var shortestRoundTrip: Double?
    /// Milliseconds of the longest round trip.
    package private(set) var longestRoundTrip: Double?
    /// Milliseconds of all round trips together.
    private var roundTripSum = 0.0
    /// The shortest time between two sender reports, in seconds.
    package private(set) var shortestInterval: Double?
    /// Reception reports that name a sender report which the capture did not see.
    package private(set) var unknownLastReports = 0
    /// Where the first of these came.
    package private(set) var unknownLastReportPlace: (frame: Int, time: Timestamp)?
    /// Those of them that name a report of a time that has not come yet, by the source's own clock.
    package private(set) var futureLastReports = 0
    /// The earliest time that they name, in the time of the capture.
    package private(set) var earliestUnknownReport: Timestamp?
    /// Frame and time of the reception report with the most losses.
    package private(set) var worstReport: (frame: Int, time: Timestamp)?
    /// What receivers asked for, and what came of it.
    package var requests: FeedbackRequests
    /// Where the source said goodbye first.
    package private(set) var bye: (frame: Int, time: Timestamp)?
    /// Whether the source said goodbye.
    package var hasBye: Bool { bye != nil }
    /// The first reception report that names a number far ahead of the latest that had come.
    package private(set) var ahead: (number: UInt16, latest: UInt16, frame: Int, time: Timestamp)?
    private var reportedHighest: UInt32 = 0
    /// Requests for a new key frame (PLI and FIR).
    package private(set) var keyframeRequests = 0
    /// Packets asked for again (NACK).
    package private(set) var requestedAgain = 0

    private var recent: [(middle: UInt32, time: Timestamp)] = []
    private let most: Int

    /// Begins without a report.
    package init(_ limits: RTPLimits = RTPLimits()) {
        most = max(1, limits.senderReports)
        requests = FeedbackRequests(limits)
    }

    /// Takes a report of the stream's source, seen at `time`.
    package mutating func observe(_ report: SenderReport, at place: EventContext, packetsSeen: Int, octetsSeen: Int) {
        let time = place.time
        senderReports += 1
        let sent = Sent(
            report: report, time: time, frame: place.frame, packetsSeen: packetsSeen,
            octetsSeen: octetsSeen)
        if first == nil { first = sent }
        if let last, report.ntpTimestamp < last.report.ntpTimestamp { areTurned = true }
        if let last, fall == nil, Int32(bitPattern: report.packetCount &- last.report.packetCount) < 0 {
            fall = (last.report.packetCount, report.packetCount, place.frame, time)
        }
        if let last { shortestInterval = min(shortestInterval ?? .infinity, time.seconds(since: last.time)) }
        last = sent
        remember(report.middleNTP, time)
    }

    /// Takes a report that came before the stream's first packet: reception reports may name it, but it says nothing of
    /// packets, and servers that prepare media count another time until it flows.
    package mutating func remember(_ report: SenderReport, at time: Timestamp) {
        senderReports += 1
        earlyReports += 1
        remember(report.middleNTP, time)
    }

    private mutating func remember(_ middle: UInt32, _ time: Timestamp) {
        if recent.count == most { recent.removeFirst() }
        recent.append((middle, time))
    }

    /// Compares the highest number of a reception report with the latest that came by then. Who receives nothing more reports the
    /// same again.
    package mutating func compare(_ block: ReportBlock, latest: UInt16, at place: EventContext) {
        defer { reportedHighest = block.extendedHighestSequence }
        let number = UInt16(truncatingIfNeeded: block.extendedHighestSequence)
        guard ahead == nil, block.extendedHighestSequence != 0, block.extendedHighestSequence != reportedHighest,
            Int64(Int16(bitPattern: number &- latest)) > RTPHeader.maximumDropout
        else { return }
        ahead = (number, latest, place.frame, place.time)
    }

    /// Takes a reception report block about the stream, seen at `time`.
    ///
    /// The round trip is computed as RFC 3550 §6.4.1 has it for the sender, but between the capture's own times of the
    /// sender report and of the block: it is the way from the place of capture to the receiver and back.
    package mutating func observe(_ block: ReportBlock, at place: EventContext) {
        let time = place.time
        receiverReports += 1
        if worstReport == nil || block.cumulativeLost > reportedLost ?? 0 { worstReport = (place.frame, time) }
        reportedLost = block.cumulativeLost
        if losses == nil { losses = (place.source, block.cumulativeLost, block.cumulativeLost) }
        if losses?.receiver == place.source {
            losses?.last = block.cumulativeLost
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
        let trip = (time.seconds(since: sent.time) - block.delaySeconds) * 1_000
        // A delay beyond the time that really passed comes from clocks of other speed; below zero nothing was measured.
        guard trip >= 0 else { return }
        roundTrips += 1
        roundTripSum += trip
        lastRoundTrip = trip
        shortestRoundTrip = min(shortestRoundTrip ?? trip, trip)
        longestRoundTrip = max(longestRoundTrip ?? trip, trip)
    }

    /// Takes a report on a run of packets of the stream: how many of them were lost. Runs that were reported on before say nothing
    /// new.
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

    /// Finds out when a sender report was sent that the capture did not see, by one that it saw: both name the source's time.
    private mutating func note(unknown middle: UInt32, at time: Timestamp) {
        guard let known = recent.last else { return }
        let seconds = Double(Int32(bitPattern: middle &- known.middle)) / 65_536
        if seconds > time.seconds(since: known.time) + Self.secondsOfError { futureLastReports += 1 }
        let sent = Timestamp(nanoseconds: known.time.nanoseconds &+ Int64(seconds * 1_000_000_000))
        earliestUnknownReport = min(earliestUnknownReport ?? sent, sent)
    }

    /// By how much the clocks of source and capture may differ while a report is remembered.
    package static let secondsOfError = 5.0

    /// Takes feedback about the stream.
    package mutating func observe(_ feedback: PayloadFeedback, at place: EventContext) {
        switch feedback.content {
        case .pictureLossIndication, .fullIntraRequest:
            keyframeRequests += 1
            requests.askForPicture(at: place)
        default: break
        }
    }

    /// Takes feedback about the stream.
    package mutating func observe(_ feedback: TransportFeedback, at place: EventContext) {
        guard case .nack(let lost) = feedback.content else { return }
        requestedAgain += lost.count
        requests.ask(lost, at: place)
    }

    /// Notes that the source said goodbye.
    package mutating func observeBye(at place: EventContext) {
        if bye == nil { bye = (place.frame, place.time) }
    }

    /// The members of `rtcp` in the stream's record; empty when nothing was said.
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
