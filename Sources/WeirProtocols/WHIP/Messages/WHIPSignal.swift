package import WeirEngine

extension WHIPMessage: WebRTCSignal {
    /// A call of WebRTC.
    package var story: Session.Type? { purpose == .preflight && !isRefusedPreflight ? nil : WebRTCSession.self }

    /// Requests to a resource may be anybody's, unless a call has that resource.
    package var needsStory: Bool { purpose == .end || purpose == .other || (purpose == .update && fragment == nil) }

    /// What it says of the call.
    package var signal: WebRTCSignalContent {
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

    /// The refusal of the offer, or of leave to post it; nil where the response accepts it, or redirects.
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

    /// The host at which the resource is: the one that Location says, else the one that was asked.
    private var authority: String? {
        let located = http.isRequest ? nil : http.headers.first("location").flatMap { Self.authority($0) }
        return located ?? (request ?? http).headers.first("host").map { TextSyntax.lowercased($0) }
    }
}
