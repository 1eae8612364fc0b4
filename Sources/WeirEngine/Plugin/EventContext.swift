public import WeirPackets

/// When and where something was captured: frame, time, flow and direction.
public struct EventContext: Sendable {
    /// The frame number.
    public var frame: Int
    /// The capture time.
    public var time: Timestamp
    /// The flow id.
    public var flow: Int
    /// The direction in the flow.
    public var direction: Direction
    /// The sender.
    public var source: Endpoint
    /// The receiver.
    public var destination: Endpoint

    /// Creates a context.
    @inlinable
    public init(
        frame: Int, time: Timestamp, flow: Int, direction: Direction, source: Endpoint, destination: Endpoint
    ) {
        self.frame = frame
        self.time = time
        self.flow = flow
        self.direction = direction
        self.source = source
        self.destination = destination
    }
}
