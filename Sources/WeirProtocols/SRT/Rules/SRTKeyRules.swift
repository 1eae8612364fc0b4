import WeirEngine

// Rules about key material and loss reports (draft-sharabayko-srt §3.2.2 and appendix A).

extension SRTPacket {
    /// The key material in a handshake or a refresh, or nil.
    var keys: SRTKeyMaterial? {
        switch content {
        case .handshake(let handshake): handshake.keys
        case .keyExchange(let keys): keys
        default: nil
        }
    }
}

/// SRT-KM-FORM: a key material message has version 1, the signature and keys that fill it (§3.2.2).
struct SRTKeyForm: Rule {
    static let info = RuleInfo(
        "SRT-KM-FORM", .error, .plain, reference: "SRT §3.2.2",
        check: "Key material has version 1, packet type 2, sign 0x2029, and wrapped keys of its lengths.",
        example: "KMREQ without an even or odd key")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let keys = step.message(SRTPacket.self)?.keys, keys.state == nil else { return }
        if keys.isWellFormed {
            judgement.pass()
        } else {
            judgement.fail(Text("SRT-KM-FORM.wrong"))
        }
    }
}

/// SRT-KLEN: the key length matches the encryption field of the handshake, and is 16, 24 or 32 octets (§3.2.2).
struct SRTKeyLength: Rule {
    static let info = RuleInfo(
        "SRT-KLEN", .error, .must, reference: "SRT §3.2.2",
        check: "The key length matches the encryption field of the handshake.",
        example: "CONCLUSION, encryption field 2, KMREQ with 32 octets")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let packet = step.message(SRTPacket.self), case .handshake(let handshake) = packet.content,
            let keys = handshake.keys, keys.state == nil, let advertised = handshake.keyLength
        else { return }
        if keys.keyLength == advertised {
            judgement.pass()
        } else if keys.isResponse {
            // A listener that advertises another length uses the caller's key all the same.
            judgement.fail(
                Text("SRT-KLEN.listener"), expected: .wire("\(advertised)"), actual: .wire("\(keys.keyLength)"),
                severity: .note, subject: "response")
        } else {
            judgement.fail(
                Text("SRT-KLEN.other"), expected: .wire("\(advertised)"), actual: .wire("\(keys.keyLength)"))
        }
    }
}

/// SRT-NAK-LIST: ranges of a loss report run forward (appendix A).
struct SRTLossList: Rule {
    static let info = RuleInfo(
        "SRT-NAK-LIST", .error, .plain, reference: "SRT appendix A",
        check: "Ranges in a NAK run from a lower to a higher sequence number.", example: "NAK 120 to 118")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let packet = step.message(SRTPacket.self), case .nak(let ranges) = packet.content else { return }
        if ranges.contains(where: { SRTPacket.distance($0.last, from: $0.first) < 0 }) {
            judgement.fail(Text("SRT-NAK-LIST.backward"))
        } else {
            judgement.pass()
        }
    }
}
