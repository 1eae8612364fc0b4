import WeirEngine
import WeirPackets

extension Step {
    /// The signaling message, or nil if the step is another.
    var signaling: SignalingMessage? { message(SignalingMessage.self) }

    /// The sending side: one direction of one connection, whatever the sender ID.
    var speaker: SignalingSender {
        SignalingSender(flow: event.flow, isClient: event.direction == .clientToServer)
    }
}

/// One side of a connection.
struct SignalingSender: Hashable {
    var flow: Int
    var isClient: Bool
    /// The other side.
    var other: Self { Self(flow: flow, isClient: !isClient) }
}
