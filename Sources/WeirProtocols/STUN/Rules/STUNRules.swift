import WeirEngine
import WeirPackets

/// STUN-HEADER: the length of a message matches its header and its attributes.
///
/// RFC 8489 §5: the two highest bits are 0, the cookie is 0x2112A442, and the length counts octets after the header;
/// since attributes are padded to four octets, its last two bits are 0. Messages that differ are not recognized as STUN
/// at all. Classic STUN (RFC 3489) has no padding.
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

/// STUN-FINGERPRINT: FINGERPRINT, which distinguishes STUN from other protocols, is correct and last.
///
/// RFC 8489 §14.7: it MUST be the last attribute, and covers the message up to itself.
struct STUNFingerprint: Rule {
    static let info = RuleInfo(
        "STUN-FINGERPRINT", .error, .must, reference: "RFC 8489 §14.7",
        check: "The FINGERPRINT checksum is correct, and FINGERPRINT is the last attribute.",
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

/// STUN-INTEGRITY: the message integrity matches the signaled password.
///
/// RFC 8489 §9.1.3 and §9.1.4: a request whose integrity cannot be verified is rejected, and such a response is
/// discarded. The password of a connectivity check, and of its response, is that of the agent that receives the check
/// (RFC 8445 §7.2.2). Evaluated only if the password was captured.
struct STUNIntegrity: Rule {
    static let info = RuleInfo(
        "STUN-INTEGRITY", .error, .must, reference: "RFC 8489 §9.1.3",
        check: "MESSAGE-INTEGRITY matches the password in the session description.",
        example: "a=ice-pwd:asd88fgpdd777uzjYhagZg, a check signed with another")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        // A retransmission repeats the finding.
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

/// STUN-420: a 420 response lists the unknown attributes.
///
/// RFC 8489 §6.3.1: a request with an unknown comprehension-required attribute is answered with 420, and
/// UNKNOWN-ATTRIBUTES lists it. Which attributes a server supports is unknown, so only 420 responses are evaluated.
struct STUNUnknownAttributes: Rule {
    static let info = RuleInfo(
        "STUN-420", .error, .must, reference: "RFC 8489 §6.3.1",
        check: "An error 420 lists the unknown comprehension-required attributes in UNKNOWN-ATTRIBUTES.",
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

/// STUN-RETX: retransmission intervals increase, and consent checks are not retransmitted.
///
/// RFC 8489 §6.2.1: over UDP a request is retransmitted with the same ID, with the interval doubled each time (SHOULD).
/// A consent check is never retransmitted: the next one is a new transaction (RFC 7675 §5.1). An interval of less than
/// three quarters of the previous one is a violation, and one below a second that is not longer: beyond that, many
/// clients stop doubling.
struct STUNRetransmission: Rule {
    static let info = RuleInfo(
        "STUN-RETX", .note, .should, restsOnOrder: true, reference: "RFC 8489 §6.2.1",
        check: "Retransmission intervals increase; consent checks are not retransmitted.",
        example: "Binding Request at 0, 500, 550 ms")

    private struct Waiting {
        var id: STUNTransaction
        var last: Timestamp
        var wait: Double?
    }

    private static let most = 64
    /// The interval in seconds from which on clients may stop doubling it.
    private static let shortWait = 1.0
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
        if wait < before * 0.75 || wait < min(before * 1.25, Self.shortWait) {
            judgement.fail(
                Text("STUN-RETX.hurried", .decimal(before * 1_000, places: 0), .decimal(wait * 1_000, places: 0)),
                subject: message.methodName)
        } else {
            judgement.pass()
        }
    }
}
