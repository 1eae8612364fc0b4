import WeirEngine
import WeirPackets

/// Which messages of HTTP may have to do with streaming: nearly all of it does not.
enum HTTPInterest {
    /// What a server or client would have another dissector read.
    static let webSocket = "websocket"

    /// The type of a body, without its parameters, in lower case.
    static func mediaType(_ message: HTTPMessage) -> String? {
        message.headers.first("content-type").map { type in
            TextSyntax.lowercased(TextSyntax.trim(TextSyntax.pair(type, at: ASCII.semicolon).0))
        }
    }

    /// Whether a body may be a description, candidates, or signaling: by its type, or since it has none.
    static func mayCarry(_ message: HTTPMessage) -> Bool {
        guard let type = mediaType(message) else { return true }
        return type == "application/sdp" || type == "application/trickle-ice-sdpfrag" || type == "text/plain"
            || type == "application/json" || type.hasSuffix("+json") || type == "text/json" || isWHIPPost(message)
    }

    /// Whether a request posts to an endpoint of WHIP or WHEP: what it brings is an offer, whatever type it has.
    static func isWHIPPost(_ message: HTTPMessage) -> Bool {
        message.method == "POST" && message.target.map { namesWHIP(HTTPMessage.path($0)) } ?? false
    }

    /// Whether a browser asks an endpoint of WHIP or WHEP for permission to send a request from a page of another origin (CORS).
    static func isPreflight(_ message: HTTPMessage) -> Bool {
        message.method == "OPTIONS" && message.headers.first("access-control-request-method") != nil
            && (message.target.map { namesWHIP(HTTPMessage.path($0)) } ?? false)
    }

    /// Whether a path is that of an endpoint of WHIP or WHEP, as most servers name them.
    static func namesWHIP(_ path: String) -> Bool {
        let path = TextSyntax.lowercased(path)
        return path.contains("whip") || path.contains("whep")
    }

    /// Whether a request asks to go on in WebSocket.
    static func asksForWebSocket(_ message: HTTPMessage) -> Bool {
        message.isRequest && hasToken("upgrade", webSocket, message)
    }

    /// Whether an answer goes on in WebSocket.
    static func becomesWebSocket(_ message: HTTPMessage) -> Bool {
        message.status == 101 && hasToken("upgrade", webSocket, message)
    }

    /// Whether a client's octets may be a frame of WebSocket (RFC 6455 §5.2): masked, with an opcode that has a meaning, and no
    /// bit that none of its extensions uses. No request begins so.
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

    /// Whether a list in a header has a word, whatever its case.
    static func hasToken(_ field: String, _ word: String, _ message: HTTPMessage) -> Bool {
        message.headers.all(field).contains { value in
            TextSyntax.split(value, at: ASCII.comma).contains { ASCII.equalIgnoringCase(TextSyntax.trim($0), word) }
        }
    }

    /// Whether a message of itself, without a body, may be a step of signaling: a resource that is given up, servers for
    /// ICE, what may be posted.
    static func isStep(_ message: HTTPMessage) -> Bool {
        if message.method == "DELETE" || isPreflight(message) { return true }
        if message.headers.all("accept-post").contains(where: { $0.contains("application/sdp") }) { return true }
        return message.headers.all("link").contains { $0.contains("ice-server") }
    }
}
