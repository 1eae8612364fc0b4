public import WeirPackets

/// A step of a session without findings that the condensed timeline only counts (``Condensed/counted(_:)``), without its event.
///
/// A report on another thread then needs no copy of the event. Most RTCP packets are such steps.
public struct CountedStep: Sendable {
    /// The name under which it is counted.
    public let name: String
    /// The names of further steps of the same frame, counted with it.
    public let others: [String]
    /// The protocol of the message.
    public let protocolName: String
    /// The frame that completed the message.
    public let frame: Int
    /// The capture time of `frame`.
    public let time: Timestamp
    /// Nanoseconds since the first packet of the capture.
    public let offset: Int64
    /// The flow id.
    public let flow: Int

    /// Creates the step of an event without findings, or returns nil if it is not only counted.
    package init?(_ event: borrowing Event) {
        guard case .counted(let name) = event.message.condensed, event.remarks.allSatisfy(\.isEvidence) else {
            return nil
        }
        self.name = name
        others = []
        protocolName = event.message.protocolName
        (frame, time, offset, flow) = (event.frame, event.time, event.offset, event.flow)
    }

    init(_ step: borrowing BriefStep, _ name: String, others: [String] = [], offset: Int64) {
        self.name = name
        self.others = others
        protocolName = step.protocolName
        (frame, time, flow) = (step.place.frame, step.place.time, step.place.flow)
        self.offset = offset
    }
}
