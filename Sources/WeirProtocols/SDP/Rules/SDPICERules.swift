import WeirEngine
import WeirPackets

/// SDP-ICE-CRED: each stream has ICE credentials.
///
/// RFC 8839 §5.4:
/// 1. Each data stream MUST have `ice-ufrag` and `ice-pwd`, its own or those of the session; with BUNDLE those of the
///    tagged section apply to all (RFC 9143 §7.1.3).
/// 2. A user name fragment has 4 to 256 ICE characters, a password 22 to 256; a fragment that is sent MUST NOT have
///    more than 32.
/// 3. Streams with the same user name fragment MUST have the same password.
///
/// Descriptions without ICE are not checked.
struct SDPICECredentials: DescriptionRule {
    static let info = RuleInfo(
        "SDP-ICE-CRED", .error, .must, reference: "RFC 8839 §5.4",
        check: "Each media section with ICE has an ice-ufrag of 4 to 32 and an ice-pwd of at least 22 ICE characters.",
        example: "a=ice-ufrag:8hhY\na=ice-pwd:asd88fgpdd777uzjYhagZg")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        let names: Set<String> = ["ice-ufrag", "ice-pwd", "candidate"]
        let isICE =
            description.attributes.contains { names.contains($0.name) }
            || description.media.contains { $0.attributes.contains { names.contains($0.name) } }
        guard isICE else { return nil }
        var faults = Self.form(description.iceUfrag, description.icePwd, "session")
        var passwords: [String: String] = [:]
        for (index, medium) in description.wantedMedia {
            faults += Self.form(medium.iceUfrag, medium.icePwd, "m\(index)")
            let ufrag = medium.iceUfrag ?? description.iceUfrag
            let password = medium.icePwd ?? description.icePwd
            guard let ufrag, let password else {
                let isBundled = description.isCarriedByBundle(medium) || medium.attributes.has("bundle-only")
                guard !isBundled || ufrag != nil || password != nil else { continue }
                let missing = ufrag == nil ? (password == nil ? "ice-ufrag, ice-pwd" : "ice-ufrag") : "ice-pwd"
                faults.append(
                    Fault(Text("SDP-ICE-CRED.missing", index, medium, .wire(missing)), subject: "m\(index)"))
                continue
            }
            if let other = passwords[ufrag], other != password {
                faults.append(
                    Fault(Text("SDP-ICE-CRED.passwords", index, medium, .wire(ufrag)), subject: "m\(index)"))
            }
            passwords[ufrag] = password
        }
        return faults
    }

    private static func form(_ ufrag: String?, _ password: String?, _ place: String) -> [Fault] {
        var faults: [Fault] = []
        if let ufrag {
            let length = ufrag.utf8.count
            if !isICE(ufrag) {
                faults.append(Fault(Text("SDP-ICE-CRED.ufragCharacters"), actual: .wire(ufrag), subject: place))
            }
            if !(4...32).contains(length) {
                faults.append(
                    Fault(Text("SDP-ICE-CRED.ufragLength", .integer(length)), actual: .wire(ufrag), subject: place))
            }
        }
        if let password {
            let length = password.utf8.count
            if !isICE(password) { faults.append(Fault(Text("SDP-ICE-CRED.pwdCharacters"), subject: place)) }
            if !(22...256).contains(length) {
                faults.append(Fault(Text("SDP-ICE-CRED.pwdLength", .integer(length)), subject: place))
            }
        }
        return faults
    }

    /// Whether the text consists of `ice-char = ALPHA / DIGIT / "+" / "/"`.
    static func isICE(_ text: String) -> Bool {
        text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2B || $0 == 0x2F }
    }
}

/// A message that carries a candidate outside of a description.
protocol CandidateCarrier: Message {
    /// The candidate line, even if malformed, or nil if there is none or it is not text.
    var candidateText: String? { get }
}

