import WeirPackets

/// One direction of a flow.
struct FlowDirection: Hashable, Sendable {
    let source: Endpoint
    let destination: Endpoint
}
