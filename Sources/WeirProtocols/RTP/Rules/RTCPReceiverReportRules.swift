import WeirEngine
import WeirPackets

/// RTCP-RR-LSR: a reception report refers to a sender report that was sent, or to 0 before the first (RFC 3550 §6.4.1).
///
/// A datagram with a sender report may not have been captured. Over UDP an unknown report is therefore an error only if
/// it cannot have been sent: its time, by the source's clock, is in the future or before the session.
struct RTCPLastReport: Rule {
    static let info = RuleInfo(
        "RTCP-RR-LSR", .warning, .plain, needsFullCapture: true, reference: "RFC 3550 §6.4.1",
        check: "The LSR of reception reports is the middle 32 bits of a sender report's NTP time, or 0.",
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
    /// Returns whether a sender report that was not captured cannot have been sent.
    private func isNeverSent(_ stream: StreamRecord, _ media: RTPStreamDetails, _ session: Session) -> Bool {
        if stream.media?.channel != nil { return true }
        if media.reports.futureLastReports > 0 { return true }
        // Multicast receivers may have been receiving for a long time.
        guard let start = session.phases.map(\.startTime).min(), !stream.destination.address.isMulticast,
            let earliest = media.reports.earliestUnknownReport
        else { return false }
        return start.seconds(since: earliest) > StreamReports.secondsOfError
    }
}

/// RTCP-RR-LOSS: where packets were lost, from the receiver's report and the capture together (RFC 3550 §6.4.1).
///
/// A receiver that reports much more loss than the capture shows lost packets downstream of the capture point. Losses
/// before the capture are not counted; the first report bounds them.
struct RTCPReportedLoss: Rule {
    static let info = RuleInfo(
        "RTCP-RR-LOSS", .note, .practice, reference: "RFC 3550 §6.4.1",
        check: "Receivers report the captured loss.",
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
        // A later report may contradict the highest one.
        let highest = max(losses.last, media.reports.highestLost ?? losses.last)
        let reported = Int(highest) - (isFromStart ? 0 : Int(losses.first))
        let lost = max(0, media.sequence.missing)
        guard reported - lost > max(5, media.sequence.expected / 50) else {
            judgeFraction(media, lost, stream, &judgement)
            return
        }
        judgement.fail(
            Text("RTCP-RR-LOSS.behind", .integer(reported), .integer(lost)), subject: stream.mediaType ?? "",
            frame: media.reports.worstReport?.frame, time: media.reports.worstReport?.time)
    }

    /// Evaluates the fraction lost of single reports, which counts the packets since the previous one.
    private func judgeFraction(
        _ media: RTPStreamDetails, _ lost: Int, _ stream: StreamRecord, _ judgement: inout Judgement
    ) {
        guard let worst = media.reports.worstFraction, worst.lost - lost > max(5, worst.expected / 10) else {
            judgement.pass()
            return
        }
        judgement.fail(
            Text("RTCP-RR-LOSS.fraction", .integer(worst.lost), .integer(worst.expected), .integer(lost)),
            subject: stream.mediaType ?? "", frame: worst.frame, time: worst.time)
    }

    /// Evaluates extended reports, which alone contain the range of packets they cover.
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

/// RTCP-NACK-SERVED: packets requested by NACK are retransmitted within half a second (RFC 4585 §6.2.1, RFC 4588 §6.3).
///
/// The sender may decline; the time limit is set by the profile. Retransmissions may use another source that is not
/// recognized; their absence is certain only if a description lists all formats.
struct RTCPNackServed: Rule {
    static let info = RuleInfo(
        "RTCP-NACK-SERVED", .warning, .profile, needsFullCapture: true, reference: "RFC 4585 §6.2.1",
        check: "Packets requested with NACK are retransmitted within 500 ms.",
        example: "NACK of seq 100, and no retransmission", limits: [longest])
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
        guard media.agreement.isDescribed, !media.formats.all.contains(where: \.isRepair) else {
            judgement.inconclusive(
                message, subject: stream.mediaType ?? "", frame: first.frame, time: first.time)
            return
        }
        judgement.fail(message, subject: stream.mediaType ?? "", frame: first.frame, time: first.time)
    }
}

/// RTCP-PLI-SERVED: a key frame is sent within 2 seconds after a request: FIR requires it (RFC 5104 §4.3.1), PLI makes
/// it likely (RFC 4585 §6.3.1).
struct RTCPPictureServed: Rule {
    static let info = RuleInfo(
        "RTCP-PLI-SERVED", .warning, .must, needsFullCapture: true, reference: "RFC 4585 §6.3.1",
        check: "A key frame is sent within 2 seconds after PLI or FIR.", example: "PLI, and no key frame for 5 s",
        limits: [longest])
    static let observes: [String] = []

    private static let longest = RuleLimit("RTCP-PLI-SERVED.longest", 2, "s")

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        // Without a session, completeness of the capture is unknown.
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
