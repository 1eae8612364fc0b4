package import WeirEngine
import WeirPackets

/// A message of HTTP as a step of WHIP or WHEP (RFC 9725 §4).
package struct WHIPMessage: Message, Equatable {
    /// What a message is for.
    package enum Purpose: String, Sendable {
        /// POST of an offer, or its answer.
        case negotiation
        /// PATCH with candidates, or new credentials, or its answer.
        case update
        /// DELETE of the session, or its answer.
        case end
        /// OPTIONS, by which a browser asks whether it may post from a page of another origin, or its answer.
        case preflight
        /// What else concerns the resource.
        case other
    }

    /// The message itself.
    package var http: HTTPMessage
    /// The request that it answers; nil for a request, and where that was not seen.
    package var request: HTTPMessage?
    /// What it is for.
    package var purpose: Purpose
    /// The description in its body.
    package var content: SessionDescription?
    /// What a fragment in its body says (RFC 8840 §9): credentials, media and candidates.
    package var fragment: SessionDescription?
    /// Octets of the body.
    package var bodyOctets = 0
    /// The path of the resource that stands for the session, when it is known.
    package var resource: String?
    /// Whether the media goes from the server to the client: WHEP.
    package var isPlayback = false

    /// The host and port in `target`; nil where it has none.
    static func authority(_ target: String) -> String? {
        guard let end = TextSyntax.endOfScheme(target) else { return nil }
        let place = target[end...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let host = place.lastIndex(of: "@").map { place[place.index(after: $0)...] } ?? place
        return host.isEmpty ? nil : TextSyntax.lowercased(String(host))
    }
}

extension WHIPMessage {
    /// `http`: that is what is on the wire.
    package var protocolName: String { "http" }
    /// `request` or `response`.
    package var kind: String { http.kind }
    /// The frame that brought its first octet.
    package var firstFrame: Int? { http.firstFrame }

    /// The line of HTTP, and what is in the body.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        var words = http.wording(secrets)
        if content != nil { words += http.isRequest ? ", offers media" : ", answers the offer" }
        if let fragment {
            let candidates = fragment.media.reduce(0) { $0 + $1.attributes.all("candidate").count }
            let isLast = fragment.endsCandidates
            switch candidates {
            case 0: words += isLast ? ", no more candidates" : ", no candidates"
            case 1: words += isLast ? ", the last candidate" : ", 1 candidate"
            default: words += isLast ? ", the last \(candidates) candidates" : ", \(candidates) candidates"
            }
        }
        if !http.isRequest, http.status == 201, let resource { words += " as \(secrets.apply(resource: resource))" }
        return words
    }

    /// What the step does.
    package var note: Text? {
        switch (purpose, http.isRequest) {
        case (.negotiation, true): return Text(isPlayback ? "whip.offer.play" : "whip.offer.publish")
        case (.negotiation, false): return Text(answerNote)
        case (.update, true): return Text(fragment?.hasCandidates ?? false ? "whip.candidates" : "whip.update")
        case (.update, false): return isAccepted ? Text("whip.updated") : Text("whip.refused")
        case (.end, true): return Text("whip.delete")
        case (.end, false): return isAccepted ? Text("whip.deleted") : Text("whip.refused")
        case (.preflight, true): return Text("whip.preflight")
        case (.preflight, false): return Text(isRefusedPreflight ? "whip.preflight.refused" : "whip.preflight.allowed")
        case (.other, _): return nil
        }
    }

    /// Whether the answer keeps a browser from posting: it is no success, or does not allow the origin.
    var isRefusedPreflight: Bool {
        guard purpose == .preflight, let status = http.status, status >= 200 else { return false }
        return !isAccepted || http.headers.first("access-control-allow-origin") == nil
    }

    private var isAccepted: Bool { http.status.map { (200..<300).contains($0) } ?? false }

    private var answerNote: String {
        switch http.status ?? 0 {
        case 200..<300: "whip.answer"
        case 300..<400: "whip.redirect"
        case 401, 403: "whip.unauthorized"
        default: "whip.refused"
        }
    }

    /// The members of the report's `fields`.
    package func fields(_ secrets: SecretPolicy) -> [Field] { http.fields(secrets) }

    /// What rules ask of it.
    package func view(of event: Event) -> AnyObject? { WHIPStep(self) }
}

extension SessionDescription {
    /// Whether it says that no more candidates come (RFC 8840 §8).
    var endsCandidates: Bool {
        attributes.contains { $0.name == "end-of-candidates" }
            || media.contains { $0.attributes.has("end-of-candidates") }
    }
    /// Whether it has candidates.
    var hasCandidates: Bool { media.contains { $0.attributes.has("candidate") } }
    /// The user name fragment of the session, or of its first medium.
    var firstFragment: String? { iceUfrag ?? media.lazy.compactMap(\.iceUfrag).first }
}
