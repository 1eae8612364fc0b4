import WeirEngine

// Calls whose offer the signaling server rejected.

extension WebRTCSession {
    /// A rejected offer, and the frame of the response.
    struct RefusedOffer {
        var frame: Int
        var refusal: OfferRefusal
        /// The frame of the offer, or nil if not known.
        var offerFrame: Int?
    }

    /// Records that the signaling server rejected an offer.
    func note(_ refusal: OfferRefusal, frame: Int) {
        awaitsAnswer = false
        refusedOffers += 1
        refusedOffer = RefusedOffer(frame: frame, refusal: refusal, offerFrame: latestOffer?.frame)
    }

    /// Records a rejection by the protocol that carries the signaling, if it is for the latest offer.
    func note(carrier: any SignalCarrier, _ context: MessageContext) {
        guard let refusal = carrier.offerRefusal, awaitsAnswer, let latestOffer, latestOffer.flow == context.flow.id,
            let first = refusal.request?.firstFrame, first == latestOffer.firstFrame
        else { return }
        note(refusal, frame: context.at.frame)
    }

    /// Whether the call consists of offers only, and the latest one was rejected.
    var isRefused: Bool {
        refusedOffer != nil && firstAnswer == nil && pairs.isEmpty && connections.isEmpty && mediaStreams.isEmpty
    }

    /// The outcome of a call whose offer was rejected.
    var refusalOutcome: Text? {
        guard firstAnswer == nil, let refused = refusedOffer else { return nil }
        let (frame, status) = (Text.Argument.integer(refused.frame), Text.Argument.string(refused.refusal.statusLine))
        if refused.refusal.isPreflight { return Text("webrtc.outcome.refusedPreflight", frame, status) }
        return refusedOffers > 1
            ? Text("webrtc.outcome.refusedOffers", frame, status, .integer(refusedOffers))
            : Text("webrtc.outcome.refusedOffer", frame, status)
    }

    /// Why the server rejected the offer, by the status and the contents of the request.
    var refusalCauses: [Cause] {
        guard isRefused, let refused = refusedOffer, let (id, text) = Self.cause(of: refused.refusal) else { return [] }
        let frames = [refused.offerFrame, refused.frame].compactMap { $0 }
        return [Cause(id, .proved, frames: frames, text)]
    }

    private static func cause(of refusal: OfferRefusal) -> (id: String, text: Text)? {
        if refusal.isPreflight { return ("preflight-refused", Text("webrtc.cause.preflight-refused")) }
        let status = Text.Argument.integer(refusal.status)
        if let request = refusal.request, refusal.status == 415 || refusal.status == 400 && request.sendsJSON {
            return contentCause(request, refusal.status)
        }
        switch refusal.status {
        case 401:
            guard let request = refusal.request else { return nil }
            return request.hasCredentials
                ? ("credentials-refused", Text("webrtc.cause.credentials-refused"))
                : ("credentials-missing", Text("webrtc.cause.credentials-missing"))
        case 403: return ("forbidden", Text("webrtc.cause.forbidden"))
        case 404, 410: return ("not-found", Text("webrtc.cause.not-found"))
        case 405: return ("method-not-allowed", Text("webrtc.cause.method-not-allowed"))
        case 429, 503:
            let wait = refusal.retryAfter.map { Text("webrtc.cause.server-unavailable.retry", .integer($0)) }
            return ("server-unavailable", wait ?? Text("webrtc.cause.server-unavailable"))
        case 500...599: return ("server-error", Text("webrtc.cause.server-error", status))
        case 400...499: return ("offer-refused", Text("webrtc.cause.offer-refused", status))
        default: return nil
        }
    }

    private static func contentCause(_ request: OfferRefusal.Request, _ status: Int) -> (id: String, text: Text) {
        guard let type = request.mediaType else { return ("content-type", Text("webrtc.cause.content-type.none")) }
        let isWrong = request.isWHIP && type != "application/sdp"
        let key = isWrong ? "webrtc.cause.content-type.whip" : "webrtc.cause.content-type"
        return ("content-type", Text(key, .string(String(type.prefix(64)))))
    }
}

extension OfferRefusal.Request {
    /// Whether the offer was sent as JSON to an endpoint that expects SDP.
    fileprivate var sendsJSON: Bool { isWHIP && mediaType.map { $0.contains("json") } ?? false }
}
