import WeirEngine
import WeirKit
@testable import WeirProtocols

/// A WebSocket conversation after the upgrade, frame by frame.
struct WebSocketScript: Sendable {
    /// A step of the conversation.
    enum Step: Sendable {
        /// A frame of one side: its first octet, and its payload.
        case client(UInt8, [UInt8])
        case server(UInt8, [UInt8])
        /// Raw octets.
        case clientOctets([UInt8])
        case serverOctets([UInt8])
        /// Seconds of silence.
        case silence(Double)
    }

    /// The key and the accept value of RFC 6455 §1.3.
    static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    var request = [
        "GET /chat HTTP/1.1", "Host: server.example.com", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Protocol: chat, superchat", "Sec-WebSocket-Version: 13",
    ]
    var response = [
        "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Accept: \(accept)", "Sec-WebSocket-Protocol: chat",
    ]
    var steps: [Step]

    /// Returns a server frame.
    static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [first] + length(payload.count, mask: 0) + payload
    }

    /// Returns a masked client frame.
    static func masked(_ first: UInt8, _ payload: [UInt8], key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]) -> [UInt8] {
        [first] + length(payload.count, mask: 0x80) + key
            + payload.enumerated().map { $1 ^ key[$0 % 4] }
    }

    private static func length(_ count: Int, mask: UInt8) -> [UInt8] {
        if count < 126 { return [mask | UInt8(count)] }
        if count < 65_536 { return [mask | 126, UInt8(count >> 8), UInt8(count & 0xFF)] }
        return [mask | 127, 0, 0, 0, 0] + (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
    }

    var dialogue: Dialogue {
        var dialogue = Dialogue(.tcp, port: 80)
        dialogue.client(request.joined(separator: "\n") + "\n")
        dialogue.server(response.joined(separator: "\n") + "\n")
        var pause = 0.001
        for step in steps {
            switch step {
            case .client(let first, let payload): dialogue.client(Self.masked(first, payload), after: pause)
            case .server(let first, let payload): dialogue.server(Self.frame(first, payload), after: pause)
            case .clientOctets(let octets): dialogue.client(octets, after: pause)
            case .serverOctets(let octets): dialogue.server(octets, after: pause)
            case .silence(let seconds):
                pause = seconds
                continue
            }
            pause = 0.001
        }
        return dialogue
    }

    /// Returns the findings: `severity key`.
    func said() -> [String] {
        dialogue.analyzed(rules: WebSocket.rules).findings.map { "\($0.severity.rawValue) \($0.message.key)" }
    }
}