/// SDP-ICE-CAND: candidates are usable.
///
/// RFC 8839 §5.1:
/// 1. The grammar of the line; a foundation of 1 to 32 ICE characters, a component of 1 to 256, a priority of 1 to 2^31
///    - 1.
/// 2. The related address and port MUST be present for all but host candidates, and MUST NOT be present for these. To
///    hide them, an agent MUST send 0.0.0.0 (or ::) and port 9.
/// 3. The address of an agent's own candidate MUST NOT be a domain name.
///
/// Browsers hide their address behind an mDNS name, and several agents send another port with 0.0.0.0: habits, reported
/// as notes.
struct SDPICECandidates: DescriptionRule {
    static let info = RuleInfo(
        "SDP-ICE-CAND", .error, .must, reference: "RFC 8839 §5.1",
        check: "a=candidate follows its grammar, with raddr and rport exactly where required.",
        example: "a=candidate:1 1 UDP 1694498815 192.0.2.3 45664 typ srflx")

    static let observes = ["sdp", "signaling"]

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if let description = step.description {
            judgement.conclude(faults(description, step), of: description)
        } else if let message = step.event.message as? any CandidateCarrier, let text = message.candidateText {
            judge(text, &judgement)
        }
    }

    /// Checks a candidate outside of a description, without `a=` (RFC 8840 §4.1, RFC 9429 §4.1.19).
    private func judge(_ text: String, _ judgement: inout Judgement) {
        let value = text.hasPrefix("a=") ? String(text.dropFirst(2)) : text
        let candidate = ICECandidate(value)
        let faults = candidate.map(Self.judge) ?? [Fault(Text("SDP-ICE-CAND.form"))]
        if faults.isEmpty { judgement.pass() }
        for fault in faults {
            judgement.fail(
                fault.message, actual: .wire(value), quirk: fault.quirk, severity: fault.severity,
                subject: candidate?.type ?? "candidate")
        }
    }

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        guard description.media.contains(where: { $0.attributes.has("candidate") }) else { return nil }
        var faults = description.problems(.candidateMalformed).map { Fault(Text("SDP-ICE-CAND.form"), line: $0) }
        for (index, medium) in description.media.enumerated() {
            for value in medium.attributes.all("candidate") {
                guard let candidate = ICECandidate(value) else { continue }
                faults += Self.judge(candidate).map { fault in
                    var fault = fault
                    fault.actual = .wire("a=candidate:\(value)")
                    fault.subject = "m\(index) \(candidate.type)"
                    return fault
                }
            }
        }
        return faults
    }

    private static func judge(_ candidate: ICECandidate) -> [Fault] {
        var faults: [Fault] = []
        if !(1...32).contains(candidate.foundation.utf8.count) || !SDPICECredentials.isICE(candidate.foundation) {
            faults.append(Fault(Text("SDP-ICE-CAND.foundation", .wire(candidate.foundation))))
        }
        if !(1...256).contains(candidate.component) {
            faults.append(Fault(Text("SDP-ICE-CAND.component", .integer(candidate.component))))
        }
        if !(1...UInt32(Int32.max)).contains(candidate.priority) {
            faults.append(Fault(Text("SDP-ICE-CAND.priority", .integer(Int(candidate.priority)))))
        }
        return faults + related(candidate) + address(candidate)
    }

    private static func related(_ candidate: ICECandidate) -> [Fault] {
        let isWhole = candidate.relatedAddress != nil && candidate.relatedPort != nil
        switch candidate.type {
        case "host":
            guard candidate.relatedAddress != nil || candidate.relatedPort != nil else { return [] }
            return [Fault(Text("SDP-ICE-CAND.hostRelated"))]
        case "srflx", "prflx", "relay":
            guard isWhole else { return [Fault(Text("SDP-ICE-CAND.unrelated", .wire(candidate.type)))] }
            let isHidden = candidate.relatedAddress == "0.0.0.0" || candidate.relatedAddress == "::"
            guard isHidden, candidate.relatedPort != 9 else { return [] }
            return [
                Fault(
                    Text("SDP-ICE-CAND.hidden", .integer(Int(candidate.relatedPort ?? 0))), quirk: "Q-WEBRTC",
                    severity: .note)
            ]
        default: return []
        }
    }

    private static func address(_ candidate: ICECandidate) -> [Fault] {
        let address = candidate.address
        guard SDPAddress.octets(ipv4: address) == nil, !SDPAddress.isIPv6(address) else { return [] }
        if candidate.isMDNS {
            return [Fault(Text("SDP-ICE-CAND.mdns", .wire(address)), quirk: "Q-WEBRTC", severity: .note)]
        }
        return [Fault(Text(SDPAddress.isName(address) ? "SDP-ICE-CAND.name" : "SDP-ICE-CAND.address", .wire(address)))]
    }
}
