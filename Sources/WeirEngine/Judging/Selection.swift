public import WeirPackets

/// The part of the timeline to show. The whole capture is always analyzed, so that the selected part is correct.
public struct Selection: Sendable {
    /// Protocols to show; all if empty.
    public var protocols: Set<String> = []
    /// Flows to show; all if empty.
    public var flows: Set<Int> = []
    /// Sessions to show; all if empty.
    public var sessions: Set<Int> = []
    /// The start of the time range, inclusive.
    public var from: Bound?
    /// The end of the time range, exclusive.
    public var to: Bound?

    /// A point in time, relative to the first packet or absolute.
    public enum Bound: Sendable, Hashable {
        /// Nanoseconds since the first packet.
        case offset(Int64)
        /// An absolute time.
        case time(Timestamp)
    }

    /// Creates a selection that includes everything.
    public init() {}

    /// Whether the selection includes everything.
    public var isAll: Bool { protocols.isEmpty && flows.isEmpty && sessions.isEmpty && from == nil && to == nil }

    /// Whether a part of the time is selected.
    var hasTimeRange: Bool { from != nil || to != nil }

    /// Whether the time range is empty.
    public var isEmpty: Bool {
        switch (from, to) {
        case (.offset(let from), .offset(let to)): from >= to
        case (.time(let from), .time(let to)): from >= to
        default: false
        }
    }

    /// Whether a time is selected in a capture that starts at `start`.
    func includes(_ time: Timestamp, since start: Timestamp) -> Bool {
        (from.map { !isBefore(time, since: start, $0) } ?? true)
            && (to.map { isBefore(time, since: start, $0) } ?? true)
    }

    /// Whether a time is before a bound in a capture that starts at `start`.
    func isBefore(_ time: Timestamp, since start: Timestamp, _ bound: Bound) -> Bool {
        switch bound {
        case .offset(let nanoseconds): time.nanoseconds &- start.nanoseconds < nanoseconds
        case .time(let moment): time < moment
        }
    }

    /// Whether an event is selected.
    public func includes(_ event: Event) -> Bool {
        includes(protocolName: event.message.protocolName) && includes(session: event.session)
            && includesPlace(of: event)
    }

    /// Whether the flow and time of an event are selected, regardless of its protocol.
    func includesPlace(of event: Event) -> Bool {
        includes(flow: event.flow) && (!hasTimeRange || includes(event.time, since: event.captureStart))
    }

    /// Whether a flow is selected.
    public func includes(flow: Int) -> Bool { flows.isEmpty || flows.contains(flow) }

    /// Whether a session is selected; nil stands for data outside sessions.
    public func includes(session: Int?) -> Bool {
        sessions.isEmpty || session.map { sessions.contains($0) } ?? false
    }

    /// Whether a protocol is selected.
    public func includes(protocolName: String) -> Bool { protocols.isEmpty || protocols.contains(protocolName) }

    /// Whether any of the flows is selected.
    package func includes(anyOf list: [Int]) -> Bool { flows.isEmpty || list.contains(where: flows.contains) }
}

extension Event {
    /// The time of the first packet of the capture.
    var captureStart: Timestamp { Timestamp(nanoseconds: time.nanoseconds &- offset) }
}
