import WeirEngine
import WeirPackets

/// RTCP-COMPOUND: an RTCP datagram begins with a sender or receiver report and contains a source description with a
/// CNAME (RFC 3550 §6.1), unless reduced size was negotiated under a feedback profile (RFC 5506 §4.1, §5). Nothing of
/// the source follows its BYE.
///
/// FFmpeg omits the CNAME unless one is configured; if the peer is known to be FFmpeg, that is a note. Without a
/// description, the negotiated parameters are unknown. An empty receiver report alone opens a port in a firewall.
struct RTCPCompoundForm: Rule {
    static let info = RuleInfo(
        "RTCP-COMPOUND", .error, .must, reference: "RFC 3550 §6.1",
        check: "An RTCP compound packet starts with a report and has a CNAME, unless a=rtcp-rsize was negotiated.",
        example: "a datagram with only a receiver report")

    static var sorts: MessageSorts { .rtcpFirst }
    static let briefly = BriefObservation.distinct

    /// Senders already reported, whatever their ports.
    private var said: Recent<IPAddress, Bool> = Recent(limit: 16)
    private var saidOfBye: Recent<IPAddress, Bool> = Recent(limit: 16)

    mutating func observe(_ step: BriefStep, _ judgement: inout Judgement) {
        guard let datagram = step.datagram, datagram.isFirst else { return }
        if datagram.goesOnBehindBye, saidOfBye[step.place.source.address] == nil {
            saidOfBye[step.place.source.address] = true
            judgement.fail(Text("RTCP-COMPOUND.bye"), severity: .note, subject: "bye")
        }
        guard !datagram.isEncrypted, !datagram.isCut, !datagram.opensPort, datagram.problem == nil,
            datagram.agreement.map({ !($0.hasReducedSize && $0.hasFeedbackProfile) }) ?? true
        else {
            judgement.notApplicable()
            return
        }
        guard !datagram.beginsWithReport || !datagram.hasCanonicalName else {
            judgement.pass()
            return
        }
        guard said[step.place.source.address] == nil else { return }
        said[step.place.source.address] = true
        let message = Text(datagram.beginsWithReport ? "RTCP-COMPOUND.noName" : "RTCP-COMPOUND.noReport")
        guard datagram.agreement?.isDescribed == true else {
            judgement.inconclusive(message)
            return
        }
        let isHabit = datagram.beginsWithReport
        let isKnown = isHabit && step.session?.mediaOwner?.omitsCNAME(step.place.source) == true
        judgement.fail(message, quirk: isHabit ? "Q-RTP" : nil, severity: isKnown ? .warning : nil)
    }
}

/// RTCP-LENGTH: the packets of a datagram fill it, and only the last has padding (RFC 3550 §6.1, §A.2).
///
/// Proprietary encryption also adds octets after the first packet, which cannot be distinguished without a description.
/// A datagram of a version other than 2 is reported on a port negotiated for RTCP, if everything but the version is
/// valid (§A.2).
struct RTCPLength: Rule {
    static let info = RuleInfo(
        "RTCP-LENGTH", .error, .must, reference: "RFC 3550 §6.1",
        check: "The version is 2, the lengths match the datagram, and only the last packet has padding.",
        example: "length 12 in a datagram of 28 octets")

    static var sorts: MessageSorts { .rtcpFirst }
    static let briefly = BriefObservation.distinct

    /// Senders already reported.
    private var said: Recent<Endpoint, Bool> = Recent(limit: 16)

    mutating func observe(_ step: BriefStep, _ judgement: inout Judgement) {
        guard let datagram = step.datagram, datagram.isFirst else { return }
        guard !datagram.isEncrypted, !datagram.isCut else {
            judgement.notApplicable()
            return
        }
        if let problem = datagram.problem {
            guard said[step.place.source] == nil else { return }
            said[step.place.source] = true
            if let version = datagram.otherVersion {
                judgement.fail(
                    Text("RTCP-LENGTH.version", .integer(Int(version))), expected: .wire("2"),
                    actual: .wire("\(version)"), reference: "RFC 3550 §A.2")
                return
            }
            guard datagram.agreement?.isDescribed == true else {
                judgement.inconclusive(Text("RTCP-LENGTH.broken", .text(problem.words)))
                return
            }
            judgement.fail(Text("RTCP-LENGTH.broken", .text(problem.words)), reference: "RFC 3550 §A.2")
        } else if datagram.hasEarlyPadding {
            judgement.fail(Text("RTCP-LENGTH.padding"))
        } else {
            judgement.pass()
        }
    }
}

