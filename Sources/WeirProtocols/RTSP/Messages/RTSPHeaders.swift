import WeirPackets

/// The headers that mean something to a streaming session, typed.
extension RTSPMessage {
    /// The sequence number of the request or of the request that is answered (RFC 2326 §12.17), read leniently: the
    /// leading digits of the value; nil when there are none or when they exceed 32 bits.
    public var cseq: UInt32? { head.cseq }
    /// `CSeq` as sent, without blanks around it.
    public var cseqText: String? { head.cseqText }
    /// `Content-Length`: the leading digits of the value (RFC 2326 §12.14).
    public var contentLength: Int? { head.contentLength }
    /// The transports, in order of preference (RFC 2326 §12.39).
    public var transports: [TransportSpec] { head.transports }
    /// The session (§12.37).
    public var session: SessionHeader? { head.session }
    /// What is said of each stream's first packet (§12.33).
    public var rtpInfo: [RTPInfoEntry] { head.rtpInfo }
    /// The range of time (§12.29).
    public var range: RangeHeader? { head.range }
    /// The methods of `Public` (§12.28) or of RTSP 2.0's too; empty when there is no such header.
    public var publicMethods: [String] { head.publicMethods }
    /// The methods of `Allow` (§12.4).
    public var allowedMethods: [String] { head.headers.list("Allow") }
    /// The viewing rate (§12.34).
    public var scale: Double? { number("Scale") }
    /// The rate of delivery (§12.35).
    public var speed: Double? { number("Speed") }
    /// The base of relative URLs in the body (§12.11), as sent.
    public var contentBase: String? { head.headers.first("Content-Base") }
    /// Where the body's resource is (RFC 2068 §14.15), as sent.
    public var contentLocation: String? { head.headers.first("Content-Location") }
    /// The media type of the body, lower case, without parameters.
    public var contentType: String? { head.contentType }
    /// The media types that the client accepts.
    public var accept: [String] { head.headers.list("Accept") }
    /// Features that must be understood (RFC 2326 §12.32).
    public var require: [String] { head.headers.list("Require") }
    /// Features that a proxy must understand (§12.27).
    public var proxyRequire: [String] { head.headers.list("Proxy-Require") }
    /// Features that are not supported (§12.41).
    public var unsupported: [String] { head.headers.list("Unsupported") }
    /// The client's clock, as sent, with the server's delay if it added one (§12.38).
    public var timestamp: String? { head.headers.first("Timestamp") }
    /// When the message was made (§12.18).
    public var date: RTSPDate? { head.headers.first("Date").map(RTSPDate.init) }
    /// The ways to authenticate that a 401 offers (RFC 2068 §14.46), or a 407 (§14.33).
    public var challenges: [AuthenticationChallenge] {
        (head.headers.all("WWW-Authenticate") + head.headers.all("Proxy-Authenticate"))
            .flatMap(AuthenticationChallenge.list)
    }
    /// The credentials (RFC 2068 §14.8).
    public var authorization: AuthenticationCredentials? {
        head.headers.first("Authorization").flatMap(AuthenticationCredentials.init)
    }
    /// The server's software.
    public var server: String? { head.headers.first("Server") }
    /// The client's software.
    public var userAgent: String? { head.headers.first("User-Agent") }

    private func number(_ name: String) -> Double? {
        head.headers.first(name).flatMap { TextSyntax.number($0) }
    }
}

extension HeaderBlock {
    /// The parts, between commas, of all fields called `name`.
    func list(_ name: String) -> [String] {
        var parts: [String] = []
        for field in fields where ASCII.equalIgnoringCase(field.name, name) {
            for part in TextSyntax.split(field.value, at: ASCII.comma) {
                let part = TextSyntax.trim(part)
                if !part.isEmpty { parts.append(part) }
            }
        }
        return parts
    }

    /// Whether more than one field is called `name`.
    func isRepeated(_ name: String) -> Bool {
        var isFound = false
        for field in fields where ASCII.equalIgnoringCase(field.name, name) {
            if isFound { return true }
            isFound = true
        }
        return false
    }
}
