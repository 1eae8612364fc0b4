import WeirEngine
import WeirPackets

/// RTSP-CONTENT-BASE: the base of the URLs in the description.
///
/// `Content-Base = "Content-Base" ":" absoluteURI` (RFC 2068 §14.11, adopted by RFC 2326 §12.11), here an RTSP URL.
/// Known cameras omit the scheme, or repeat it.
struct RTSPContentBase: Rule {
    static let info = RuleInfo(
        "RTSP-CONTENT-BASE", .warning, .plain, reference: "RFC 2068 §14.11",
        check: "Content-Base is one absolute RTSP URL.",
        example: "Content-Base: 192.0.2.1/live/\nContent-Base: rtsp://192.0.2.1/live/")

    static var sorts: MessageSorts { .rtspContentBase }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtsp, let base = message.contentBase else { return }
        guard let form = message.contentBaseFlaw else { return judgement.pass() }
        judgement.fail(
            Text("RTSP-CONTENT-BASE.\(form)", .uri(Text.clip(base))), expected: .wire("rtsp://host/path/"),
            actual: .wire(uri: base), quirk: form == "noScheme" || form == "twoSchemes" ? "Q-BASE" : nil)
    }
}

extension RTSPMessage {
    /// How Content-Base differs from one absolute RTSP URL, as the suffix of a text key; nil if it does not, or is absent.
    var contentBaseFlaw: String? {
        guard let base = contentBase else { return nil }
        let schemes = TextSyntax.countSchemes(base)
        if schemes == 0 { return "noScheme" }
        if schemes > 1 { return "twoSchemes" }
        guard ["rtsp://", "rtspu://", "rtsps://"].contains(where: { TextSyntax.hasPrefix(base, $0) }) else {
            return "otherScheme"
        }
        return base.hasOctet(TextSyntax.isBlank) ? "blank" : nil
    }
}

/// RTSP-CONTROL-URI: SETUP uses the control URL of the description.
///
/// 1. `a=control` may be relative; the base is Content-Base, else Content-Location, else the request URL, and `*` is
///    the base itself (RFC 2326 §C.1.1). Clients SHOULD use these rules (§14.3).
/// 2. Ignored: the case of hosts, port 554, user information, and a trailing slash of the base. Most clients join a
///    base without slash and a control with a slash, where RFC 1808 requires replacing the base's last segment: a
///    habit.
struct RTSPControlURI: Rule {
    static let info = RuleInfo(
        "RTSP-CONTROL-URI", .warning, .should, reference: "RFC 2326 §C.1.1",
        check: "The URI of SETUP is a control URL of the description, resolved against its base.",
        example: "Content-Base: rtsp://h/live/ a=control:track1\nSETUP rtsp://h/track1")

    static var sorts: MessageSorts { .rtspSetup }

    /// Whether the missing description was already reported.
    private var isSaid = false

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let request = step.clientRequest, request.knownMethod == .setup, let session = step.rtspSession,
            let uri = request.uri
        else { return }
        guard let description = session.description, let base = session.baseURI else {
            if step.mayHaveMissed, !isSaid {
                isSaid = true
                judgement.inconclusive(Text("RTSP-CONTROL-URI.inconclusive"))
            } else {
                judgement.notApplicable()
            }
            return
        }
        guard !description.problems.contains(where: { $0.kind == .tooManyLines }) else {
            return judgement.inconclusive(Text("RTSP-CONTROL-URI.inconclusive"))
        }
        // Another presentation has its own description.
        guard !session.beginsAnother(request) else {
            judgement.notApplicable()
            return
        }
        // The usual case.
        let media = description.media
        let isUsual = media.indices.contains { index in
            media.span[index].control.map { ControlURL.isPlainlyResolved(uri, $0, base: base) } ?? false
        }
        if isUsual { return judgement.pass() }
        if session.isPresentation(uri) {
            return judgement.fail(
                Text("RTSP-CONTROL-URI.presentation"),
                expected: description.media.first?.control.map { .wire(uri: ControlURL.resolve($0, base: base)) },
                actual: .wire(uri: uri), reference: "RFC 2326 §11.4.10", subject: "presentation")
        }
        let controls = description.media.compactMap(\.control) + [description.control ?? "*"]
        // Most URIs match exactly and need no normalization.
        if controls.contains(where: { ControlURL.resolve($0, base: base) == uri }) { return judgement.pass() }
        let target = ControlURL.comparable(uri)
        if controls.contains(where: { ControlURL.comparable(ControlURL.resolve($0, base: base)) == target }) {
            judgement.pass()
        } else if let control = controls.first(where: {
            ControlURL.comparable(ControlURL.concatenate($0, base: base)) == target
        }) {
            judgement.fail(
                Text("RTSP-CONTROL-URI.concatenated", .wire(control), .uri(Text.clip(base))),
                expected: .wire(uri: ControlURL.resolve(control, base: base)), actual: .wire(uri: uri), quirk: "Q-BASE",
                subject: control)
        } else {
            judgement.fail(
                Text("RTSP-CONTROL-URI.unknown", .uri(Text.clip(uri))),
                expected: description.media.first?.control.map {
                    .wire(uri: ControlURL.resolve($0, base: base))
                },
                actual: .wire(uri: uri), subject: "unknown")
        }
    }
}
