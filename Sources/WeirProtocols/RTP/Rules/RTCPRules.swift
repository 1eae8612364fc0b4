import WeirEngine
import WeirPackets

/// Shared parts of the rules about missing RTCP reports.
enum ReportInterval {
    /// Three times the minimum interval of 5 seconds (RFC 3550 §6.2), by which any reporting participant has reported.
    static let seconds = 15.0

    /// Returns the duration of a stream in seconds, without pauses.
    static func duration(_ stream: StreamRecord) -> Double {
        stream.media?.activeSeconds ?? stream.endTime.seconds(since: stream.startTime)
    }

    /// Returns the session of a stream whose reports were due and missing, and its duration in seconds. In other cases,
    /// sets the verdict and returns nil.
    static func unreported(
        _ stream: StreamRecord, _ session: Session?, reports: Int, _ rule: String, _ judgement: inout Judgement
    ) -> (session: any MediaOwner, seconds: Double)? {
        guard reports == 0 else {
            judgement.pass()
            return nil
        }
        // Encrypted reports are not parsed, and therefore not counted.
        let isEncrypted = stream.media?.agreement.isEncrypted == true || stream.media?.mainFormat?.isEncrypted == true
        let lasted = duration(stream)
        guard lasted >= seconds, !isEncrypted else {
            judgement.notApplicable()
            return nil
        }
        guard let session = session?.mediaOwner else {
            judgement.inconclusive(Text("\(rule).inconclusive", .decimal(lasted, places: 1)))
            return nil
        }
        return (session, lasted)
    }
}

/// RTCP-SR-ABSENT: media senders send reports.
///
/// All participants send RTCP periodically (RFC 3550 §6), and active senders send sender reports (§6.1, §6.4); without
/// them audio and video cannot be synchronized. The time limit is set by the profile. Some servers never send any. For
/// unsignaled media, RTCP may use unknown ports.
struct RTCPSenderReportAbsent: Rule {
    static let info = RuleInfo(
        "RTCP-SR-ABSENT", .warning, .must, needsFullCapture: true, reference: "RFC 3550 §6.4",
        check: "A sender of media sends a sender report within 15 seconds.",
        example: "video, 60 s of RTP, no RTCP sender report")
    static let observes: [String] = []

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let details = stream.media,
            let (session, seconds) = ReportInterval.unreported(
                stream, session, reports: details.stream.reports.senderReports, Self.info.id, &judgement)
        else { return }
        judgement.fail(
            Text("RTCP-SR-ABSENT.never", .decimal(seconds, places: 1)),
            quirk: session.lacksSenderReports ? "Q-RTP" : nil, subject: stream.mediaType ?? "",
            frame: details.stream.places.reportDue?.frame, time: details.stream.places.reportDue?.time)
    }
}

/// RTCP-RR-ABSENT: media receivers report reception.
///
/// Receivers send receiver reports (RFC 3550 §6.1, §6.4), unless the description sets their bandwidth to zero with
/// `b=RR:0` (RFC 3556 §2). The time limit is set by the profile.
struct RTCPReceiverReportAbsent: Rule {
    static let info = RuleInfo(
        "RTCP-RR-ABSENT", .warning, .must, needsFullCapture: true, reference: "RFC 3550 §6.4",
        check: "A receiver of media sends a receiver report within 15 seconds, unless b=RR:0.",
        example: "video, 60 s of RTP, no RTCP receiver report")
    static let observes: [String] = []

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let details = stream.media,
            let (session, seconds) = ReportInterval.unreported(
                stream, session, reports: details.stream.reports.receiverReports, Self.info.id, &judgement)
        else { return }
        if session.deniesReceiverReports(stream) {
            judgement.notApplicable()
            return
        }
        judgement.fail(
            Text("RTCP-RR-ABSENT.never", .decimal(seconds, places: 1)), subject: stream.mediaType ?? "",
            frame: details.stream.places.reportDue?.frame, time: details.stream.places.reportDue?.time)
    }
}

/// RTP-PORT-EVEN: RTP uses an even port, RTCP the next one.
///
/// 1. The port that RTP is sent to should be even (RFC 3550 §11).
/// 2. In SDP, other ports must be signaled with `a=rtcp` (RFC 8866 §5.14); with `a=rtcp-mux` there is no second port.
///
/// Ports negotiated by RTSP are checked by RTSP-PORT-PAIR. Without signaling an odd port proves nothing.
struct RTPPortEven: Rule {
    static let info = RuleInfo(
        "RTP-PORT-EVEN", .warning, .should, reference: "RFC 3550 §11",
        check: "RTP uses an even port, unless a=rtcp or a=rtcp-mux says otherwise.",
        example: "m=audio 49171 RTP/AVP 0")
    static let observes = ["sdp"]
    static let dependsOnlyOnContent = true

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let description = step.description else { return }
        for (index, medium) in description.media.enumerated() {
            guard let port = medium.port, port > 0, TextSyntax.hasPrefix(medium.proto, "RTP/") else { continue }
            // Port 9 means that the port is not known yet (RFC 8840 §4.1.1).
            let isReported = medium.attributes.has("rtcp") || medium.attributes.has("rtcp-mux") || port == 9
            if port % 2 == 0 || isReported {
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
        // Behind a relay the ports are those of the relay connection.
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
