import WeirEngine

/// An HTTP response that rejects an offer, with properties of the request that contained the offer.
struct OfferRefusal: Sendable {
    /// The status code.
    var status: Int
    /// The reason phrase.
    var reason: String
    /// The request, or nil if it was not captured.
    var request: Request?
    /// The delay of Retry-After in seconds.
    var retryAfter: Int?

    /// Whether it rejects the CORS preflight request for the offer.
    var isPreflight = false

    /// The request that contained the offer.
    struct Request: Sendable {
        /// The media type of its body, in lowercase.
        var mediaType: String?
        /// Whether it contains credentials.
        var hasCredentials: Bool
        /// Whether its URL is a WHIP or WHEP endpoint.
        var isWHIP: Bool
        /// The frame that contains its first octet.
        var firstFrame: Int?

        /// Creates a request.
        init(mediaType: String?, hasCredentials: Bool, isWHIP: Bool, firstFrame: Int?) {
            self.mediaType = mediaType
            self.hasCredentials = hasCredentials
            self.isWHIP = isWHIP
            self.firstFrame = firstFrame
        }
    }

    /// Creates a rejection from a response.
    init(status: Int, reason: String?, request: Request?, retryAfter: Int?) {
        self.status = status
        self.reason = reason ?? ""
        self.request = request
        self.retryAfter = retryAfter
    }

    /// Status and reason, such as `404 Not Found`.
    var statusLine: String { reason.isEmpty ? String(status) : "\(status) \(reason)" }
}

/// A message whose body contains the signaling of another protocol, or that is the response to one.
protocol SignalCarrier: Message {
    /// The rejection, if the message rejects the offer of its carrier.
    var offerRefusal: OfferRefusal? { get }
}
