import WeirEngine
import WeirPackets

// Rules about handshakes (draft-sharabayko-srt §3.2.1 and §4.3.1).

extension Step {
    /// The handshake of the step, or nil.
    var srtHandshake: SRTHandshake? {
        guard let packet = message(SRTPacket.self), case .handshake(let handshake) = packet.content else { return nil }
        return handshake
    }

    /// Whether the step is a packet of the client.
    var isFromCaller: Bool { event.direction == .clientToServer }
}

/// SRT-INDUCTION: the induction request has version 4, no cookie and no extensions.
///
/// Listeners of older versions expect version 4, and allocate nothing before the cookie is returned (§4.3.1.1.1).
struct SRTInduction: Rule {
    static let info = RuleInfo(
        "SRT-INDUCTION", .error, .must, reference: "SRT §4.3.1.1.1",
        check: "An induction request has version 4, cookie 0 and no extensions.",
        example: "INDUCTION, version 5, cookie 0")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let handshake = step.srtHandshake, handshake.kind == .induction, step.isFromCaller else { return }
        if handshake.version != 4 {
            judgement.fail(Text("SRT-INDUCTION.version", .integer(Int(handshake.version))), range: 16..<20)
        } else if !handshake.extensions.isEmpty {
            judgement.fail(Text("SRT-INDUCTION.extensions"))
        } else {
            judgement.pass()
        }
    }
}

/// SRT-MAGIC: the induction response has version 5 and the SRT magic code.
///
/// Without it, the response is that of another protocol on top of UDT, and the caller gives up (§4.3.1.2.1).
struct SRTMagic: Rule {
    static let info = RuleInfo(
        "SRT-MAGIC", .error, .must, reference: "SRT §4.3.1.2.1",
        check: "An induction response of version 5 contains the magic code 0x4A17.",
        example: "INDUCTION response, version 5, extension field 2")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let handshake = step.srtHandshake, handshake.kind == .induction, !step.isFromCaller,
            handshake.version == 5
        else { return }
        if handshake.extensionField == SRTHandshake.magic {
            judgement.pass()
        } else {
            judgement.fail(Text("SRT-MAGIC.missing", .integer(Int(handshake.extensionField))), range: 22..<24)
        }
    }
}

/// SRT-COOKIE: the conclusion request repeats the cookie of the induction response (§4.3.1.2.1).
struct SRTCookie: Rule {
    static let info = RuleInfo(
        "SRT-COOKIE", .error, .must, reference: "SRT §4.3.1.2.1",
        check: "A conclusion request contains the cookie of the induction response.",
        example: "INDUCTION response, cookie 0x1234\nCONCLUSION, cookie 0")

    private var cookies: Set<UInt32> = []
    /// Cookies remembered: a listener may change it each minute.
    private static let most = 8

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let handshake = step.srtHandshake else { return }
        if handshake.kind == .induction, !step.isFromCaller {
            if cookies.count < Self.most { cookies.insert(handshake.cookie) }
        } else if handshake.kind == .conclusion, step.isFromCaller, !cookies.isEmpty {
            if cookies.contains(handshake.cookie) {
                judgement.pass()
            } else if cookies.count < Self.most, step.completeness?.isComplete == true {
                judgement.fail(Text("SRT-COOKIE.other"), range: 44..<48)
            } else {
                judgement.inconclusive(Text("SRT-COOKIE.unseen"))
            }
        }
    }
}

/// SRT-FLAGS: the handshake extension sets CRYPT and REXMITFLG (§3.2.1.1.1).
struct SRTFlags: Rule {
    static let info = RuleInfo(
        "SRT-FLAGS", .warning, .must, reference: "SRT §3.2.1.1.1",
        check: "The flags CRYPT and REXMITFLG are set.", example: "HSREQ, flags 0x0000001b")
    private static let required: UInt32 = 0x24

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let parameters = step.srtHandshake?.parameters else { return }
        if parameters.flags & Self.required == Self.required {
            judgement.pass()
        } else {
            judgement.fail(
                Text("SRT-FLAGS.clear", .string("0x" + String(parameters.flags, radix: 16))),
                subject: parameters.isResponse ? "response" : "request")
        }
    }
}

/// SRT-LATENCY: the latency in the response is not below that of the request.
///
/// The latency agreed is the greater of both sides' (§4.3.1.2.2).
struct SRTLatency: Rule {
    static let info = RuleInfo(
        "SRT-LATENCY", .warning, .plain, reference: "SRT §4.3.1.2.2",
        check: "The latency agreed is not less than either side's.",
        example: "HSREQ, latency 200 ms\nHSRSP, latency 120 ms")

    private var requested: (receiver: UInt16, sender: UInt16)?

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let parameters = step.srtHandshake?.parameters else { return }
        guard parameters.isResponse else {
            requested = (parameters.receiverDelay, parameters.senderDelay)
            return
        }
        guard let requested else { return judgement.notApplicable() }
        // What one side receives with is what the other sends with.
        if parameters.senderDelay >= requested.receiver, parameters.receiverDelay >= requested.sender {
            judgement.pass()
        } else {
            judgement.fail(
                Text("SRT-LATENCY.less"), expected: .wire("\(max(requested.receiver, requested.sender)) ms"),
                actual: .wire("\(max(parameters.receiverDelay, parameters.senderDelay)) ms"))
        }
    }
}

/// SRT-STREAMID: a stream ID has at most 512 octets, and one that starts with `#!` follows the syntax (appendix B).
struct SRTStreamIdentifier: Rule {
    static let info = RuleInfo(
        "SRT-STREAMID", .warning, .plain, reference: "SRT §3.2.1.3",
        check: "A stream ID has at most 512 octets and, after #!, the access control syntax.",
        example: "#!::r=live,publish")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let streamID = step.srtHandshake?.streamID else { return }
        if streamID.octets.count > SRTStreamID.most {
            judgement.fail(Text("SRT-STREAMID.long", .integer(streamID.octets.count)))
        } else if streamID.isMalformed {
            judgement.fail(Text("SRT-STREAMID.syntax"), reference: "SRT appendix B.1", subject: "syntax")
        } else {
            judgement.pass()
        }
    }
}
