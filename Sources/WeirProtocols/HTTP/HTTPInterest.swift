import WeirEngine
import WeirPackets

/// Selects HTTP messages that may relate to streaming; nearly all do not.
enum HTTPInterest {
    /// The upgrade protocol dissected by another dissector.
    static let webSocket = "websocket"

    /// Returns the media type of a body without parameters, in lower case.
    static func mediaType(_ message: HTTPMessage) -> String? {
        message.headers.first("content-type").map { type in
            TextSyntax.lowercased(TextSyntax.trim(TextSyntax.pair(type, at: ASCII.semicolon).0))
        }
    }

    /// Whether a body may be a description, candidates, or signaling: by its type, or because it has none.
    static func mayCarry(_ message: HTTPMessage) -> Bool {
        guard let type = mediaType(message) else { return true }
        return type == "application/sdp" || type == "application/trickle-ice-sdpfrag" || type == "text/plain"
            || type == "application/json" || type.hasSuffix("+json") || type == "text/json" || isWHIPPost(message)
    }

    /// Whether a body that begins with `start` is an MPEG transport stream: by its first two packets, or by its type.
    static func isTransportStream(_ message: HTTPMessage, _ start: RawSpan) -> Bool {
        guard start.byte(at: 0) == TransportStream.syncByte, message.headers.first("content-encoding") == nil else {
            return false
        }
        // The type decides only if the first part is shorter than two packets.
        guard let next = start.byte(at: TransportStream.packetLength) else { return mediaType(message) == "video/mp2t" }
        return next == TransportStream.syncByte
    }

    /// Whether a request posts to a WHIP or WHEP endpoint: the body is an offer, whatever its type.
    static func isWHIPPost(_ message: HTTPMessage) -> Bool {
        message.method == "POST" && message.target.map { namesWHIP(HTTPMessage.path($0)) } ?? false
    }

    /// Whether the request is a CORS preflight for a WHIP or WHEP endpoint.
    static func isPreflight(_ message: HTTPMessage) -> Bool {
        message.method == "OPTIONS" && message.headers.first("access-control-request-method") != nil
            && (message.target.map { namesWHIP(HTTPMessage.path($0)) } ?? false)
    }

    /// Whether a path is a WHIP or WHEP endpoint, as named by most servers.
    static func namesWHIP(_ path: String) -> Bool {
        let path = TextSyntax.lowercased(path)
        return path.contains("whip") || path.contains("whep")
    }

    /// Whether a request is an upgrade to WebSocket.
    static func asksForWebSocket(_ message: HTTPMessage) -> Bool {
        message.isRequest && hasToken("upgrade", webSocket, message)
    }

    /// Whether a response accepts the upgrade to WebSocket.
    static func becomesWebSocket(_ message: HTTPMessage) -> Bool {
        message.status == 101 && hasToken("upgrade", webSocket, message)
    }

    /// Whether a client's data may be a WebSocket frame (RFC 6455 §5.2): masked, with a defined opcode and no unused
    /// reserved bits. No request starts like this.
    static func isClientFrame(_ bytes: RawSpan) -> Bool {
        guard let first = bytes.byte(at: 0), let second = bytes.byte(at: 1), first & 0x30 == 0, second & 0x80 != 0
        else {
            return false
        }
        switch first & 0x0F {
        case 0...2: return true
        case 8...10: return first & 0xC0 == 0x80 && second & 0x7F < 126
        default: return false
        }
    }

    /// Whether a header list contains a word, ignoring case.
    static func hasToken(_ field: String, _ word: String, _ message: HTTPMessage) -> Bool {
        message.headers.all(field).contains { value in
            TextSyntax.split(value, at: ASCII.comma).contains { ASCII.equalIgnoringCase(TextSyntax.trim($0), word) }
        }
    }

    /// Whether a message without a body may be a signaling step: deleting a resource, ICE servers, allowed methods.
    static func isStep(_ message: HTTPMessage) -> Bool {
        if message.method == "DELETE" || isPreflight(message) { return true }
        if message.headers.all("accept-post").contains(where: { $0.contains("application/sdp") }) { return true }
        return message.headers.all("link").contains { $0.contains("ice-server") }
    }
}
