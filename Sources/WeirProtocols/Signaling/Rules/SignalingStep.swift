import WeirEngine
import WeirPackets

extension Step {
    /// The signaling message, or nil if the step is another, or one of WHIP, which has rules of its own.
    var signaling: SignalingMessage? { message(SignalingMessage.self).flatMap { $0.httpEvent == nil ? $0 : nil } }

    /// The sending side: one direction of one connection, whatever the sender ID; for HTTP, of all connections of the
    /// client's host.
    var speaker: SignalingSender {
        let isClient = event.direction == .clientToServer
        guard signaling?.carrier == .http else { return SignalingSender(flow: event.flow, isClient: isClient) }
        let client = isClient ? event.source : event.destination
        return SignalingSender(flow: 0, host: client.address, isClient: isClient)
    }
}

/// One side of a connection.
struct SignalingSender: Hashable {
    var flow: Int
    var host: IPAddress?
    var isClient: Bool
    /// The other side.
    var other: Self { Self(flow: flow, host: host, isClient: !isClient) }
}
