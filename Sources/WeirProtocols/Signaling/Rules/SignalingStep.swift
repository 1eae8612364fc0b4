import WeirEngine
import WeirPackets

extension Step {
    /// The message, if it is one of signaling.
    var signaling: SignalingMessage? { message(SignalingMessage.self) }

    /// One direction of one connection: who speaks there is one side, whatever he calls himself.
    var speaker: SignalingSpeaker {
        SignalingSpeaker(flow: event.flow, isClient: event.direction == .clientToServer)
    }
}

/// One side of a connection.
struct SignalingSpeaker: Hashable {
    var flow: Int
    var isClient: Bool
    /// The other side.
    var other: Self { Self(flow: flow, isClient: !isClient) }
}
