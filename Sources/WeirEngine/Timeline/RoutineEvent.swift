package import WeirPackets

/// The event of a routine message, of which there are very many, without the message: with its outline, enough for a
/// copy of the record of a similar one.
package struct RoutineEvent: Sendable {
    /// The type of the message.
    package let type: ObjectIdentifier
    /// The number in the timeline, from 1.
    package let id: Int
    /// The frame that completed the message.
    package let frame: Int
    /// The frame that contains the first byte of the message, if different.
    package let firstFrame: Int?
    /// The capture time of `frame`.
    package let time: Timestamp
    /// Nanoseconds since the first packet of the capture.
    package let offset: Int64
    /// The flow id.
    package let flow: Int
    /// The direction in the flow.
    package let direction: Direction
    /// The sender.
    package let source: Endpoint
    /// The receiver.
    package let destination: Endpoint
    /// The session id.
    package let session: Int?
    /// The media stream id.
    package let stream: Int?
}