/// RTCP-CNAME: a source keeps its canonical name (RFC 3550 §6.5.1).
struct RTCPCanonicalName: Rule {
    static let info = RuleInfo(
        "RTCP-CNAME", .warning, .must, reference: "RFC 3550 §6.5.1",
        check: "A source has one CNAME.", example: "CNAME cam@192.0.2.2, then CNAME cam@192.0.2.9 for one SSRC")

    static var sorts: MessageSorts { .rtcpDescription }
    static let briefly = BriefObservation.distinct

    private var names: Recent<UInt32, String> = Recent(limit: 64)

    mutating func observe(_ step: BriefStep, _ judgement: inout Judgement) {
        guard let described = step.view as? SourceDescription.Chunks else { return }
        for (ssrc, name) in described.canonicalNames {
            let known = names[ssrc]
            if let known, known != name {
                judgement.fail(
                    Text("RTCP-CNAME.changed", .string(hexadecimal(ssrc))), expected: .wire(known),
                    actual: .wire(name))
            } else {
                judgement.pass()
            }
            if known != name { names[ssrc] = name }
        }
    }
}

/// RTCP-MUX: RTCP is sent to its negotiated port (RFC 2326 §12.39), and uses the RTP port only if that was negotiated
/// (RFC 5761 §5.1.1).
///
/// An empty receiver report to another port opens that port in a firewall.
struct RTCPMultiplexed: Rule {
    static let info = RuleInfo(
        "RTCP-MUX", .error, .must, reference: "RFC 5761 §5.1.1",
        check: "RTCP is sent to its negotiated port; on the RTP port, a=rtcp-mux is negotiated.",
        example: "no a=rtcp-mux, and sender reports on the RTP port")

    static var sorts: MessageSorts { .rtcpFirst }
    static let briefly = BriefObservation.distinct

    /// Whether the flow was already reported.
    private var isSaid = false

    mutating func observe(_ step: BriefStep, _ judgement: inout Judgement) {
        guard let datagram = step.datagram, datagram.isFirst else { return }
        if let misdirection = datagram.misdirection, !datagram.isOnMediaPort {
            return judge(misdirection, datagram, step, &judgement)
        }
        guard datagram.isOnMediaPort, let agreement = datagram.agreement, agreement.isDescribed else {
            judgement.notApplicable()
            return
        }
        if agreement.sharesPort {
            judgement.pass()
        } else if !isSaid {
            isSaid = true
            judgement.fail(Text("RTCP-MUX.unagreed"))
        }
    }

    /// Judges a datagram sent to a port of the receiver that was not negotiated for RTCP.
    private mutating func judge(
        _ misdirection: RTCPDatagram.Misdirection, _ datagram: RTCPDatagram, _ step: BriefStep,
        _ judgement: inout Judgement
    ) {
        guard !datagram.opensPort, datagram.agreement?.sharesPort != true, !isSaid else {
            judgement.notApplicable()
            return
        }
        isSaid = true
        let (actual, agreed) = (misdirection.actual.description, misdirection.agreed.description)
        let message = Text("RTCP-MUX.port", .string(actual), .string(agreed))
        if step.session?.completeness.lacksMessages == true {
            // Other ports may have been negotiated since.
            judgement.inconclusive(message)
        } else {
            judgement.fail(message, expected: .wire(agreed), actual: .wire(actual), reference: "RFC 2326 §12.39")
        }
    }
}

