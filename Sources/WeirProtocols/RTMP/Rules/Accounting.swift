import WeirEngine
import WeirPackets

/// RTMP-ACK: received bytes are acknowledged once per window.
///
/// The receiver must send an Acknowledgement for each window of bytes (RTMP §5.4.3), counted from its previous one or
/// from the start of the session (§5.4.4), carrying the total number of bytes received. The specification leaves open
/// whether the handshake counts; both occur. The capture point may be far from the receiver, so two windows may pass
/// without an Acknowledgement. The value cannot exceed what was sent, and is not the same again and again while more is.
struct RTMPAcknowledgement: Rule {
    static let info = RuleInfo(
        "RTMP-ACK", .error, .must, reference: "RTMP §5.4.3, §5.4.4",
        check: "An Acknowledgement follows each announced window, and reports the octets received so far.",
        example: "Window Acknowledgement Size 2500000\n(6 MB and no Acknowledgement)")

    /// The latest sequence numbers of the client and of the server.
    private var latest: (client: UInt32?, server: UInt32?) = (nil, nil)

    static var sorts: MessageSorts { .rtmpAcknowledgement }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard case .acknowledgement(let value)? = step.rtmp?.payload, let session = step.rtmpSession else { return }
        let sender: Direction = step.isFromClient ? .serverToClient : .clientToServer
        let before = step.isFromClient ? latest.client : latest.server
        if step.isFromClient { latest.client = value } else { latest.server = value }
        guard let known = session.account(sender).latest, !session.isCountUncertain, !session.completeness.isOneSided
        else {
            judgement.inconclusive(Text("RTMP-ACK.uncertain"))
            return
        }
        if Self.isAhead(value, of: known.sent), session.completeness.hasGap {
            judgement.inconclusive(Text("RTMP-ACK.uncertain"))
        } else if Self.isAhead(value, of: known.sent) {
            judgement.fail(
                Text("RTMP-ACK.tooMuch", .integer(Int(value)), .integer(known.sent)), actual: .wire("\(value)"),
                subject: step.isFromClient ? "client" : "server")
        } else if let before, Int32(bitPattern: value &- before) < 0 {
            judgement.fail(
                Text("RTMP-ACK.back", .integer(Int(value)), .integer(Int(before))), actual: .wire("\(value)"),
                subject: step.isFromClient ? "client" : "server")
        } else if let run = session.account(sender).standingRun {
            judgement.fail(
                Text("RTMP-ACK.same", .integer(Int(value)), .integer(run.times), .integer(known.sent - run.first.sent)),
                actual: .wire("\(value)"), subject: step.isFromClient ? "client" : "server")
        } else {
            judgement.pass()
        }
    }

    /// Whether `value` exceeds the number of bytes sent so far. The 32-bit number wraps; it is compared directly until
    /// it could have wrapped.
    private static func isAhead(_ value: UInt32, of sent: Int) -> Bool {
        guard sent > Int(UInt32.max) else { return Int(value) > sent }
        return Int32(bitPattern: value &- UInt32(truncatingIfNeeded: sent)) > 0
    }

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let session = session as? RTMPSession else { return }
        for (sender, receiver) in [(Direction.clientToServer, "server"), (.serverToClient, "client")] {
            let account = session.account(sender)
            guard let window = account.window, account.octets > Int(window) else { continue }
            if !account.isOverdue {
                judgement.pass()
            } else if session.isCountUncertain || session.completeness.lacksMessages {
                judgement.inconclusive(Text("RTMP-ACK.uncertain"), subject: receiver)
            } else {
                let key = account.acknowledgements == 0 ? "RTMP-ACK.never.\(receiver)" : "RTMP-ACK.overdue.\(receiver)"
                judgement.fail(
                    Text(key, .integer(account.mostUnacknowledged), .integer(Int(window))), subject: receiver,
                    frame: account.announced?.frame)
            }
        }
    }
}

/// RTMP-PEERBW: Set Peer Bandwidth is answered.
///
/// A peer that receives a window size other than the one it last announced should answer with Window Acknowledgement
/// Size (RTMP §5.4.5). Clients such as FFmpeg, OBS and librtmp do not, and servers tolerate it.
struct RTMPPeerBandwidth: Rule {
    /// The time limit for the response, in seconds.
    private static let longest = RuleLimit("RTMP-PEERBW.longest", 1, "s")

