public import WeirPackets

/// Which part of the timeline is shown. Everything is analysed all the same, so that what is shown is right.
public struct Selection: Sendable {
    /// Protocols to show; all if empty.
    public var protocols: Set<String> = []
    /// Flows to show; all if empty.
    public var flows: Set<Int> = []
    /// Sessions to show; all if empty.
    public var sessions: Set<Int> = []
    /// Nothing before this moment.
    public var from: Bound?
    /// Nothing from this moment on.
    public var to: Bound?

    /// A moment: counted from the first packet, or absolute.
    public enum Bound: Sendable, Hashable {
        /// Nanoseconds since the first packet.
        case offset(Int64)
        /// A time.
        case time(Timestamp)
    }

    /// Shows everything.
    public init() {}

    /// Whether everything is to be shown.
    public var isAll: Bool { protocols.isEmpty && flows.isEmpty && sessions.isEmpty && from == nil && to == nil }

    /// Whether it ends before it begins.
    public var isEmpty: Bool {
        switch (from, to) {
        case (.offset(let from), .offset(let to)): from >= to
        case (.time(let from), .time(let to)): from >= to
        default: false
        }
    }

    /// Whether a moment is to be shown in a capture that begins at `start`.
    func includes(_ time: Timestamp, since start: Timestamp) -> Bool {
        let offset = time.nanoseconds &- start.nanoseconds
        func isBefore(_ bound: Bound) -> Bool {
            switch bound {
            case .offset(let nanoseconds): offset < nanoseconds
            case .time(let moment): time < moment
            }
        }
        return (from.map { !isBefore($0) } ?? true) && (to.map { isBefore($0) } ?? true)
    }

    /// Whether an event is to be shown.
    public func includes(_ event: Event) -> Bool {
        includes(protocolName: event.message.protocolName) && includes(session: event.session)
            && includesPlace(of: event)
    }

    /// Whether what happens on an event's flow at its time is to be shown, whatever the protocol.
    func includesPlace(of event: Event) -> Bool {
        includes(flow: event.flow)
            && (from.map { !isBefore(event, $0) } ?? true) && (to.map { isBefore(event, $0) } ?? true)
    }

    /// Whether a flow is to be shown.
    public func includes(flow: Int) -> Bool { flows.isEmpty || flows.contains(flow) }

    /// Whether what belongs to a session, or to none, is to be shown.
    public func includes(session: Int?) -> Bool {
        sessions.isEmpty || session.map { sessions.contains($0) } ?? false
    }

    /// Whether a protocol is to be shown.
    public func includes(protocolName: String) -> Bool { protocols.isEmpty || protocols.contains(protocolName) }

    /// Whether any of the flows is to be shown.
    package func includes(anyOf list: [Int]) -> Bool { flows.isEmpty || list.contains(where: flows.contains) }

    private func isBefore(_ event: Event, _ bound: Bound) -> Bool {
        switch bound {
        case .offset(let offset): event.offset < offset
        case .time(let time): event.time < time
        }
    }
}
