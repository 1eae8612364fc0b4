package import WeirEngine

extension WebSocketMessage {
    /// Pings keep a connection alive; of other messages that nothing is known of the first shows what there is to see.
    package var condensed: Condensed {
        switch purpose {
        case .close: .step
        case .ping: .counted("ping")
        case .pong: .counted("pong")
        default: .firstOnly("message")
        }
    }
}
