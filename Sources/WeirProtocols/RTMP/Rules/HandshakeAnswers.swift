import WeirEngine
import WeirPackets

/// RTMP-HS-C2: C2 sends S1 back.
///
/// The time of C2 MUST be that of S1, and its random octets MUST be those of S1 (RTMP §5.2.4). A client that answers the
/// server's digest sends another digest instead. Judged where the capture holds both parts.
struct RTMPHandshakeC2: Rule {
    static let info = RuleInfo(
        "RTMP-HS-C2", .error, .must, reference: "RTMP §5.2.4",
        check: "Time and random octets of C2 are those of S1, or its digest answers that of S1.",
        example: "C2, a second C1 in the place of C2")

    static var sorts: MessageSorts { .rtmpHandshake }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let part = step.handshake, part.packet == .c2 else { return }
        RTMPHandshakeEcho.judge(part, "RTMP-HS-C2", quirk: nil, step, &judgement)
    }
}

/// RTMP-HS-S2: S2 sends C1 back.
///
/// As for C2 (RTMP §5.2.4). Many servers answer with a digest to clients that sent none, or with octets of their own;
/// clients do not look.
struct RTMPHandshakeS2: Rule {
    static let info = RuleInfo(
        "RTMP-HS-S2", .warning, .must, reference: "RTMP §5.2.4",
        check: "Time and random octets of S2 are those of C1, or its digest answers that of C1.",
        example: "S2, does not echo C1")

    static var sorts: MessageSorts { .rtmpHandshake }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let part = step.handshake, part.packet == .s2 else { return }
        RTMPHandshakeEcho.judge(part, "RTMP-HS-S2", quirk: "Q-RTMP-HS", step, &judgement)
    }
}

/// What the rules on C2 and S2 share.
private enum RTMPHandshakeEcho {
    static func judge(
        _ part: RTMPHandshakePart, _ id: String, quirk: String?, _ step: Step, _ judgement: inout Judgement
    ) {
        switch part.answer {
        case .echo where part.echoesTime == false:
            judgement.fail(
                Text("\(id).time"), expected: part.peerTime.map { .wire("\($0)") },
                actual: part.time.map { .wire("\($0)") }, quirk: quirk, range: 0..<4)
        case .echo, .digest: judgement.pass()
        case .ownFirstPart: judgement.fail(Text("\(id).ownFirstPart"))
        // RTMPE answers with a digest that its versions 8 and 9 encrypt.
        case .other where step.rtmpSession?.isEncrypted == true: judgement.notApplicable()
        case .other(let first, let differing):
            judgement.fail(Text("\(id).other", .integer(differing), .integer(first)), quirk: quirk)
        case nil:
            // Half of what is to be compared is not in the capture, or the part never came whole.
            if part.isCut || part.isUnfinished || step.mayHaveMissed {
                judgement.inconclusive(Text("\(id).inconclusive"))
            }
        }
    }
}

/// RTMP-HS-TIME2: the second time is that of reading.
///
/// It must say when the peer's C1 or S1 was read (RTMP §5.2.4), by the sender's own clock. Most programs copy the whole
/// part, so that it holds the peer's zero field; some write 0.
struct RTMPHandshakeTime2: Rule {
    static let info = RuleInfo(
        "RTMP-HS-TIME2", .note, .must, reference: "RTMP §5.2.4",
        check: "Octets 4 to 7 of C2 and S2 hold the time at which the peer's part was read.",
        example: "C2 whose octets 4 to 7 are those of S1")

    static var sorts: MessageSorts { .rtmpHandshake }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let part = step.handshake, part.packet.isAnswer, part.answer == .echo, let time = part.secondField else {
            return
        }
        let name = part.packet.rawValue
        if time == 0 {
            judgement.fail(
                Text("RTMP-HS-TIME2.zero", .string(name)), quirk: "Q-RTMP-HS", subject: name, range: 4..<8)
        } else if time == part.peerSecondField {
            judgement.fail(
                Text("RTMP-HS-TIME2.copied", .string(name)), quirk: "Q-RTMP-HS", subject: name, range: 4..<8)
        } else if time == part.peerTime {
            judgement.fail(Text("RTMP-HS-TIME2.peerTime", .string(name)), subject: name, range: 4..<8)
        } else {
            judgement.pass()
        }
    }
}
