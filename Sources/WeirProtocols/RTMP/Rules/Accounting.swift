import WeirEngine
import WeirPackets

/// RTMP-ACK: what was received is acknowledged, each window anew.
///
/// Each time that a window of octets has come, the receiver must acknowledge it (RTMP §5.4.3), counted from its last
/// acknowledgement, or from the beginning (§5.4.4); it says how many octets it has received in all. Whether the
/// handshake counts is not said, and both are met. The capture may be far from the receiver, so that two windows may
/// pass without one; and no number can be larger than what was sent.
struct RTMPAcknowledgement: Rule {
    static let info = RuleInfo(
        "RTMP-ACK", .error, .must, reference: "RTMP §5.4.3, §5.4.4",
        check: "An Acknowledgement comes for each window that was announced, and holds the octets received so far.",
        example: "Window Acknowledgement Size 2500000\n(6 MB and no Acknowledgement)")

    /// The latest number of the client and of the server.
    private var latest: (client: UInt32?, server: UInt32?) = (nil, nil)

    static var sorts: MessageSorts { .rtmpControl }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard case .acknowledgement(let value)? = step.rtmp?.payload, let session = step.rtmpSession else { return }
        let before = step.isFromClient ? latest.client : latest.server
        if step.isFromClient { latest.client = value } else { latest.server = value }
        let sender: Direction = step.isFromClient ? .serverToClient : .clientToServer
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
        } else {
            judgement.pass()
        }
    }

    /// Whether so many octets were not sent yet. The number has 32 bits and wraps; until it can have wrapped, it is compared
    /// as it is.
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
/// Who is told a window size other than the one it announced last should announce the new one with Window
/// Acknowledgement Size (RTMP §5.4.5). Clients do not, neither FFmpeg nor OBS nor librtmp, and no server minds: it is their
/// habit.
struct RTMPPeerBandwidth: Rule {
    /// Seconds to answer in.
    private static let longest = RuleLimit("RTMP-PEERBW.longest", 1, "s")

    static let info = RuleInfo(
        "RTMP-PEERBW", .warning, .should, needsFullCapture: true, reference: "RTMP §5.4.5",
        check: "Set Peer Bandwidth with another window is answered by Window Acknowledgement Size.",
        example: "Set Peer Bandwidth 5000000\n(no Window Acknowledgement Size of the client)", limits: [longest])

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

/// RTMP-PING: a ping is answered with the time that it holds.
///
/// PingResponse carries back the four octets of time that came with PingRequest (RTMP §7.1.7).
struct RTMPPing: Rule {
    /// Seconds to answer in.
    private static let longest = RuleLimit("RTMP-PING.longest", 10, "s")

    static let info = RuleInfo(
        "RTMP-PING", .warning, .plain, needsFullCapture: true, reference: "RTMP §7.1.7",
        check: "Each Ping Request is answered by a Ping Response with the same time.",
        example: "Ping Request 123456\nPing Response 0", limits: [longest])

    static var sorts: MessageSorts { .rtmpControl }

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
        for ping in session.pings.pending
        where session.hadTime(
            judgement.limit(Self.longest), since: ping.mark, toAnswer: ping.direction.opposite, until: session.lastTime)
        {
            judgement.fail(Text("RTMP-PING.never"), subject: "never", frame: ping.mark.frame)
        }
    }
}

/// RTMP-AGGREGATE: the messages of an aggregate fit into it.
///
/// Each has a header with its size, and behind it a back pointer: octets of the message just read, header included
/// (RTMP §7.1.6). The first should have the timestamp of the aggregate.
struct RTMPAggregateParts: Rule {
    static let info = RuleInfo(
        "RTMP-AGGREGATE", .warning, .plain, reference: "RTMP §7.1.6",
        check: "Sizes and back pointers of the messages in an aggregate agree with its octets.",
        example: "sub-message of 100 octets, back pointer 100 instead of 111")

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
