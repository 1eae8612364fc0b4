import WeirEngine

/// What the rules of WebSocket ask of a step.
final class WebSocketStep {
    /// The message, if it is one of frames.
    let message: WebSocketMessage?
    /// The agreement, if it is that.
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
    /// The message, if it is one of WebSocket.
    var webSocket: WebSocketMessage? { (view as? WebSocketStep)?.message }
    /// The agreement to speak WebSocket, if it is that.
    var webSocketUpgrade: WebSocketUpgrade? { (view as? WebSocketStep)?.upgrade }
}

/// A rule that looks at messages of WebSocket.
protocol WebSocketRule: Rule {}

extension WebSocketRule {
    /// Messages of WebSocket.
    static var observes: [String] { ["websocket"] }
}
