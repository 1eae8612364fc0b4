package import WeirEngine

/// An HTTP response that rejects an offer, with properties of the request that contained the offer.
package struct OfferRefusal: Sendable {
    /// The status code.
    package var status: Int
    /// The reason phrase.
    package var reason: String
    /// The request, or nil if it was not captured.
    package var request: Request?
    /// The delay of Retry-After in seconds.
    package var retryAfter: Int?

    /// Whether it rejects the CORS preflight request for the offer.
    package var isPreflight = false

    /// The request that contained the offer.
    package struct Request: Sendable {
        /// The media type of its body, in lowercase.
        package var mediaType: String?
        /// Whether it contains credentials.
        package var hasCredentials: Bool
        /// Whether its URL is a WHIP or WHEP endpoint.
        package var isWHIP: Bool
        /// The frame that contains its first octet.
        package var firstFrame: Int?

        /// Creates a request.
        package init(mediaType: String?, hasCredentials: Bool, isWHIP: Bool, firstFrame: Int?) {
            self.mediaType = mediaType
            self.hasCredentials = hasCredentials
            self.isWHIP = isWHIP
            self.firstFrame = firstFrame
        }
    }

    /// Creates a rejection from a response.
    package init(status: Int, reason: String?, request: Request?, retryAfter: Int?) {
        self.status = status
        self.reason = reason ?? ""
        self.request = request
        self.retryAfter = retryAfter
    }

    /// Status and reason, such as `404 Not Found`.
    var statusLine: String { reason.isEmpty ? String(status) : "\(status) \(reason)" }
}

/// A message whose body contains the signaling of another protocol, or that is the response to one.
package protocol SignalCarrier: Message {
    /// The rejection, if the message rejects the offer of its carrier.
    var offerRefusal: OfferRefusal? { get }
}