    static let info = RuleInfo(
        "RTMP-PEERBW", .warning, .should, needsFullCapture: true, reference: "RTMP §5.4.5",
        check: "Set Peer Bandwidth with another window is answered with Window Acknowledgement Size.",
        example: "Set Peer Bandwidth 5000000\n(no Window Acknowledgement Size of the client)", limits: [longest])
    static let observes: [String] = []

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let session = session as? RTMPSession else { return }
        for (sender, receiver) in [(Direction.clientToServer, "server"), (.serverToClient, "client")] {
            guard let limit = session.account(sender).limit, limit.isChange else { continue }
            if limit.isAnswered {
                judgement.pass()
            } else if session.hadTime(
                judgement.limit(Self.longest), since: limit.mark, toAnswer: sender.opposite, until: session.lastTime)
            {
                judgement.fail(
                    Text("RTMP-PEERBW.\(receiver)", .integer(Int(limit.window))),
                    quirk: receiver == "client" ? "Q-RTMP-CMD" : nil, subject: receiver,
                    frame: limit.mark.frame)
            } else {
                judgement.notApplicable()
            }
        }
    }
}

/// RTMP-PING: a ping is answered with the timestamp it carries.
///
/// PingResponse echoes the four-octet timestamp of PingRequest (RTMP §7.1.7).
struct RTMPPing: Rule {
    /// The time limit for the response, in seconds.
    private static let longest = RuleLimit("RTMP-PING.longest", 10, "s")
    /// A time in which pings are usually answered, in seconds.
    private static let usual = 1.0

    static let info = RuleInfo(
        "RTMP-PING", .warning, .plain, needsFullCapture: true, reference: "RTMP §7.1.7",
        check: "Each Ping Request is answered with a Ping Response with the same timestamp.",
        example: "Ping Request 123456\nPing Response 0", limits: [longest])

    static var sorts: MessageSorts { .rtmpUserControl }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard case .userControl(let control)? = step.rtmp?.payload, control.eventType == 7,
            let pings = step.rtmpSession?.pings
        else { return }
        if step.event.answers != nil {
            judgement.pass()
        } else if let waiting = pings.pending.first(where: { $0.direction != step.event.direction }) {
            judgement.fail(
                Text("RTMP-PING.other"), expected: waiting.value.map { .wire("\($0)") },
                actual: control.value.map { .wire("\($0)") }, subject: "other")
        } else {
            judgement.notApplicable()
        }
    }

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let session = session as? RTMPSession else { return }
        func hadTime(_ ping: RTMPPings.Pending, _ seconds: Double) -> Bool {
            session.hadTime(
                seconds, since: ping.mark, toAnswer: ping.direction.opposite, until: session.lastTime)
        }
        let longest = judgement.limit(Self.longest)
        let overdue = session.pings.pending.filter { hadTime($0, longest) }
        for ping in session.pings.pending {
            let isOverdue = hadTime(ping, longest)
            // A side that answers no ping does not answer the last ones either, although they had less time.
            let isLikeOthers =
                session.pings.answered == 0 && overdue.contains { $0.direction == ping.direction }
                && hadTime(ping, min(longest, Self.usual))
            if isOverdue || isLikeOthers {
                judgement.fail(Text("RTMP-PING.never"), subject: "never", frame: ping.mark.frame)
            }
        }
    }
}

/// RTMP-AGGREGATE: the messages of an aggregate match its length.
///
/// Each sub-message has a header with its size and is followed by a back pointer: the size of the preceding sub-message
/// including its header (RTMP §7.1.6). The first timestamp should equal that of the aggregate.
struct RTMPAggregateParts: Rule {
    static let info = RuleInfo(
        "RTMP-AGGREGATE", .warning, .plain, reference: "RTMP §7.1.6",
        check: "Sizes and back pointers of the messages in an aggregate match its octets.",
        example: "sub-message of 100 octets, back pointer 100 instead of 111")

    static var sorts: MessageSorts { .rtmpOther }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let aggregate = step.rtmp?.aggregate else { return }
        for flaw in aggregate.flaws {
            switch flaw {
            case .size(let number):
                judgement.fail(Text("RTMP-AGGREGATE.size", .integer(number)), subject: "size")
            case .backPointer(let number, let expected, let actual):
                judgement.fail(
                    Text("RTMP-AGGREGATE.backPointer", .integer(number)), expected: .wire("\(expected)"),
                    actual: .wire("\(actual)"), subject: "backPointer")
            case .leftOver(let octets):
                judgement.fail(Text("RTMP-AGGREGATE.leftOver", .integer(octets)), subject: "leftOver")
            }
        }
        if aggregate.offset != 0 {
            judgement.fail(
                Text("RTMP-AGGREGATE.offset", .integer(Int(aggregate.offset))), severity: .note, subject: "offset")
        }
        if aggregate.flaws.isEmpty, aggregate.offset == 0 { judgement.pass() }
    }
}
