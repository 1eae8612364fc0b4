public import WeirPackets

/// The event of a routine message, without the message.
///
/// There are very many of them. Together with the outline of the message, it is what a report needs to copy the record
/// of a similar one (`RecordOutline`).
public struct RoutineEvent: Sendable {
    /// The type of the message.
    public let type: ObjectIdentifier
    /// The number in the timeline, from 1.
    public let id: Int
    /// The frame that completed the message.
    public let frame: Int
    /// The frame that contains the first byte of the message, if different.
    public let firstFrame: Int?
    /// The capture time of `frame`.
    public let time: Timestamp
    /// Nanoseconds since the first packet of the capture.
    public let offset: Int64
    /// The flow id.
    public let flow: Int
    /// The direction in the flow.
    public let direction: Direction
    /// The sender.
    public let source: Endpoint
    /// The receiver.
    public let destination: Endpoint
    /// The session id.
    public let session: Int?
    /// The media stream id.
    public let stream: Int?
}
