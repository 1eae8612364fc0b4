import WeirEngine

/// The view of a step for the rules of WebSocket.
final class WebSocketStep {
    /// The WebSocket message, or nil.
    let message: WebSocketMessage?
    /// The opening handshake, or nil.
    let upgrade: WebSocketUpgrade?

    init(_ message: WebSocketMessage) {
        self.message = message
        upgrade = nil
    }

    init(_ upgrade: WebSocketUpgrade) {
        self.upgrade = upgrade
        message = nil
    }
}

extension Step {
    /// The WebSocket message of the step, or nil.
    var webSocket: WebSocketMessage? { (view as? WebSocketStep)?.message }
    /// The opening handshake of the step, or nil.
    var webSocketUpgrade: WebSocketUpgrade? { (view as? WebSocketStep)?.upgrade }
}

/// A rule about WebSocket messages.
protocol WebSocketRule: Rule {}

extension WebSocketRule {
    /// The protocol of WebSocket messages.
    static var observes: [String] { ["websocket"] }
}
