import WeirEngine
import WeirPackets

/// SIG-FRAMING: all messages on a connection have the same framing.
///
/// No specification defines it: a receiver that expects one framing loses messages with another. Evaluated on TCP, by
/// the first message or by the profile.
struct SIGFraming: Rule {
    static let info = RuleInfo(
        "SIG-FRAMING", .error, .practice, reference: "practice",
        check:
            "Messages on a TCP connection are delimited in one way: a length, a line feed, a 0, or brackets.",
        example: "00 00 00 2A {… 40 octets}")
    static let observes = ["signaling"]

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.signaling, message.carrier == .tcp, !message.isCut else {
            return judgement.notApplicable()
        }
        switch message.framingFault {
        case nil: judgement.pass()
        case .length(let said, let found):
            judgement.fail(
                Text("SIG-FRAMING.length"), expected: Text("{0}", .integer(found)), actual: Text("{0}", .integer(said)),
                subject: "length")
        case .skipped(let octets):
            judgement.fail(Text("SIG-FRAMING.skipped", .integer(octets)), subject: "skipped")
        case .unended(let end):
            judgement.fail(Text("SIG-FRAMING.unended", .wire(end)), expected: .wire(end), subject: "end")
        }
    }
}

/// SIG-JSON: each message is valid JSON.
///
/// RFC 8259: the grammar of §2 to §7, UTF-8 without a byte order mark (§8.1: MUST). Unique names in an object are a
/// SHOULD (§4): a note, since receivers differ in which duplicate they use.
struct SIGJSON: Rule {
    static let info = RuleInfo(
        "SIG-JSON", .error, .must, reference: "RFC 8259 §2",
        check: "Each message is valid JSON in UTF-8, without a byte order mark or duplicate names.",
        example: "{\"type\":\"login\",}")
    static let observes = ["signaling"]

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.signaling, message.words == nil, !message.isCut else {
            return judgement.notApplicable()
        }
        guard !message.flaws.isEmpty else { return judgement.pass() }
        // Text beyond a limit is not evaluated.
        if message.flaws.contains(where: { $0.kind == .depth || $0.kind == .size }) {
            return judgement.inconclusive(Text("SIG-JSON.bounds"), subject: "bounds")
        }
        for flaw in message.flaws {
            let isName = flaw.kind == .repeatedName
            judgement.fail(
                isName ? Text("SIG-JSON.repeatedName", .wire(flaw.name ?? "")) : Text("SIG-JSON.\(flaw.kind.rawValue)"),
                severity: isName ? .note : nil, reference: Self.clause(flaw.kind), subject: flaw.kind.rawValue)
        }
    }

    private static func clause(_ kind: JSONFlaw.Kind) -> String {
        switch kind {
        case .byteOrderMark, .notUTF8: "RFC 8259 §8.1"
        case .repeatedName: "RFC 8259 §4"
        case .controlCharacter, .escape: "RFC 8259 §7"
        case .number: "RFC 8259 §6"
        default: "RFC 8259 §2"
        }
    }
}

/// SIG-TYPE: a session description has a type.
///
/// A description as an object has a type, one of offer, pranswer, answer and rollback (RFC 9429 §4.1.10), and except
/// for a rollback (§4.1.10.2) it has a text. Evaluated on objects with no other members, as browsers produce them; in
/// other objects the type may have another meaning.
struct SIGType: Rule {
    static let info = RuleInfo(
        "SIG-TYPE", .error, .must, reference: "RFC 9429 §4.1.10",
        check: "A description's type is offer, pranswer, answer or rollback, and only a rollback has no text.",
        example: "{\"type\":\"\",\"sdp\":\"v=0…\"}")
    static let observes = ["signaling"]
    private static let types: Set<String> = ["offer", "pranswer", "answer", "rollback"]

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.signaling, let json = message.json, !message.isCut, message.candidate == nil else {
            return judgement.notApplicable()
        }
        var judged = 0
        Self.visit(json, depth: 0) { type, text in
            judged += 1
            if !Self.types.contains(type) {
                judgement.fail(
                    Text("SIG-TYPE.unknown"), expected: .wire("offer, pranswer, answer, rollback"),
                    actual: .wire("\"\(type)\""), subject: "type")
            } else if type != "rollback", text.isEmpty {
                judgement.fail(Text("SIG-TYPE.empty", .wire(type)), reference: "RFC 9429 §4.1.10.2", subject: "sdp")
            } else {
                judgement.pass()
            }
        }
        if judged == 0 { judgement.notApplicable() }
    }

    private static func visit(_ node: JSONNode, depth: Int, _ judge: (String, String) -> Void) {
        guard depth < 8 else { return }
        for element in node.elements { visit(element, depth: depth + 1, judge) }
        let members = node.members
        if members.count == 2, let type = node["type"]?.string, let text = node["sdp"]?.string {
            // A candidate may also be named sdp.
            if text.isEmpty || SignalingContents.description(in: text) != nil { judge(type, text) }
        }
        for member in members { visit(member.value, depth: depth + 1, judge) }
    }
}

/// SIG-CLEAR: DTLS fingerprints are integrity-protected.
///
/// Anyone who can modify the signaling can replace the fingerprint, and decrypt the media: descriptions with
/// fingerprints SHOULD be integrity-protected (RFC 5763 §5, RFC 8122 §7). Signaling that is readable in the capture is
/// not, unless both ends are on one host. Reported once per session.
struct SIGClear: Rule {
    static let info = RuleInfo(
        "SIG-CLEAR", .warning, .should, reference: "RFC 8122 §7",
        check: "Descriptions with fingerprints are sent over a secure connection.",
        example: "TCP, in the clear: {\"type\":\"offer\",\"sdp\":\"…a=fingerprint:sha-256 …\"}")
    static let observes = ["signaling"]
    private var isSaid = false

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let description = step.signaling?.description else { return judgement.notApplicable() }
        let prints = description.fingerprints + description.media.flatMap(\.fingerprints)
        guard !prints.isEmpty else { return judgement.notApplicable() }
        guard step.event.source.address != step.event.destination.address, step.event.decrypted == nil else {
            return judgement.pass()
        }
        if !isSaid { judgement.fail(Text("SIG-CLEAR.clear"), subject: "fingerprint") }
        isSaid = true
    }
}
