package import WeirEngine

/// An HTTP response that refuses an offer, and what is known of the request that carried the offer.
package struct OfferRefusal: Sendable {
    /// The status code.
    package var status: Int
    /// The reason phrase.
    package var reason: String
    /// The request; nil where the capture does not contain it.
    package var request: Request?
    /// The seconds of Retry-After, as sent.
    package var retryAfter: Int?

    /// Whether it refuses a browser's request for permission to post the offer.
    package var isPreflight = false

    /// The request that carried the offer.
    package struct Request: Sendable {
        /// The media type of its body, in lower case.
        package var mediaType: String?
        /// Whether it carried credentials.
        package var hasCredentials: Bool
        /// Whether it names an endpoint of WHIP or WHEP.
        package var isWHIP: Bool
        /// The frame that brought its first octet.
        package var firstFrame: Int?

        /// Describes a request.
        package init(mediaType: String?, hasCredentials: Bool, isWHIP: Bool, firstFrame: Int?) {
            self.mediaType = mediaType
            self.hasCredentials = hasCredentials
            self.isWHIP = isWHIP
            self.firstFrame = firstFrame
        }
    }

    /// Describes a response.
    package init(status: Int, reason: String?, request: Request?, retryAfter: Int?) {
        self.status = status
        self.reason = reason ?? ""
        self.request = request
        self.retryAfter = retryAfter
    }

    /// Status and reason, such as `404 Not Found`.
    var statusLine: String { reason.isEmpty ? String(status) : "\(status) \(reason)" }
}

/// A message that carries signaling of others in its body, or answers one that does.
package protocol SignalCarrier: Message {
    /// The refusal, where it refuses what the carrier brought.
    var offerRefusal: OfferRefusal? { get }
}
