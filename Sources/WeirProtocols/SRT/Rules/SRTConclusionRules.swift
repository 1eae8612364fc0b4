import WeirEngine
import WeirPackets

// Rules about the conclusion and its extensions (draft-sharabayko-srt §3.2.1, §4.3.1.2 and §7.1).

/// SRT-INDUCTION-FIELDS: the induction request has the fixed values of a connection request (§4.3.1.1.1).
struct SRTInductionFields: Rule {
    static let info = RuleInfo(
        "SRT-INDUCTION-FIELDS", .warning, .plain, reference: "SRT §4.3.1.1.1",
        check: "An induction request has encryption field 0, extension field 2, cookie 0 and destination 0.",
        example: "INDUCTION, extension field 0")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let handshake = step.srtHandshake, handshake.kind == .induction, step.isFromCaller,
            let packet = step.message(SRTPacket.self)
        else { return }
        if handshake.encryption == 0, handshake.extensionField == 2, handshake.cookie == 0, packet.socket == 0 {
            judgement.pass()
        } else {
            judgement.fail(Text("SRT-INDUCTION-FIELDS.other"))
        }
    }
}

/// SRT-VERSION: a conclusion has handshake version 5 (§4.3.1.2.1).
struct SRTHandshakeVersion: Rule {
    static let info = RuleInfo(
        "SRT-VERSION", .warning, .must, reference: "SRT §4.3.1.2.1",
        check: "A conclusion has handshake version 5.", example: "CONCLUSION, version 4")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let handshake = step.srtHandshake, handshake.kind == .conclusion else { return }
        if handshake.version == 5 {
            judgement.pass()
        } else {
            judgement.fail(Text("SRT-VERSION.other", .integer(Int(handshake.version))), range: 16..<20)
        }
    }
}

/// SRT-EXTENSION-FIELD: the extension field of a conclusion names the extensions that follow (§3.2.1).
struct SRTExtensionField: Rule {
    static let info = RuleInfo(
        "SRT-EXTENSION-FIELD", .error, .plain, reference: "SRT §3.2.1",
        check: "The extension field of a conclusion has the flag of each extension that follows.",
        example: "CONCLUSION, extension field 1, stream ID")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let handshake = step.srtHandshake, handshake.kind == .conclusion, handshake.version == 5 else { return }
        let flags = handshake.extensions.reduce(UInt16(0)) { flags, type in
            flags | (type <= 2 ? 1 : type <= 4 ? 2 : 4)
        }
        if handshake.extensionField & flags == flags {
            judgement.pass()
        } else {
            judgement.fail(
                Text("SRT-EXTENSION-FIELD.other"), expected: .wire("\(flags)"),
                actual: .wire("\(handshake.extensionField)"), range: 22..<24)
        }
    }
}

/// SRT-HSREQ: a caller's conclusion contains the handshake extension, and so does the listener's response (§4.3.1.2).
struct SRTHandshakeExtension: Rule {
    static let info = RuleInfo(
        "SRT-HSREQ", .error, .must, reference: "SRT §4.3.1.2.1",
        check: "A caller's conclusion contains the handshake extension, and so does the response.",
        example: "CONCLUSION without HSREQ")

    private var hasInduction = false
    /// Whether the caller sent HSREQ after an induction.
    private var isRequested = false

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let handshake = step.srtHandshake else { return }
        guard step.isFromCaller else { return judge(response: handshake, &judgement) }
        if handshake.kind == .induction { hasInduction = true }
        // In a rendezvous, a conclusion may have none.
        guard hasInduction, handshake.kind == .conclusion, handshake.version == 5 else { return }
        if handshake.parameters == nil, handshake.isCut { return }
        if handshake.parameters != nil {
            isRequested = true
            judgement.pass()
        } else {
            judgement.fail(Text("SRT-HSREQ.missing"))
        }
    }

    private func judge(response handshake: SRTHandshake, _ judgement: inout Judgement) {
        guard isRequested, handshake.kind == .conclusion, handshake.version == 5 else { return }
        if handshake.extensions.contains(2) {
            judgement.pass()
        } else if !handshake.isCut {
            judgement.fail(Text("SRT-HSREQ.response"), reference: "SRT §4.3.1.2.2", subject: "response")
        }
    }
}