/// RTCP-FB-NEGOTIATED: feedback is of a type in `a=rtcp-fb`, under a feedback profile (RFC 4585 §4.1, §4.2).
///
/// GStreamer servers announce retransmissions without announcing NACK.
struct RTCPFeedbackNegotiated: Rule {
    static let info = RuleInfo(
        "RTCP-FB-NEGOTIATED", .warning, .must, reference: "RFC 4585 §4.2",
        check: "Feedback messages have types listed in a=rtcp-fb, with an AVPF profile.",
        example: "RTP/AVP without a=rtcp-fb, and NACK")

    static var sorts: MessageSorts { .rtcpFeedback }

    private var said: Recent<String, Bool> = Recent(limit: 16)

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        let kinds: [String]
        switch step.event.message {
        case let feedback as TransportFeedback:
            switch feedback.content {
            case .nack: kinds = ["nack"]
            case .transportWide: kinds = ["transport-cc"]
            case .maximumBitrateRequest, .maximumBitrateNotification: kinds = ["ccm tmmbr"]
            case .other: kinds = []
            }
        case let feedback as PayloadFeedback:
            switch feedback.content {
            case .pictureLossIndication: kinds = ["nack pli"]
            case .sliceLossIndication: kinds = ["nack sli"]
            case .referencePictureSelection: kinds = ["nack rpsi", "ack rpsi"]
            case .fullIntraRequest: kinds = ["ccm fir"]
            case .maximumBitrate: kinds = ["goog-remb"]
            default: kinds = []
            }
        default: return
        }
        guard let agreement = step.datagram?.agreement, agreement.isDescribed, !agreement.announcesMore,
            let first = kinds.first
        else {
            judgement.notApplicable()
            return
        }
        if agreement.hasFeedbackProfile, kinds.contains(where: { agreement.feedback.contains($0) }) {
            judgement.pass()
            return
        }
        guard said[first] == nil else { return }
        said[first] = true
        judgement.fail(
            Text(
                agreement.hasFeedbackProfile ? "RTCP-FB-NEGOTIATED.kind" : "RTCP-FB-NEGOTIATED.profile",
                .string(first)),
            quirk: first == "nack" && agreement.hasRetransmission ? "Q-RTP" : nil,
            reference: agreement.hasFeedbackProfile ? nil : "RFC 4585 §4.1", subject: first)
    }
}

/// RTCP-FIR: a full intra request has media source 0, and its sequence number is incremented for each new request (RFC
/// 5104 §4.3.1) and unchanged in a repetition. With a small step, requests may not have been captured.
struct RTCPFullIntraRequest: Rule {
    static let info = RuleInfo(
        "RTCP-FIR", .error, .must, reference: "RFC 5104 §4.3.1",
        check: "FIR has media SSRC 0, and its sequence number increases by 1 with each new request.",
        example: "FIR seq 3, then seq 70")

    static var sorts: MessageSorts { .rtcpFeedback }

    private var numbers: Recent<UInt64, UInt8> = Recent(limit: 64)
    /// Steps explained by a few requests not captured.
    private static let missing: ClosedRange<UInt8> = 2...8

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let feedback = step.message(PayloadFeedback.self),
            case .fullIntraRequest(let requests) = feedback.content
        else { return }
        if feedback.mediaSSRC != 0 {
            judgement.fail(
                Text("RTCP-FIR.source", .string(hexadecimal(feedback.mediaSSRC))), expected: .wire("0x00000000"),
                actual: .wire(hexadecimal(feedback.mediaSSRC)), subject: "source")
        }
        for request in requests {
            let key = UInt64(feedback.senderSSRC) << 32 | UInt64(request.ssrc)
            defer { numbers[key] = request.sequenceNumber }
            guard let last = numbers[key], request.sequenceNumber &- last > 1 else {
                if feedback.mediaSSRC == 0 { judgement.pass() }
                continue
            }
            let message = Text("RTCP-FIR.number", .integer(Int(last)), .integer(Int(request.sequenceNumber)))
            guard !Self.missing.contains(request.sequenceNumber &- last) else {
                judgement.inconclusive(message, subject: "number")
                continue
            }
            judgement.fail(
                message,
                expected: .wire("\(last &+ 1)"), actual: .wire("\(request.sequenceNumber)"), subject: "number")
        }
    }
}
