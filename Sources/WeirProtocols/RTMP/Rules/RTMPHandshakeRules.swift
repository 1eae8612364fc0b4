import WeirEngine
import WeirPackets

/// RTMP-HS-VERSION: C0 and S0 carry version 3.
///
/// 3 is the version of the specification; 0 to 2 are deprecated, 4 to 31 reserved, 32 to 255 not allowed, and a server
/// that does not recognize the client's version should respond with 3 (RTMP §5.2.2). 6, 8 and 9 are RTMPE, which the
/// specification does not cover; they are reported as a note.
struct RTMPHandshakeVersion: Rule {
    static let info = RuleInfo(
        "RTMP-HS-VERSION", .error, .must, reference: "RTMP §5.2.2",
        check: "The version in C0 and S0 is 3.", example: "C0, version 5")

    static var sorts: MessageSorts { .rtmpVersion }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let part = step.handshake, let version = part.version else { return }
        let name = part.packet.rawValue
        switch version {
        case 3: judgement.pass()
        // The HTTP responses that carry the handshake are identified by their order.
        case _ where step.session?.isTunneled == true && step.completeness?.hasGap == true: judgement.notApplicable()
        case _ where part.isEncrypting:
            judgement.fail(
                Text("RTMP-HS-VERSION.encrypted", .string(name), .integer(Int(version))), severity: .note, subject: name
            )
        case 32...:
            judgement.fail(
                Text("RTMP-HS-VERSION.forbidden", .string(name), .integer(Int(version))), expected: .wire("3"),
                actual: .wire("\(version)"), subject: name)
        default:
            judgement.fail(
                Text("RTMP-HS-VERSION.other", .string(name), .integer(Int(version))), expected: .wire("3"),
                actual: .wire("\(version)"), subject: name)
        }
    }
}

/// RTMP-HS-ORDER: each side waits for the parts it depends on.
///
/// Octets of the next part complete one that is too short, which then seems to come late: RTMP-HS-SIZE reports that.
///
/// The client MUST wait for S1 before C2, and for S2 before any other data; the server MUST wait for C0 before S0 and
/// S1, for C1 before S2, and for C2 before any other data (RTMP §5.2.1). A part that precedes its prerequisite in the
/// capture was also sent too early, wherever the capture was taken.
struct RTMPHandshakeOrder: Rule {
    static let info = RuleInfo(
        "RTMP-HS-ORDER", .error, .must, reference: "RTMP §5.2.1",
        check: "C2 follows S1, S2 follows C1, and other data follows the peer's last part.",
        example: "C0, C1, C2 connect …\nS0, S1, S2")

    /// A failure that a part of wrong size may explain: octets of the next part completed it.
    private struct Doubt {
        let isClientAwaited: Bool
        let message: Text
        let subject: String
        let frame: Int
        let time: Timestamp
    }

    private var doubts: [Doubt] = []
    private static let mostDoubts = 4

    static var sorts: MessageSorts { [.rtmpHandshake, .rtmpPremature] }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if let part = step.handshake {
            if part.packet.isAnswer { settle(part) }
            judge(part.prematureOf, part.packet.rawValue, step, &judgement)
        } else if let message = step.rtmp, let awaited = message.framing.prematureOf {
            judge(awaited, "data", step, &judgement)
        }
    }

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        for doubt in doubts {
            judgement.fail(doubt.message, subject: doubt.subject, frame: doubt.frame, time: doubt.time)
        }
        doubts = []
    }

    /// Drops the failures that a part of wrong size explains: the size of an answer shows that of the first part, too.
    private mutating func settle(_ part: RTMPHandshakePart) {
        guard part.shift != nil || part.missing != nil else { return }
        doubts.removeAll { $0.isClientAwaited == part.packet.isClients }
    }

    private mutating func judge(
        _ awaited: RTMPHandshakePart.Awaited?, _ what: String, _ step: Step, _ judgement: inout Judgement
    ) {
        // The order is unknown if only one direction was captured.
        if step.completeness?.isOneSided == true {
            judgement.notApplicable()
            return
        }
        guard let awaited else {
            if step.completeness?.hasGap == true { judgement.notApplicable() } else { judgement.pass() }
            return
        }
        if step.mayHaveMissed {
            judgement.inconclusive(Text("RTMP-HS-ORDER.inconclusive", .string(awaited.rawValue)), subject: what)
            return
        }
        let key = what != "data" ? "part" : step.isFromClient ? "client" : "server"
        let names: [Text.Argument] = (what == "data" ? [] : [.string(what)]) + [.string(awaited.rawValue)]
        let doubt = Doubt(
            isClientAwaited: !step.isFromClient, message: Text("RTMP-HS-ORDER.\(key)", arguments: names), subject: what,
            frame: step.event.frame, time: step.event.time)
        if doubts.count < Self.mostDoubts { doubts.append(doubt) }
    }
}

