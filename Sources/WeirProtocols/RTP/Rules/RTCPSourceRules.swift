import WeirEngine
import WeirPackets

/// RTCP-BYE: a leaving source sends a BYE (RFC 3550 §6.3.7, §6.6).
///
/// Checked if a source that had sent reports stopped and the session continued for at least 10 seconds; a TEARDOWN
/// signals the end anyway. A BYE should be the last packet of its source (§6.1): a packet a second or more later was
/// not merely reordered.
struct RTCPGoodbye: Rule {
    static let info = RuleInfo(
        "RTCP-BYE", .note, .plain, needsFullCapture: true, reference: "RFC 3550 §6.3.7",
        check: "A source that stops before the session ends sends BYE.",
        example: "the last packet, 30 s of silence, TEARDOWN, and no BYE")
    static let observes: [String] = []

    private static let silence = 10.0
    private static let overtaken = 1.0

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media else { return judgement.ignore() }
        if let bye = media.reports.bye {
            judge(bye, media, stream, session, &judgement)
            return
        }
        guard media.reports.senderReports > 0 else {
            judgement.notApplicable()
            return
        }
        guard let session = session?.mediaOwner, !session.wasPaused, session.isEnding,
            let latest = session.phases.map(\.endTime).max(), latest.seconds(since: media.endTime) > Self.silence
        else {
            judgement.notApplicable()
            return
        }
        judgement.fail(
            Text("RTCP-BYE.never", .decimal(latest.seconds(since: media.endTime), places: 1)),
            subject: stream.mediaType ?? "")
    }
    private func judge(
        _ bye: (frame: Int, time: Timestamp), _ media: RTPStreamDetails, _ stream: StreamRecord, _ session: Session?,
        _ judgement: inout Judgement
    ) {
        let seconds = media.endTime.seconds(since: bye.time)
        // Some servers send a BYE at a pause.
        guard seconds > Self.overtaken, session?.mediaOwner?.wasPaused != true else {
            judgement.pass()
            return
        }
        judgement.fail(
            Text("RTCP-BYE.goesOn", .decimal(seconds, places: 1)), reference: "RFC 3550 §6.1",
            subject: stream.mediaType ?? "", frame: bye.frame, time: bye.time)
    }
}

/// RTCP-RR-SEQ: the extended highest sequence number of a reception report was sent by the source (RFC 3550 §6.4.1).
///
/// Checked by the lower 16 bits: a violation is further ahead of the last packet than any receiver accepts as loss
/// (§A.1), differs between reports, and never arrives.
struct RTCPHighestSequence: Rule {
    static let info = RuleInfo(
        "RTCP-RR-SEQ", .warning, .plain, needsFullCapture: true, reference: "RFC 3550 §6.4.1",
        check: "The highest sequence number in reception reports was sent.",
        example: "seq 1200 is the last one sent, and the report has 21200")
    static let observes: [String] = []

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media, media.reports.receiverReports > 0, media.sequence.restarts == 0 else {
            judgement.notApplicable()
            return
        }
        guard let report = media.reports.ahead, !media.sequence.hasSeen(report.number) else {
            judgement.pass()
            return
        }
        judgement.fail(
            Text("RTCP-RR-SEQ.ahead", .integer(Int(report.number)), .integer(Int(report.latest))),
            subject: stream.mediaType ?? "", frame: report.frame, time: report.time)
    }
}
