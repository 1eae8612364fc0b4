import WeirEngine
import WeirPackets

/// STUN-HEADER: a message is as long as its header says, and its attributes fill it.
///
/// RFC 8489 §5: the two highest bits are 0, the cookie is 0x2112A442, and the length counts octets behind the header; since
/// attributes are padded to four octets, its last two bits are 0. What has not these is not taken for STUN at all. The first
/// STUN (RFC 3489) did not pad.
struct STUNHeader: Rule {
    static let info = RuleInfo(
        "STUN-HEADER", .error, .must, reference: "RFC 8489 §5",
        check: "The length is a multiple of 4, and the attributes fill the message exactly.",
        example: "Binding Request, length 22")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.message(STUNMessage.self), !message.transaction.isClassic else { return }
        if message.length % 4 != 0 {
            judgement.fail(
                Text("STUN-HEADER.length", .integer(message.length)), subject: message.methodName, range: 2..<4)
        } else if !message.isWellFormed {
            judgement.fail(Text("STUN-HEADER.attributes"), subject: message.methodName)
        } else {
            judgement.pass()
        }
    }
}

/// STUN-FINGERPRINT: the checksum that tells STUN from what shares its port is right, and comes last.
///
/// RFC 8489 §14.7: it MUST be the last attribute, and covers the message up to itself.
struct STUNFingerprint: Rule {
    static let info = RuleInfo(
        "STUN-FINGERPRINT", .error, .must, reference: "RFC 8489 §14.7",
        check: "FINGERPRINT has the right checksum and is the last attribute.",
        example: "FINGERPRINT, then SOFTWARE")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.message(STUNMessage.self), let check = message.fingerprint else { return }
        if check == .invalid {
            judgement.fail(Text("STUN-FINGERPRINT.wrong"), subject: message.methodName)
        } else if message.attributes.last?.type != STUNAttribute.fingerprint {
            judgement.fail(
                Text("STUN-FINGERPRINT.notLast", .string(message.attributes.last?.name ?? "")),
                subject: message.methodName)
        } else {
            judgement.pass()
        }
    }
}

/// STUN-INTEGRITY: the authentication code is that of the password that signaling told.
///
/// RFC 8489 §9.1.3 and §9.1.4: who cannot verify the code of a request refuses it, and drops such an answer. The password of
/// a connectivity check, and of its answer, is that of the agent that receives the check (RFC 8445 §7.2.2). Judged only where
/// the capture shows the password.
struct STUNIntegrity: Rule {
    static let info = RuleInfo(
        "STUN-INTEGRITY", .error, .must, reference: "RFC 8489 §9.1.3",
        check: "MESSAGE-INTEGRITY is made with the password that the session description told.",
        example: "a=ice-pwd:asd88fgpdd777uzjYhagZg, a check signed with another")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        // What is sent again says the same again.
        guard let message = step.message(STUNMessage.self), let check = message.integrity, !message.isRetransmission
        else { return }
        switch check {
        case .valid: judgement.pass()
        case .invalid:
            judgement.fail(
                Text("STUN-INTEGRITY.wrong"), reference: message.isAnswer ? "RFC 8489 §9.1.4" : nil,
                subject: message.kind)
        case .present: judgement.notApplicable()
        }
    }
}

/// STUN-420: who refuses an attribute names it.
///
/// RFC 8489 §6.3.1: a request with an attribute that must be understood and is not known is answered with 420, and
/// UNKNOWN-ATTRIBUTES lists it. Which attributes a server knows cannot be seen, so only the refusals are judged.
struct STUNUnknownAttributes: Rule {
    static let info = RuleInfo(
        "STUN-420", .error, .must, reference: "RFC 8489 §6.3.1",
        check: "An error 420 lists in UNKNOWN-ATTRIBUTES what the request had and must be understood.",
        example: "Binding Error 420 without UNKNOWN-ATTRIBUTES")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.message(STUNMessage.self), message.errorCode?.code == 420 else { return }
        let unknown = message.unknownAttributes
        guard !unknown.isEmpty else {
            judgement.fail(Text("STUN-420.unnamed"), subject: message.methodName)
            return
        }
        guard let request = step.event.answers?.request as? STUNMessage else {
            judgement.pass()
            return
        }
        if let other = unknown.first(where: { type in !request.attributes.contains { $0.type == type } }) {
            judgement.fail(
                Text("STUN-420.other", .string("0x" + STUNAttribute.digits(other))), subject: message.methodName)
        } else {
            judgement.pass()
        }
    }
}

/// STUN-RETX: who repeats a request waits longer each time, and does not repeat those that ask for consent.
///
/// RFC 8489 §6.2.1: over UDP a request is sent again with the same id, the waiting time doubled each time (SHOULD). A check
/// for consent is never sent again: the next one is a new transaction (RFC 7675 §5.1). Waits of less than three quarters of
/// the one before count.
struct STUNRetransmission: Rule {
    static let info = RuleInfo(
        "STUN-RETX", .note, .should, restsOnOrder: true, reference: "RFC 8489 §6.2.1",
        check: "Repeated requests wait longer each time; consent checks are not repeated.",
        example: "Binding Request at 0, 500, 550 ms")

    private struct Waiting {
        var id: STUNTransaction
        var last: Timestamp
        var wait: Double?
    }

    private static let most = 64
    private var waiting: [Waiting] = []

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.message(STUNMessage.self), message.isRequest, !message.isOverTCP else { return }
        guard message.isRetransmission, let index = waiting.lastIndex(where: { $0.id == message.transaction }) else {
            if waiting.count >= Self.most { waiting.removeFirst() }
            waiting.append(Waiting(id: message.transaction, last: step.event.time, wait: nil))
            return
        }
        if message.isConsent {
            judgement.fail(Text("STUN-RETX.consent"), reference: "RFC 7675 §5.1", subject: "consent")
            return
        }
        let wait = step.event.time.seconds(since: waiting[index].last)
        let before = waiting[index].wait
        waiting[index].last = step.event.time
        waiting[index].wait = wait
        guard let before else { return }
        if wait < before * 0.75 {
            judgement.fail(
                Text("STUN-RETX.hurried", .decimal(before * 1_000, places: 0), .decimal(wait * 1_000, places: 0)),
                subject: message.methodName)
        } else {
            judgement.pass()
        }
    }
}
