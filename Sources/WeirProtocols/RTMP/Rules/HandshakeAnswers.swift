import WeirEngine
import WeirPackets

/// RTMP-HS-C2: C2 echoes S1.
///
/// The time and the random octets of C2 MUST be those of S1 (RTMP §5.2.4). A client that answers the server's digest
/// sends another digest instead. Evaluated only if the capture contains both parts.
struct RTMPHandshakeC2: Rule {
    static let info = RuleInfo(
        "RTMP-HS-C2", .error, .must, reference: "RTMP §5.2.4",
        check: "C2 echoes timestamp and random data of S1, or answers its digest.",
        example: "C2, C1 repeated in place of C2")

    static var sorts: MessageSorts { .rtmpC2 }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let part = step.handshake, part.packet == .c2 else { return }
        RTMPHandshakeEcho.judge(part, "RTMP-HS-C2", quirk: nil, step, &judgement)
    }
}

/// RTMP-HS-S2: S2 echoes C1.
///
/// As for C2 (RTMP §5.2.4). Many servers answer clients that sent no digest with a digest or with their own octets;
/// clients do not check.
struct RTMPHandshakeS2: Rule {
    static let info = RuleInfo(
        "RTMP-HS-S2", .warning, .must, reference: "RTMP §5.2.4",
        check: "S2 echoes timestamp and random data of C1, or answers its digest.",
        example: "S2, does not echo C1")

    static var sorts: MessageSorts { .rtmpS2 }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let part = step.handshake, part.packet == .s2 else { return }
        RTMPHandshakeEcho.judge(part, "RTMP-HS-S2", quirk: "Q-RTMP-HS", step, &judgement)
    }
}

/// The check shared by the rules for C2 and S2.
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
        // Its length is reported instead.
        case .other where part.missing != nil || part.shift != nil || part.shortPeer != nil: judgement.notApplicable()
        // With RTMPE the answer is a digest, which versions 8 and 9 encrypt.
        case .other where step.rtmpSession?.isEncrypted == true: judgement.notApplicable()
        case .other(let first, let differing):
            judgement.fail(Text("\(id).other", .integer(differing), .integer(first)), quirk: quirk)
        case nil:
            // One of the two parts is not in the capture or incomplete.
            if part.isCut || part.isUnfinished || step.mayHaveMissed {
                judgement.inconclusive(Text("\(id).inconclusive"))
            }
        }
    }
}

/// RTMP-HS-TIME2: the time2 field is the time of receipt.
///
/// It must be the time at which the peer's C1 or S1 was read (RTMP §5.2.4), by the sender's own clock. Most
/// implementations copy the whole part, so the field contains the peer's zero field; some write 0.
struct RTMPHandshakeTime2: Rule {
    static let info = RuleInfo(
        "RTMP-HS-TIME2", .note, .must, reference: "RTMP §5.2.4",
        check: "Octets 4 to 7 of C2 and S2 are the time at which the peer's part was read.",
        example: "C2 whose octets 4 to 7 are those of S1")

    static var sorts: MessageSorts { [.rtmpC2, .rtmpS2] }

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