/// RTMP-HS-SIZE: C1, S1, C2 and S2 are 1536 octets each.
///
/// C1 and S1 consist of a time, a zero field and 1528 random octets (RTMP §5.2.3), C2 and S2 of two times and the
/// echoed random octets (§5.2.4), regardless of TCP segmentation. A short part is detected when the connection ends
/// within it, or by the echo: in the next part it is not where it should be, or a chunk takes the place of its end.
struct RTMPHandshakeSize: Rule {
    static let info = RuleInfo(
        "RTMP-HS-SIZE", .error, .must, reference: "RTMP §5.2.3, §5.2.4",
        check: "C1, S1, C2 and S2 are 1536 octets long.", example: "C1, only 1000 of 1536 octets arrived")

    static var sorts: MessageSorts { [.rtmpFirstPart, .rtmpC2, .rtmpS2] }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let part = step.handshake, part.packet.octets > 1 else { return }
        let name = part.packet.rawValue
        if let shift = part.shift, !step.mayHaveMissed {
            let first = step.isFromClient ? "C1" : "S1"
            return judgement.fail(
                Text(
                    shift > 0 ? "RTMP-HS-SIZE.early" : "RTMP-HS-SIZE.late", .string(name),
                    .integer(abs(shift)), .string(first)),
                expected: .wire("1536"), actual: .wire("\(1_536 - shift)"), subject: first)
        }
        if let short = part.shortPeer, !step.mayHaveMissed {
            let peer = step.isFromClient ? "S1" : "C1"
            return judgement.fail(
                Text("RTMP-HS-SIZE.peer", .string(name), .integer(short), .string(peer)), expected: .wire("1536"),
                actual: .wire("\(1_536 - short)"), subject: peer)
        }
        if let missing = part.missing, !step.mayHaveMissed {
            return judgement.fail(
                Text("RTMP-HS-SIZE.chunk", .string(name), .integer(missing)), expected: .wire("1536"),
                actual: .wire("\(1_536 - missing)"), subject: name)
        }
        guard part.isUnfinished else {
            judgement.pass()
            return
        }
        if step.completeness?.endsEarly == true || step.mayHaveMissed {
            judgement.inconclusive(Text("RTMP-HS-SIZE.inconclusive", .string(name)), subject: name)
        } else {
            judgement.fail(
                Text("RTMP-HS-SIZE.short", .string(name), .integer(part.octets)), expected: .wire("1536"),
                actual: .wire("\(part.octets)"), subject: name)
        }
    }
}

/// RTMP-HS-C1ZERO: octets 4 to 7 of C1 and S1 are zero.
///
/// The field after the time must be zero (RTMP §5.2.3). Peers that authenticate with a digest have to write a program
/// version there; that is a different handshake and not evaluated.
struct RTMPHandshakeZero: Rule {
    static let info = RuleInfo(
        "RTMP-HS-C1ZERO", .note, .must, reference: "RTMP §5.2.3",
        check: "Octets 4 to 7 of C1 and S1 are zero, unless a digest follows.",
        example: "C1, time 0, zero field is 9.0.124.2")

