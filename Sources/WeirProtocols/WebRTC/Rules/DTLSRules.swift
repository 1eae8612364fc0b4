import WeirEngine
import WeirPackets

/// DTLS-ROLE: the peer with `a=setup:active` starts the handshake.
///
/// RFC 5763 §5 and RFC 8842 §5.3: the answerer chooses `active` or `passive`; the active peer sends ClientHello.
struct DTLSRole: Rule {
    static let info = RuleInfo(
        "DTLS-ROLE", .error, .must, reference: "RFC 8842 §5.3",
        check: "ClientHello is sent by the side that a=setup makes active.",
        example: "answer a=setup:passive; ClientHello from the answerer")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.message(DTLSMessage.self), case .clientHello = message.content,
            !message.isRetransmission, let call = step.call, let sender = call.agent(of: step.event)
        else { return }
        guard let answerer = call.agents.all.first(where: { $0.isOfferer == false }),
            let setup = answerer.setup, setup == "active" || setup == "passive"
        else {
            judgement.notApplicable()
            return
        }
        let isAnswerer = sender.isOfferer == false
        if isAnswerer == (setup == "active") {
            judgement.pass()
        } else {
            judgement.fail(Text("DTLS-ROLE.turned", .string(setup)), subject: setup)
        }
    }
}

/// DTLS-FP: the certificate matches the signaled fingerprint.
///
/// RFC 5763 §5, RFC 8122 §5: the hash of the certificate must be one of those in `a=fingerprint`; otherwise the
/// connection MUST NOT be used. DTLS 1.3 encrypts certificates, so this cannot be checked there.
struct DTLSFingerprint: Rule {
    static let info = RuleInfo(
        "DTLS-FP", .error, .must, reference: "RFC 8122 §5",
        check: "The certificate matches a=fingerprint.",
        example: "a=fingerprint:sha-256 00:…; Certificate AB:…")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.message(DTLSMessage.self), case .certificate = message.content,
            let call = step.call,
            let seen = call.connections.flatMap(\.certificates).last(where: { $0.moment.event == step.event.id })
        else { return }
        switch seen.matches {
        case true?: judgeOthers(message, call.agent(of: step.event)?.fingerprints ?? [], &judgement)
        case nil: judgement.notApplicable()
        case false?:
            let announced = call.agent(of: step.event)?.fingerprints.first
            judgement.fail(
                Text("DTLS-FP.differs"), expected: announced.map { .wire("\($0.hash) \($0.value)") },
                actual: message.fingerprint(announced?.hash ?? "sha-256").map { .wire($0) }, subject: "fingerprint")
        }
    }
}

extension DTLSFingerprint {
    /// Checks the remaining certificates after one matched. The peer may choose any of the hash functions, so each must
    /// be present for each certificate (RFC 8122 §5.1).
    private func judgeOthers(
        _ message: DTLSMessage, _ announced: [SDPFingerprint], _ judgement: inout Judgement
    ) {
        // The matching fingerprint may be one beyond the limit.
        guard announced.count < ICEAgent.mostFingerprints else { return judgement.pass() }
        let reported = Dictionary(grouping: announced) { TextSyntax.lowercased($0.hash) }
        for (hash, fingerprints) in reported.sorted(by: { $0.key < $1.key }) {
            guard let right = message.fingerprint(hash), let first = fingerprints.first,
                !fingerprints.contains(where: { ASCII.equalIgnoringCase("\(hash) \($0.value)", right) })
            else { continue }
            return judgement.fail(
                Text("DTLS-FP.another", .string(hash)), expected: .wire("\(hash) \(first.value)"), actual: .wire(right),
                reference: "RFC 8122 §5.1", subject: hash)
        }
        judgement.pass()
    }
}

/// DTLS-SRTP-EXT: the handshake negotiates SRTP keys.
///
/// RFC 5764 §4.1 and §4.1.1: a client that wants SRTP offers profiles in `use_srtp`; the server answers with exactly
/// one of them.
struct DTLSProfiles: Rule {
    static let info = RuleInfo(
        "DTLS-SRTP-EXT", .error, .must, reference: "RFC 5764 §4.1.1",
        check: "ClientHello offers use_srtp if RTP is negotiated, and the server selects one offered profile.",
        example: "ClientHello with SRTP_AES128_CM_HMAC_SHA1_80; ServerHello with SRTP_AEAD_AES_256_GCM")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.message(DTLSMessage.self), !message.isRetransmission, let call = step.call else {
            return
        }
        switch message.content {
        case .clientHello(let hello):
            guard hello.srtpProfiles == nil, let media = call.sections.first?.media else { return }
            guard media.contains(where: \.isRTP) else {
                judgement.notApplicable()
                return
            }
            judgement.fail(Text("DTLS-SRTP-EXT.missing"), reference: "RFC 5764 §4.1", subject: "client")
        case .serverHello(let hello):
            guard let chosen = hello.srtpProfiles,
                let offered = call.connections.compactMap(\.clientHello).last?.hello.srtpProfiles
            else { return }
            if chosen.count == 1, chosen.allSatisfy({ offered.contains($0) }) {
                judgement.pass()
            } else {
                judgement.fail(
                    Text("DTLS-SRTP-EXT.chosen"),
                    expected: .wire(offered.map(TLSNames.srtpProfile).joined(separator: ", ")),
                    actual: .wire(chosen.map(TLSNames.srtpProfile).joined(separator: ", ")), subject: "server")
            }
        default: break
        }
    }
}

