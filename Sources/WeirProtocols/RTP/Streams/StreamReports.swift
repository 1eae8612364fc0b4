import WeirEngine
package import WeirPackets

/// What RTCP says about one stream: the sender's reports and those of its receivers.
package struct StreamReports: Sendable {
    /// Sender reports remembered to match reception reports with: a receiver names the last one it got.
    private static let remembered = 8

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
    /// Reception reports that name a sender report which the capture did not see.
    package private(set) var unknownLastReports = 0
    /// Where the first of these came.
    package private(set) var unknownLastReportPlace: (frame: Int, time: Timestamp)?
    /// Those of them that name a moment at which no sender report can have come.
    package private(set) var impossibleLastReports = 0
    /// Where the first of these came.
    package private(set) var impossibleLastReportPlace: (frame: Int, time: Timestamp)?
    /// Seconds to the receiver and back that are believed.
    private static let longestTrip = 2.0
    /// Frame and time of the reception report with the most losses.
    package private(set) var worstReport: (frame: Int, time: Timestamp)?
    /// What receivers asked for, and what came of it.
    package var requests = FeedbackRequests()
    /// Whether the source said goodbye.
    package private(set) var hasBye = false
    /// Requests for a new key frame (PLI and FIR).
    package private(set) var keyframeRequests = 0
    /// Packets asked for again (NACK).
    package private(set) var requestedAgain = 0

    private var recent: [(middle: UInt32, time: Timestamp)] = []

    /// Begins without a report.
    package init() {}

    /// Takes a report of the stream's source, seen at `time`.
    package mutating func observe(_ report: SenderReport, at place: EventContext, packetsSeen: Int, octetsSeen: Int) {
        let time = place.time
        senderReports += 1
        let sent = Sent(
            report: report, time: time, frame: place.frame, packetsSeen: packetsSeen,
            octetsSeen: octetsSeen)
        if first == nil { first = sent }
        last = sent
        if recent.count == Self.remembered { recent.removeFirst() }
        recent.append((report.middleNTP, time))
    }

    /// Takes a report that came before the stream's first packet: reception reports may name it, but it says nothing of
    /// packets, and servers that prepare media count another time until it flows.
    package mutating func remember(_ report: SenderReport, at time: Timestamp) {
        senderReports += 1
        earlyReports += 1
        if recent.count == Self.remembered { recent.removeFirst() }
        recent.append((report.middleNTP, time))
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
        fractionLost = block.fractionLost
        highestFractionLost = max(highestFractionLost, block.fractionLost)
        reportedJitter = block.jitter
        guard block.lastSenderReport != 0 else { return }
        guard let sent = recent.last(where: { $0.middle == block.lastSenderReport }) else {
            noteUnknown(block, place)
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

    /// Takes note of a block that names a sender report which was not seen.
    ///
    /// Its delay says when that report arrived, and its number when it was sent. Where both are the same moment by the clock
    /// of a report that was seen, there was one, which the capture may lack.
    private mutating func noteUnknown(_ block: ReportBlock, _ place: EventContext) {
        unknownLastReports += 1
        guard let known = recent.last else { return }
        let arrived = place.time.seconds(since: known.time) - block.delaySeconds
        let sent = Double(Int32(bitPattern: block.lastSenderReport &- known.middle)) / 65_536
        guard (arrived - sent).magnitude > Self.longestTrip else { return }
        impossibleLastReports += 1
        if impossibleLastReportPlace == nil { impossibleLastReportPlace = (place.frame, place.time) }
    }

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
    package mutating func observeBye() {
        hasBye = true
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
