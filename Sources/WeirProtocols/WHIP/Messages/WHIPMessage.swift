package import WeirEngine
import WeirPackets

/// An HTTP message as a step of WHIP or WHEP (RFC 9725 §4).
package struct WHIPMessage: Message, Equatable {
    /// The purpose of a message.
    package enum Purpose: String, Sendable {
        /// POST of an offer, or its response.
        case negotiation
        /// PATCH with candidates or new credentials, or its response.
        case update
        /// DELETE of the session, or its response.
        case end
        /// OPTIONS, the CORS preflight request of a browser, or its response.
        case preflight
        /// Any other message for the resource.
        case other
    }

    /// The HTTP message.
    package var http: HTTPMessage
    /// The request of a response, or nil if it was not captured.
    package var request: HTTPMessage?
    /// The purpose.
    package var purpose: Purpose
    /// The session description in the body.
    package var content: SessionDescription?
    /// The SDP fragment in the body (RFC 8840 §9): credentials, media sections and candidates.
    package var fragment: SessionDescription?
    /// Octets of the body.
    package var bodyOctets = 0
    /// The path of the session resource, if known.
    package var resource: String?
    /// Whether media is sent from the server to the client: WHEP.
    package var isPlayback = false

    /// Returns the host and port in `target`, or nil if it has none.
    static func authority(_ target: String) -> String? {
        guard let end = TextSyntax.endOfScheme(target) else { return nil }
        let place = target[end...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let host = place.lastIndex(of: "@").map { place[place.index(after: $0)...] } ?? place
        return host.isEmpty ? nil : TextSyntax.lowercased(String(host))
    }
}

extension WHIPMessage {
    /// `http`, the protocol on the wire.
    package var protocolName: String { "http" }
    /// The kind of message: `request` or `response`.
    package var kind: String { http.kind }
    /// The frame that contains its first octet.
    package var firstFrame: Int? { http.firstFrame }

    /// Returns the HTTP line, and the contents of the body.
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

    /// An explanation of the step.
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

    /// Whether the response prevents a browser from sending the POST: an error, or a missing permission for the origin.
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

    /// Returns the members of the report's `fields`.
    package func fields(_ secrets: SecretPolicy) -> [Field] { http.fields(secrets) }

    /// Returns the view that rules use.
    package func view(of event: Event) -> AnyObject? { WHIPStep(self) }
}

extension SessionDescription {
    /// Whether it contains an end-of-candidates indication (RFC 8840 §8).
    var endsCandidates: Bool {
        attributes.contains { $0.name == "end-of-candidates" }
            || media.contains { $0.attributes.has("end-of-candidates") }
    }
    /// Whether it contains candidates.
    var hasCandidates: Bool { media.contains { $0.attributes.has("candidate") } }
    /// The username fragment of the session, or of its first media section.
    var firstFragment: String? { iceUfrag ?? media.lazy.compactMap(\.iceUfrag).first }
}