/// DTLS-FIRST: the handshake follows a successful connectivity check, and media follows the handshake.
///
/// RFC 5763 §6.7.1: the handshake follows the checks on the pair; RFC 7675 §5.1: nothing but checks MUST be sent before
/// consent; RFC 8445 §12.1: media is sent on valid pairs. Evaluated on flows whose checks were captured: the check was
/// pending when the handshake started, or, if the capture is complete, offer and answer precede it.
struct DTLSFirst: Rule {
    static let info = RuleInfo(
        "DTLS-FIRST", .warning, .must, reference: "RFC 7675 §5.1",
        check: "ClientHello follows a successful check, and media follows the handshake.",
        example: "ClientHello before any Binding Success")
    static let observes = ["stun", "dtls", "rtp"]

    /// ClientHellos on flows without an earlier successful check.
    private var early = Recent<Int, Event>(limit: 64)
    /// Media on flows where the other side's handshake was incomplete.
    private var media = Recent<Int, Event>(limit: 64)

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let call = step.call, let pair = call.pairs.first(where: { $0.flow == step.event.flow }) else { return }
        let isChecked = pair.fromClient.sent + pair.fromServer.sent > 0
        if !isChecked, !isHello(step) { return }
        if let answer = step.message(STUNMessage.self) {
            granted(answer, step, &judgement)
        } else if let message = step.message(DTLSMessage.self) {
            if case .finished = message.content { finished(step, &judgement) }
            guard case .clientHello = message.content, !message.isRetransmission else { return }
            if call.pairs.contains(where: { $0.flow == step.event.flow && $0.works }) {
                judgement.pass()
            } else if pair[step.event.direction.opposite].sent > 0 || call.hasAnswer, early[step.event.flow] == nil {
                early[step.event.flow] = step.event
            }
        } else if step.event.message is RTPStart,
            let connection = call.connections.first(where: { call.pairs[$0.pair].flow == step.event.flow })
        {
            if connection.isEncrypting(step.event.direction.opposite) || connection.isFinished {
                judgement.pass()
            } else if connection.hasSentData(step.event.direction.opposite) {
                if media[step.event.flow] == nil { media[step.event.flow] = step.event }
            }
        }
    }

    private func isHello(_ step: Step) -> Bool {
        guard let message = step.message(DTLSMessage.self), case .clientHello = message.content else { return false }
        return true
    }

    /// Whether no earlier check can be missing from the capture.
    private func isWhole(_ step: Step) -> Bool { step.completeness?.isComplete ?? false && !step.mayHaveMissed }

    /// Reports an early handshake if the check was pending when it started and succeeded afterward. The lack of an
    /// earlier success proves nothing by itself, since the responses may not have been captured.
    private mutating func granted(_ answer: STUNMessage, _ step: Step, _ judgement: inout Judgement) {
        guard answer.errorCode == nil, let hello = early[step.event.flow], let exchange = step.event.answers else {
            return
        }
        early[step.event.flow] = nil
        let isProved = exchange.requestEvent < hello.id || step.call?.hasAnswer ?? false && isWhole(step)
        // When TCP segments are out of order, so may be the packets relayed in them.
        guard isProved, step.completeness?.isDisordered != true else { return }
        judgement.fail(Text("DTLS-FIRST.handshake"), subject: "handshake", frame: hello.frame, time: hello.time)
    }

    /// Reports early media once the receiver completes a handshake that was incomplete when the media arrived. A
    /// handshake that never completes proves nothing.
    private mutating func finished(_ step: Step, _ judgement: inout Judgement) {
        guard let start = media[step.event.flow], start.direction != step.event.direction else { return }
        media[step.event.flow] = nil
        guard step.completeness?.isDisordered != true else { return }
        judgement.fail(
            Text("DTLS-FIRST.media"), reference: "RFC 5763 §6.7.1", subject: "media", frame: start.frame,
            time: start.time)
    }
}

/// SRTP-DEMUX: the first octet of each datagram identifies its protocol.
///
/// RFC 7983 §7: 0 to 3 STUN, 16 to 19 ZRTP, 20 to 63 DTLS, 64 to 79 TURN channels, 128 to 191 RTP and RTCP; other
/// values are dropped.
struct SRTPDemultiplexing: Rule {
    static let info = RuleInfo(
        "SRTP-DEMUX", .error, .must, reference: "RFC 7983 §7",
        check: "The first octet of each datagram is that of STUN, DTLS, TURN or RTP.",
        example: "a datagram that begins with 0xC8 between checks")
    static let observes = ["stun", "rtp"]

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard step.call != nil else { return }
        if step.event.remarks.contains(where: { $0.text.key == "webrtc.remark.firstOctet" }) {
            judgement.fail(Text("SRTP-DEMUX.other"), subject: "octet")
        } else if step.event.message is RTPStart || step.check != nil {
            judgement.pass()
        }
    }
}