/// SRT-LIVE: live transmission uses TLPKTDROP and periodic NAK reports (§7.1).
struct SRTLiveFlags: Rule {
    static let info = RuleInfo(
        "SRT-LIVE", .warning, .plain, reference: "SRT §7.1",
        check: "With timestamp-based delivery in message mode, TLPKTDROP and PERIODICNAK are set.",
        example: "HSREQ, flags 0x00000027")
    private static let (delivery, stream, needed): (UInt32, UInt32, UInt32) = (0x3, 0x40, 0x18)

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let parameters = step.srtHandshake?.parameters, parameters.flags & Self.delivery != 0,
            parameters.flags & Self.stream == 0
        else { return }
        if parameters.flags & Self.needed == Self.needed {
            judgement.pass()
        } else {
            judgement.fail(
                Text("SRT-LIVE.clear", .string("0x" + String(parameters.flags, radix: 16))),
                subject: parameters.isResponse ? "response" : "request")
        }
    }
}

/// SRT-KM-CIPHER: the cipher is one that is supported, and GCM authenticates with GCM (§3.2.2).
struct SRTCipher: Rule {
    static let info = RuleInfo(
        "SRT-KM-CIPHER", .error, .must, reference: "SRT §3.2.2",
        check: "The cipher is AES-CTR without authentication, or AES-GCM for both.",
        example: "KMREQ, cipher AES-GCM, authentication none")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let keys = step.message(SRTPacket.self)?.keys, keys.state == nil else { return }
        if (keys.cipher == 2 && keys.authentication == 0) || (keys.cipher == 4 && keys.authentication == 1) {
            judgement.pass()
        } else {
            judgement.fail(
                Text("SRT-KM-CIPHER.other", .string(keys.cipherName), .integer(Int(keys.authentication))))
        }
    }
}

/// SRT-KM-ANSWER: the listener answers key material with the same, or with the state of its keys (§6.1.5).
struct SRTKeyAnswer: Rule {
    static let info = RuleInfo(
        "SRT-KM-ANSWER", .error, .plain, reference: "SRT §6.1.5",
        check: "A conclusion response repeats the key material of the request, or states why it cannot.",
        example: "CONCLUSION, KMREQ\nCONCLUSION response without KMRSP")

    private var requested: SRTKeyMaterial?

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let handshake = step.srtHandshake, handshake.kind == .conclusion else { return }
        if let keys = handshake.keys, !keys.isResponse { requested = keys }
        guard handshake.parameters?.isResponse == true, let requested else { return }
        guard let keys = handshake.keys else {
            return handshake.isCut ? () : judgement.fail(Text("SRT-KM-ANSWER.missing"))
        }
        if keys.state != nil || (keys.salt == requested.salt && keys.wrapped == requested.wrapped) {
            judgement.pass()
        } else {
            judgement.fail(Text("SRT-KM-ANSWER.other"), subject: "other")
        }
    }
}

/// SRT-DROP-RANGE: the range of a drop request runs forward (§3.2.9).
struct SRTDropRange: Rule {
    static let info = RuleInfo(
        "SRT-DROP-RANGE", .error, .plain, reference: "SRT §3.2.9",
        check: "The range of a drop request runs from a lower to a higher sequence number.",
        example: "drop request 120 to 118")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let packet = step.message(SRTPacket.self), case .dropRequest(_, let first, let last) = packet.content
        else { return }
        if first >> 31 == 0, last >> 31 == 0, SRTPacket.distance(last, from: first) >= 0 {
            judgement.pass()
        } else {
            judgement.fail(Text("SRT-DROP-RANGE.backward"))
        }
    }
}

/// SRT-CONTROL-TYPE: control packets have a defined type (§3.2).
struct SRTControlType: Rule {
    static let info = RuleInfo(
        "SRT-CONTROL-TYPE", .warning, .plain, reference: "SRT §3.2",
        check: "A control packet has a defined type.", example: "control type 9")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let packet = step.message(SRTPacket.self) else { return }
        switch packet.content {
        case .other(let type, _) where type != 0x7FFF:
            judgement.fail(Text("SRT-CONTROL-TYPE.unknown", .integer(Int(type))))
        case .data, .ack, .ackAck, .keepAlive: break
        default: judgement.pass()
        }
    }
}

/// SRT-REASON: a rejection has a predefined reason, or one of the application (§4.3).
struct SRTReason: Rule {
    static let info = RuleInfo(
        "SRT-REASON", .warning, .plain, reference: "SRT §4.3",
        check: "A rejection has a predefined reason (1000 to 1017), or one of the application (2000 and above).",
        example: "rejection 1500")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let handshake = step.srtHandshake, case .rejection(let code) = handshake.kind else { return }
        if SRTHandshake.reason(code) != SRTHandshake.unknownReason {
            judgement.pass()
        } else {
            judgement.fail(Text("SRT-REASON.unknown", .integer(Int(code))), range: 36..<40)
        }
    }
}
