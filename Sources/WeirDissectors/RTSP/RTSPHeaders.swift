internal import WeirPackets

/// The headers that mean something to a streaming session, typed.
extension RTSPMessage {
    /// The sequence number of the request or of the request that is answered (RFC 2326 §12.17), read leniently: the
    /// leading digits of the value; nil when there are none or when they exceed 32 bits.
    public var cseq: UInt32? {
        cseqText.flatMap { text in
            let digits = text.utf8.prefix(while: ASCII.isDigit)
            return TextSyntax.decimal(String(decoding: digits, as: UTF8.self), as: UInt32.self)
        }
    }
    /// `CSeq` as sent, without blanks around it.
    public var cseqText: String? { headers.first("CSeq") }
    /// `Content-Length`: the leading digits of the value (RFC 2326 §12.14).
    public var contentLength: Int? {
        headers.first("Content-Length").flatMap { text in
            TextSyntax.decimal(String(decoding: text.utf8.prefix(while: ASCII.isDigit), as: UTF8.self))
        }
    }
    /// The session (§12.37).
    public var session: SessionHeader? { headers.first("Session").map(SessionHeader.init) }
    /// What is said of each stream's first packet (§12.33).
    public var rtpInfo: [RTPInfoEntry] { headers.all("RTP-Info").flatMap(RTPInfoEntry.list) }
    /// The range of time (§12.29).
    public var range: RangeHeader? { headers.first("Range").flatMap(RangeHeader.init) }
    /// The methods of `Public` (§12.28) or of RTSP 2.0's too; empty when there is no such header.
    public var publicMethods: [String] { list("Public") }
    /// The methods of `Allow` (§12.4).
    public var allowedMethods: [String] { list("Allow") }
    /// The viewing rate (§12.34).
    public var scale: Double? { number("Scale") }
    /// The rate of delivery (§12.35).
    public var speed: Double? { number("Speed") }
    /// The base of relative URLs in the body (§12.11), as sent.
    public var contentBase: String? { headers.first("Content-Base") }
    /// Where the body's resource is (RFC 2068 §14.15), as sent.
    public var contentLocation: String? { headers.first("Content-Location") }
    /// The media type of the body, lower case, without parameters.
    public var contentType: String? {
        headers.first("Content-Type").map { text in
            TextSyntax.lowercased(TextSyntax.trim(TextSyntax.pair(text, at: ASCII.semicolon).0))
        }
    }
    /// The media types that the client accepts.
    public var accept: [String] { list("Accept") }
    /// Features that must be understood (RFC 2326 §12.32).
    public var require: [String] { list("Require") }
    /// Features that a proxy must understand (§12.27).
    public var proxyRequire: [String] { list("Proxy-Require") }
    /// Features that are not supported (§12.41).
    public var unsupported: [String] { list("Unsupported") }
    /// The client's clock, as sent, with the server's delay if it added one (§12.38).
    public var timestamp: String? { headers.first("Timestamp") }
    /// When the message was made (§12.18).
    public var date: RTSPDate? { headers.first("Date").map(RTSPDate.init) }
    /// The ways to authenticate that a 401 offers (RFC 2068 §14.46), or a 407 (§14.33).
    public var challenges: [AuthenticationChallenge] {
        (headers.all("WWW-Authenticate") + headers.all("Proxy-Authenticate")).flatMap(AuthenticationChallenge.list)
    }
    /// The credentials (RFC 2068 §14.8).
    public var authorization: AuthenticationCredentials? {
        headers.first("Authorization").flatMap(AuthenticationCredentials.init)
    }
    /// The server's software.
    public var server: String? { headers.first("Server") }
    /// The client's software.
    public var userAgent: String? { headers.first("User-Agent") }

    private func list(_ name: String) -> [String] {
        headers.all(name).flatMap { TextSyntax.split($0, at: ASCII.comma).map(TextSyntax.trim) }.filter { !$0.isEmpty }
    }

    private func number(_ name: String) -> Double? {
        headers.first(name).flatMap { TextSyntax.number($0) }
    }
}
