import WeirEngine
import WeirPackets

/// RTMP-HS-VERSION: C0 and S0 say version 3.
///
/// 3 is the version of the specification; 0 to 2 are deprecated, 4 to 31 reserved, 32 to 255 not allowed, and a server
/// that does not know the client's version should say 3 (RTMP §5.2.2). 6, 8 and 9 are RTMPE, which is no part of the
/// text: named, as a note.
struct RTMPHandshakeVersion: Rule {
    static let info = RuleInfo(
        "RTMP-HS-VERSION", .error, .must, reference: "RTMP §5.2.2",
        check: "C0 and S0 hold version 3.", example: "C0, version 5")

    static var sorts: MessageSorts { .rtmpHandshake }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let part = step.handshake, let version = part.version else { return }
        let name = part.packet.rawValue
        switch version {
        case 3: judgement.pass()
        // Which answers of HTTP carry the handshake is told by their order.
        case _ where step.session?.isTunnelled == true && step.completeness?.hasGap == true: judgement.notApplicable()
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

/// RTMP-HS-ORDER: each side waits for what it has to wait for.
///
/// The client MUST wait for S1 before C2, and for S2 before any other data; the server MUST wait for C0 before S0 and
/// S1, for C1 before S2, and for C2 before any other data (RTMP §5.2.1). What the capture shows earlier was sent
/// earlier, wherever it was taken.
struct RTMPHandshakeOrder: Rule {
    static let info = RuleInfo(
        "RTMP-HS-ORDER", .error, .must, reference: "RTMP §5.2.1",
        check: "C2 follows S1, S2 follows C1, and other data follows the peer's last part.",
        example: "C0, C1, C2 connect …\nS0, S1, S2")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if let part = step.handshake {
            judge(part.hurriesAhead, part.packet.rawValue, step, &judgement)
        } else if let message = step.rtmp, let awaited = message.framing.hurriesAhead {
            judge(awaited, "data", step, &judgement)
        }
    }

    private func judge(
        _ awaited: RTMPHandshakePart.Awaited?, _ what: String, _ step: Step, _ judgement: inout Judgement
    ) {
        // Of a side that is not in the capture nothing can have come first.
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
        } else if what == "data" {
            judgement.fail(
                Text(step.isFromClient ? "RTMP-HS-ORDER.client" : "RTMP-HS-ORDER.server", .string(awaited.rawValue)),
                subject: what)
        } else {
            judgement.fail(
                Text("RTMP-HS-ORDER.part", .string(what), .string(awaited.rawValue)), subject: what)
        }
    }
}

/// RTMP-HS-SIZE: C1, S1, C2 and S2 are 1536 octets each.
///
/// The first two have a time, a zero field and 1528 random octets (RTMP §5.2.3), the others two times and the random
/// octets that came (§5.2.4); how TCP cuts them does not matter. A part that is shorter shows when the connection ends
/// within it.
struct RTMPHandshakeSize: Rule {
    static let info = RuleInfo(
        "RTMP-HS-SIZE", .error, .must, reference: "RTMP §5.2.3, §5.2.4",
        check: "C1, S1, C2 and S2 are 1536 octets long.", example: "C1, only 1000 of 1536 octets came")

    static var sorts: MessageSorts { .rtmpHandshake }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let part = step.handshake, part.packet.octets > 1 else { return }
        guard part.isUnfinished else {
            judgement.pass()
            return
        }
        let name = part.packet.rawValue
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
/// The field behind the time must be nothing else (RTMP §5.2.3). Peers that prove themselves with a digest write a
/// program's version there, and have to; that is another handshake, and not judged.
struct RTMPHandshakeZero: Rule {
    static let info = RuleInfo(
        "RTMP-HS-C1ZERO", .note, .must, reference: "RTMP §5.2.3",
        check: "Octets 4 to 7 of C1 and S1 are zero, unless a digest follows.",
        example: "C1, time 0, zero field holds 9.0.124.2")

    static var sorts: MessageSorts { .rtmpHandshake }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let part = step.handshake, part.packet.isFirst, let field = part.secondField else { return }
        if field == 0 {
            judgement.pass()
        } else if part.isCut || step.mayHaveMissed || (part.scheme ?? .simple) != .simple {
            // A digest shows only in the whole of the part.
            judgement.notApplicable()
        } else {
            judgement.fail(
                Text("RTMP-HS-C1ZERO.notZero", .string(part.packet.rawValue), .string(Self.dotted(field))),
                quirk: "Q-RTMP-HS", subject: part.packet.rawValue)
        }
    }
}

extension RTMPHandshakeZero {
    /// As versions are written.
    private static func dotted(_ field: UInt32) -> String {
        [24, 16, 8, 0].map { "\(field >> $0 & 0xFF)" }.joined(separator: ".")
    }
}

/// RTMP-HS-ENTROPY: the random octets of C1 and S1 are random.
///
/// They should be random enough for each side to know the answer to its own handshake, which takes no cryptography, and
/// not even values that change (RTMP §5.2.3). Memory that was not cleared is worse than no randomness: it tells
/// strangers what the program had in it.
struct RTMPHandshakeEntropy: Rule {
    static let info = RuleInfo(
        "RTMP-HS-ENTROPY", .note, .should, reference: "RTMP §5.2.3",
        check: "The random octets of C1 and S1 are not all alike, and not memory that was not cleared.",
        example: "C1 whose 1528 octets hold readable text")

    static var sorts: MessageSorts { .rtmpHandshake }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let part = step.handshake, part.packet.isFirst else { return }
        // nginx sends a client that it does not know its own octets back.
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
        // With a digest the octets around it are random, or they would not matter.
        case nil: if part.scheme != nil { judgement.pass() }
        }
    }
}

/// RTMP-HS-STALL: after the handshake comes `connect`.
///
/// Nothing in the text says how long a client may think; a client that has all octets of the handshake and says nothing
/// for 5 seconds waits for something that will not come, usually since it took one read for one part.
struct RTMPHandshakeStall: Rule {
    /// Seconds that a client may take.
    private static let longest = RuleLimit("RTMP-HS-STALL.longest", 5, "s")

    static let info = RuleInfo(
        "RTMP-HS-STALL", .error, .practice, needsFullCapture: true, reference: "RTMP §5.2.1",
        check: "C2 and connect follow within 5 seconds of S2.", example: "S0, S1, S2\n(nothing for 30 seconds)",
        limits: [longest])

    static var sorts: MessageSorts { .rtmpCommand }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let said = step.clientCommand, said.name == "connect", let session = step.rtmpSession,
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