    static var sorts: MessageSorts { .rtmpFirstPart }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let part = step.handshake, part.packet.isFirst, let field = part.secondField else { return }
        if field == 0 {
            judgement.pass()
        } else if part.isCut || part.isUnfinished || step.mayHaveMissed || (part.scheme ?? .simple) != .simple {
            // A digest is recognized only in a complete part.
            judgement.notApplicable()
        } else {
            judgement.fail(
                Text("RTMP-HS-C1ZERO.notZero", .string(part.packet.rawValue), .string(Self.dotted(field))),
                quirk: "Q-RTMP-HS", subject: part.packet.rawValue)
        }
    }
}

extension RTMPHandshakeZero {
    /// The field in dotted notation, such as 9.0.124.2.
    private static func dotted(_ field: UInt32) -> String {
        [24, 16, 8, 0].map { "\(field >> $0 & 0xFF)" }.joined(separator: ".")
    }
}

/// RTMP-HS-ENTROPY: the random octets of C1 and S1 are random.
///
/// They should be random enough for each side to recognize the answer to its own handshake; neither cryptographic
/// randomness nor dynamic values are required (RTMP §5.2.3). Uninitialized memory is worse than no randomness: it leaks
/// memory contents.
struct RTMPHandshakeEntropy: Rule {
    static let info = RuleInfo(
        "RTMP-HS-ENTROPY", .note, .should, reference: "RTMP §5.2.3",
        check: "The random data of C1 and S1 does not repeat, and is not uninitialized memory.",
        example: "C1 whose 1528 octets hold readable text")

    static var sorts: MessageSorts { .rtmpFirstPart }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let part = step.handshake, part.packet.isFirst else { return }
        // nginx echoes the octets of a client that it does not know.
        if part.packet == .s1, let first = step.rtmpSession?.handshake[.c1]?.part, first.time == part.time,
            first.secondField == part.secondField, first.filling == part.filling, part.filling != .varied
        {
            return
        }
        let name = Text.Argument.string(part.packet.rawValue)
        func fail(_ key: String) { judgement.fail(Text("RTMP-HS-ENTROPY.\(key)", name), subject: part.packet.rawValue) }
        switch part.filling {
        case .varied: judgement.pass()
        case .zeros: fail("zeros")
        case .constant, .repeated: fail("constant")
        case .text: fail("text")
        case .sparse: fail("sparse")
        // Around a digest the octets are random, or their values do not matter.
        case nil: if part.scheme != nil { judgement.pass() }
        }
    }
}

/// RTMP-HS-STALL: `connect` follows the handshake.
///
/// The specification sets no time limit. A client that has received the complete handshake and sends nothing for 5
/// seconds waits for more, usually because it treated one read as one part.
struct RTMPHandshakeStall: Rule {
    /// The time limit for the client, in seconds.
    private static let longest = RuleLimit("RTMP-HS-STALL.longest", 5, "s")

    static let info = RuleInfo(
        "RTMP-HS-STALL", .error, .practice, needsFullCapture: true, reference: "RTMP §5.2.1",
        check: "C2 and connect follow within 5 seconds of S2.", example: "S0, S1, S2\n(nothing for 30 seconds)",
        limits: [longest])

    static var sorts: MessageSorts { .rtmpConnect }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let said = step.clientCommand, said.kind == .connect, let session = step.rtmpSession,
            let last = session.handshake[.s2]?.mark ?? session.handshake[.s1]?.mark
        else { return }
        let seconds = step.event.time.seconds(since: last.time)
        if seconds > judgement.limit(Self.longest) {
            judgement.fail(Text("RTMP-HS-STALL.late", .decimal(seconds, places: 1)))
        } else {
            judgement.pass()
        }
    }

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let session = session as? RTMPSession, session.connect == nil, session.messagesOfClient == 0,
            !session.isEncrypted
        else { return }
        guard let last = session.handshake[.s2], !last.part.isUnfinished, session.handshake[.c1] != nil else { return }
        guard
            session.hadTime(
                judgement.limit(Self.longest), since: last.mark, toAnswer: .serverToClient, until: session.lastTime)
        else {
            judgement.notApplicable()
            return
        }
        judgement.fail(
            Text(session.handshake[.c2] == nil ? "RTMP-HS-STALL.noC2" : "RTMP-HS-STALL.noConnect"),
            frame: last.mark.frame)
    }
}
