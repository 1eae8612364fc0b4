internal import WeirEngine
internal import WeirPackets

/// The messages of a flow that both captures contain.
package struct MessageComparison: Sendable {
    /// A message whose content differs.
    package struct Change: Sendable {
        /// The protocol, the kind and the line of the message in the first capture.
        package var protocolName: String
        package var kind: String
        package var summary: String
        /// The frames.
        package var frameA: Int
        package var frameB: Int
        /// The members that differ.
        package var changes: [FieldChange]
    }

    /// A message that one capture lacks.
    package struct Lone: Sendable {
        /// Whether the first capture contains it.
        package var isInA: Bool
        package var protocolName: String
        package var kind: String
        package var summary: String
        package var frame: Int
    }

    /// Messages in both captures.
    package var matched = 0
    /// Those whose content differs.
    package var changed: [Change] = []
    /// Messages in one capture only.
    package var lone: [Lone] = []

    /// Whether both captures contain the same messages.
    package var isSame: Bool { changed.isEmpty && lone.isEmpty }
}

/// Matches the messages of flows.
struct MessageMatching {
    private let a: ComparedCapture
    private let b: ComparedCapture
    private let clock: ClockRelation
    private let limits: ComparisonLimits
    private let eventsA: [PacketTrace.UniflowKey: [Event]]
    private let eventsB: [PacketTrace.UniflowKey: [Event]]
    private let flowsA: FlowIndex
    private let flowsB: FlowIndex

    init(_ a: ComparedCapture, _ b: ComparedCapture, _ clock: ClockRelation, _ limits: ComparisonLimits) {
        (self.a, self.b, self.clock, self.limits) = (a, b, clock, limits)
        (eventsA, eventsB) = (Self.events(a), Self.events(b))
        (flowsA, flowsB) = (FlowIndex(a.run), FlowIndex(b.run))
    }

    /// Returns the events by uniflow, without context, which events do not have.
    private static func events(_ capture: ComparedCapture) -> [PacketTrace.UniflowKey: [Event]] {
        let transports = Dictionary(capture.run.flows.map { ($0.id, $0.transport) }) { first, _ in first }
        return Dictionary(
            grouping: capture.run.events.filter { StepFilter.isExchanged($0.message) && !$0.isInferred && !$0.isCut }
        ) {
            PacketTrace.UniflowKey(
                source: $0.source, destination: $0.destination, transport: transports[$0.flow] ?? .udp, context: 0)
        }
    }

    private func key(_ uniflow: PacketTrace.UniflowKey) -> PacketTrace.UniflowKey {
        var key = uniflow
        key.context = 0
        return key
    }

    /// Compares the messages of a flow.
    func comparison(of pair: FlowPair) -> MessageComparison {
        var comparison = MessageComparison()
        for uniflow in pair.uniflows {
            let first = (eventsA[key(a.trace.uniflows[uniflow.a].key)] ?? []).prefix(limits.steps)
            let second = (eventsB[key(b.trace.uniflows[uniflow.b].key)] ?? []).prefix(limits.steps)
            compare(Array(first), Array(second), &comparison)
        }
        return comparison
    }

    /// Changes of one message beyond which the rest is not listed.
    private static let mostChanges = 20

    private func compare(_ first: [Event], _ second: [Event], _ comparison: inout MessageComparison) {
        let fieldsA = first.map { FlatFields(Self.fields($0), mask: nil) }
        let fieldsB = second.map { FlatFields(Self.fields($0), mask: nil) }
        let alignment = Alignment(first.count, second.count) { one, other in
            guard first[one].message.protocolName == second[other].message.protocolName,
                first[one].message.kind == second[other].message.kind
            else { return nil }
            guard fieldsA[one] != fieldsB[other] else { return 0 }
            return Self.number(first[one]) == Self.number(second[other]) ? 0.5 : 1.5
        }
        for pair in alignment.pairs {
            switch pair {
            case .both(let one, let other):
                comparison.matched += 1
                let changes = fieldsA[one].changes(to: fieldsB[other])
                guard !changes.isEmpty, comparison.changed.count < limits.differences else { continue }
                let event = first[one]
                comparison.changed.append(
                    MessageComparison.Change(
                        protocolName: event.message.protocolName, kind: event.message.kind,
                        summary: event.message.summary(.masked), frameA: event.frame, frameB: second[other].frame,
                        changes: Array(changes.prefix(Self.mostChanges))))
            case .onlyA(let index): add(first[index], isInA: true, &comparison)
            case .onlyB(let index): add(second[index], isInA: false, &comparison)
            }
        }
    }

    private func add(_ event: Event, isInA: Bool, _ comparison: inout MessageComparison) {
        guard isCovered(event, isInA: isInA), comparison.lone.count < limits.differences else { return }
        comparison.lone.append(
            MessageComparison.Lone(
                isInA: isInA, protocolName: event.message.protocolName, kind: event.message.kind,
                summary: event.message.summary(.masked), frame: event.frame))
    }

    /// The time that the other capture must have run before and after a message, in nanoseconds.
    private static let margin: Int64 = 500_000_000

    /// Whether the other capture ran when the message passed.
    private func isCovered(_ event: Event, isInA: Bool) -> Bool {
        guard clock.basis != .none, let coverage = isInA ? b.trace.coverage : a.trace.coverage else { return false }
        let shift = clock.timeOfB(clock.reference) &- clock.reference
        let time = isInA ? event.time.nanoseconds &+ shift : event.time.nanoseconds &- shift
        return time &- Self.margin >= coverage.lowerBound && time &+ Self.margin <= coverage.upperBound
    }

    /// Members that the analyzer adds, which depend on the capture.
    private static let added: Set<String> = [
        "latencyMs", "requestEvent", "httpEvent", "replyTo", "retransmission", "json", "chunks", "chunkType",
        "fragments",
        "wireLength",
    ]

    private static func fields(_ event: Event) -> [Field] {
        event.message.fields(.masked).filter { !added.contains($0.name) }
    }

    /// Returns what numbers a message in its protocol.
    private static func number(_ event: Event) -> String {
        event.message.pairedBy ?? "\(event.message.kind)"
    }

    /// Returns the protocols found in a flow.
    func protocols(of pair: FlowPair) -> [String] {
        for uniflow in pair.uniflows {
            let key = a.trace.uniflows[uniflow.a].key
            if let flow = flowsA.flow(key) { return flow.protocols }
        }
        return []
    }

    /// Returns the sessions of a flow in both captures.
    func sessions(of pair: FlowPair) -> (Int?, Int?) {
        guard let uniflow = pair.uniflows.first else { return (nil, nil) }
        return (flowsA.session(a.trace.uniflows[uniflow.a].key), flowsB.session(b.trace.uniflows[uniflow.b].key))
    }
}

/// The flows and sessions of an analysis by endpoints.
private struct FlowIndex {
    private var flows: [EndpointPair: FlowRecord] = [:]
    private var sessions: [Int: Int] = [:]

    init(_ run: RunRecord) {
        for flow in run.flows.reversed() { flows[EndpointPair(flow.transport, flow.client, flow.server)] = flow }
        for session in run.sessions.reversed() { for flow in session.flows { sessions[flow] = session.id } }
    }

    /// Returns the first flow with the endpoints.
    func flow(_ key: PacketTrace.UniflowKey) -> FlowRecord? {
        flows[EndpointPair(key.transport, key.source, key.destination)]
    }

    /// Returns the first session that has the flow.
    func session(_ key: PacketTrace.UniflowKey) -> Int? { flow(key).flatMap { sessions[$0.id] } }
}
