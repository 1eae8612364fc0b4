package import WeirEngine

extension WebSocketMessage {
    /// Pings keep the connection alive; of messages in an unknown format the first is sufficient.
    package var condensed: Condensed {
        switch purpose {
        case .close: .step
        case .ping: .counted("ping")
        case .pong: .counted("pong")
        default: .firstOnly("message")
        }
    }
}
