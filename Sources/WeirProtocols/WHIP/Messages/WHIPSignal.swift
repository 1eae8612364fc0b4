package import WeirEngine

extension WHIPMessage: WebRTCSignal {
    /// The session of a WebRTC call.
    package var sessionType: Session.Type? { purpose == .preflight && !isRefusedPreflight ? nil : WebRTCSession.self }

    /// Requests to a resource are relevant only if it belongs to a call.
    package var requiresSession: Bool {
        purpose == .end || purpose == .other || (purpose == .update && fragment == nil)
    }

    /// The message's contents for its call.
    var signal: WebRTCSignalContent {
        let isAnswer = !http.isRequest
        let type: WebRTCSignalContent.DescriptionType = isAnswer ? .answer : .offer
        let candidates = (fragment?.media ?? []).flatMap { medium in
            medium.attributes.all("candidate").compactMap { ICECandidate($0) }.map {
                WebRTCSignalContent.Candidate($0, mid: medium.mid, ufrag: medium.iceUfrag ?? fragment?.iceUfrag)
            }
        }
        var signal = WebRTCSignalContent(
            call: resource, description: content.map { .init(type, $0) }, candidates: candidates,
            fragments: [fragment?.firstFragment].compactMap { $0 },
            endsCandidates: fragment?.endsCandidates ?? false,
            endsCall: purpose == .end && isAnswer && (http.status.map { (200..<300).contains($0) } ?? false))
        if resource != nil { signal.authority = authority }
        if isRefusedPreflight, let status = http.status {
            signal.refusal = OfferRefusal(status: status, reason: http.reason, request: nil, retryAfter: nil)
            signal.refusal?.isPreflight = true
        }
        if isAnswer, purpose == .negotiation {
            signal.answersConnection = request != nil
            signal.refusal = refusal
        }
        return signal
    }

    /// The rejection of the offer, or of its preflight request; nil if the response accepts it, or redirects.
    private var refusal: OfferRefusal? {
        guard let status = http.status, status >= 400 else { return nil }
        let asked = request.map { request in
            OfferRefusal.Request(
                mediaType: HTTPInterest.mediaType(request),
                hasCredentials: request.headers.first("authorization") != nil, isWHIP: true,
                firstFrame: request.firstFrame)
        }
        return OfferRefusal(status: status, reason: http.reason, request: asked, retryAfter: http.retryAfter)
    }

    /// The host of the resource: that of Location, else that of the request.
    private var authority: String? {
        let located = http.isRequest ? nil : http.headers.first("location").flatMap { Self.authority($0) }
        return located ?? (request ?? http).headers.first("host").map { TextSyntax.lowercased($0) }
    }
}
