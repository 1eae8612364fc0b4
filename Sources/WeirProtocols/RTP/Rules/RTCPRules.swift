import WeirEngine
import WeirPackets

/// Reports of RTCP: what the rules about their absence share.
enum ReportInterval {
    /// Three times the minimum interval of 5 seconds (RFC 3550 §6.2): who reports at all has done so by then.
    static let seconds = 15.0

    /// Seconds that a stream lasted, without pauses.
    static func duration(_ stream: StreamRecord) -> Double {
        stream.media?.activeSeconds ?? stream.endTime.seconds(since: stream.startTime)
    }

    /// The session of a stream for which reports were due and none came, and how many seconds it lasted. In other cases the
    /// verdict is given here.
    static func unreported(
        _ stream: StreamRecord, _ session: Session?, reports: Int, _ rule: String, _ judgement: inout Judgement
    ) -> (session: any MediaOwner, seconds: Double)? {
        guard reports == 0 else {
            judgement.pass()
            return nil
        }
        // Encrypted reports are not read, and so not counted.
        let isEncrypted = stream.media?.agreement.isEncrypted == true || stream.media?.mainFormat?.isEncrypted == true
        let lasted = duration(stream)
        guard lasted >= seconds, !isEncrypted else {
            judgement.notApplicable()
            return nil
        }
        guard let session = session as? any MediaOwner else {
            judgement.inconclusive(Text("\(rule).inconclusive", .decimal(lasted, places: 1)))
            return nil
        }
        return (session, lasted)
    }
}

/// RTCP-SR-ABSENT: who sends media reports it.
///
/// RTCP is sent periodically by all participants (RFC 3550 §6), active senders send sender reports (§6.1, §6.4): without
/// them audio and video cannot be set in step. How long to wait is the profile's. Some servers are known never to send
/// any. For media that no signalling announced, RTCP may have gone where nobody knows.
struct RTCPSenderReportAbsent: Rule {
    static let info = RuleInfo(
        "RTCP-SR-ABSENT", .warning, .must, needsFullCapture: true, reference: "RFC 3550 §6.4",
        check: "A sender of media sends a sender report within 15 seconds.",
        example: "video, 60 s of RTP, no RTCP sender report")

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let details = stream.media,
            let (session, seconds) = ReportInterval.unreported(
                stream, session, reports: details.stream.reports.senderReports, Self.info.id, &judgement)
        else { return }
        judgement.fail(
            Text("RTCP-SR-ABSENT.never", .decimal(seconds, places: 1)),
            quirk: session.lacksSenderReports ? "Q-RTP" : nil, subject: stream.mediaType ?? "")
    }
}

/// RTCP-RR-ABSENT: who receives media reports how it arrives.
///
/// Receivers send receiver reports (RFC 3550 §6.1, §6.4), unless the description takes their share of the bandwidth away
/// with `b=RR:0` (RFC 3556 §2). How long to wait is the profile's.
struct RTCPReceiverReportAbsent: Rule {
    static let info = RuleInfo(
        "RTCP-RR-ABSENT", .warning, .must, needsFullCapture: true, reference: "RFC 3550 §6.4",
        check: "A receiver of media sends a receiver report within 15 seconds, unless b=RR:0.",
        example: "video, 60 s of RTP, no RTCP receiver report")

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let details = stream.media,
            let (session, seconds) = ReportInterval.unreported(
                stream, session, reports: details.stream.reports.receiverReports, Self.info.id, &judgement)
        else { return }
        if session.deniesReceiverReports(stream) {
            judgement.notApplicable()
            return
        }
        judgement.fail(Text("RTCP-RR-ABSENT.never", .decimal(seconds, places: 1)), subject: stream.mediaType ?? "")
    }
}

/// RTP-PORT-EVEN: RTP on an even port, RTCP on the next.
///
/// 1. The port that RTP is sent to should be even (RFC 3550 §11).
/// 2. In SDP, ports that do not follow this MUST be told with `a=rtcp` (RFC 8866 §5.14); with `a=rtcp-mux` there is no
///    second port.
///
/// Ports that RTSP agreed on are judged by RTSP-PORT-PAIR. Without any signalling an odd port proves nothing.
struct RTPPortEven: Rule {
    static let info = RuleInfo(
        "RTP-PORT-EVEN", .warning, .should, reference: "RFC 3550 §11",
        check: "RTP uses an even port, unless a=rtcp or a=rtcp-mux says otherwise.",
        example: "m=audio 49171 RTP/AVP 0")
    static let observes = ["sdp"]

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let description = step.description else { return }
        for (index, medium) in description.media.enumerated() {
            guard let port = medium.port, port > 0, TextSyntax.hasPrefix(medium.proto, "RTP/") else { continue }
            // Port 9 stands for "not known yet" (RFC 8840 §4.1.1).
            let isTold = medium.attributes.has("rtcp") || medium.attributes.has("rtcp-mux") || port == 9
            if port % 2 == 0 || isTold {
                judgement.pass()
            } else {
                judgement.fail(
                    Text("RTP-PORT-EVEN.odd", .integer(index + 1), .integer(Int(port))),
                    expected: .wire("m=\(medium.type) \(port & ~1)"), actual: .wire("m=\(medium.type) \(port)"),
                    subject: "\(index)")
            }
        }
    }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        // Behind a relay the ports are those of the connection to it.
        guard session == nil, let details = stream.media, details.channel == nil,
            !details.isRelayed
        else { return }
        if stream.destination.port % 2 == 0 {
            judgement.pass()
        } else {
            judgement.inconclusive(Text("RTP-PORT-EVEN.inconclusive", .integer(Int(stream.destination.port))))
        }
    }
}
