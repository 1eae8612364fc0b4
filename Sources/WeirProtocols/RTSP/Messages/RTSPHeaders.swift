import WeirPackets

/// Typed access to the headers relevant to streaming.
extension RTSPMessage {
    /// The sequence number (RFC 2326 §12.17), read leniently: the leading digits of the value, or nil if there are none
    /// or they exceed 32 bits.
    public var cseq: UInt32? { head.cseq }
    /// `CSeq` as sent, without surrounding white space.
    public var cseqText: String? { head.cseqText }
    /// `Content-Length`: the leading digits of the value (RFC 2326 §12.14).
    public var contentLength: Int? { head.contentLength }
    /// The transport specifications, in order of preference (RFC 2326 §12.39).
    public var transports: [SharedValue<TransportSpec>] { head.transports }
    /// The session identifier and timeout (§12.37).
    public var session: SessionHeader? { head.session }
    /// Whether it has a `Session`.
    var hasSession: Bool { head.names.contains(.session) }
    /// Whether it names no session.
    var hasNoSession: Bool { !hasSession || session?.identifier.isEmpty ?? true }
    /// The `RTP-Info` entries, one per stream (§12.33).
    public var rtpInfo: [RTPInfoEntry] { head.rtpInfo }
    /// The time range (§12.29).
    public var range: RangeHeader? { head.range }
    /// The methods of `Public` (§12.28), also in RTSP 2.0; empty without the header.
    public var publicMethods: [String] { head.publicMethods }
    /// The methods of `Allow` (§12.4).
    public var allowedMethods: [String] { head.list(.allow) }
    /// The playback rate (§12.34).
    public var scale: Double? { number("Scale") }
    /// The delivery rate (§12.35).
    public var speed: Double? { number("Speed") }
    /// The base of relative URLs in the body (§12.11), as sent.
    public var contentBase: String? { head.first(.contentBase) }
    /// The location of the body's resource (RFC 2068 §14.15), as sent.
    public var contentLocation: String? { head.first(.contentLocation) }
    /// The media type of the body, lower case, without parameters.
    public var contentType: String? { head.contentType }
    /// The media types accepted by the client.
    public var accept: [String] { head.list(.accept) }
    /// Features that the recipient must support (RFC 2326 §12.32).
    public var require: [String] { head.list(.require) }
    /// Features that a proxy must support (§12.27).
    public var proxyRequire: [String] { head.list(.proxyRequire) }
    /// Features that are not supported (§12.41).
    public var unsupported: [String] { head.list(.unsupported) }
    /// The client's timestamp as sent, with the server's delay if present (§12.38).
    public var timestamp: String? { head.first(.timestamp) }
    /// The creation time of the message (§12.18).
    public var date: RTSPDate? { head.first(.date).map(RTSPDate.init) }
    /// The challenges of a 401 (RFC 2068 §14.46) or 407 (§14.33).
    public var challenges: [AuthenticationChallenge] {
        (head.all(.wwwAuthenticate) + head.all(.proxyAuthenticate))
            .flatMap(AuthenticationChallenge.list)
    }
    /// The credentials (RFC 2068 §14.8).
    public var authorization: AuthenticationCredentials? {
        head.first(.authorization).flatMap(AuthenticationCredentials.init)
    }
    /// The server's software.
    public var server: String? { head.first(.server) }
    /// The client's software.
    public var userAgent: String? { head.first(.userAgent) }

    private func number(_ name: String) -> Double? {
        head.headers.first(name).flatMap { TextSyntax.number($0) }
    }
}

extension HeaderBlock {
    /// Returns the comma-separated elements of all fields named `name`.
    func list(_ name: HeaderName) -> [String] {
        var parts: [String] = []
        for value in all(name) {
            for part in TextSyntax.split(value, at: ASCII.comma) {
                let part = TextSyntax.trim(part)
                if !part.isEmpty { parts.append(part) }
            }
        }
        return parts
    }
}
