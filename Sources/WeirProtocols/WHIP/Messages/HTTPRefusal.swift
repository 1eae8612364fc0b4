import WeirEngine

extension HTTPMessage: SignalCarrier {
    /// The rejection of the contents of a POST.
    var offerRefusal: OfferRefusal? {
        guard let status, status >= 400, let refused, refused.method == "POST" else { return nil }
        return OfferRefusal(
            status: status, reason: reason,
            request: .init(
                mediaType: refused.mediaType, hasCredentials: refused.hasCredentials,
                isWHIP: HTTPInterest.namesWHIP(refused.path), firstFrame: refused.firstFrame),
            retryAfter: retryAfter)
    }

    /// The delay of Retry-After in seconds (RFC 2068 §14.38), or nil if it is a date, or absent.
    var retryAfter: Int? { headers.first("retry-after").flatMap { TextSyntax.decimal(TextSyntax.trim($0)) } }
}
