public import WeirPackets

/// A session that ended: the story of some flows.
public struct SessionRecord: Sendable {
    /// Number, from 1.
    public var id: Int
    /// What its plugin calls sessions of its kind, such as `rtsp`.
    public var kind: String
    /// The flows that took part, in order.
    public var flows: [Int]
    /// The media streams, in order.
    public var streams: [Int]
    /// The phases, in order.
    public var phases: [PhaseRecord]
    /// What the peers are, as far as they tell: programs, and the evidence for that.
    public var peers: [Text]
    /// What happened in the end, without the causes.
    public var ending: [Text]
    /// What happened in the end, and the best causes for it.
    public var outcome: [Text] { ending + causes.filter(\.isHeld).prefix(Self.mostCauses).map(\.sentence) }
    /// Its place among attempts that failed alike; nil when it did not fail.
    public internal(set) var attempt: Attempt?
    /// Why it failed or may have failed, the most certain first; nothing when nothing failed, or the capture does not show why.
    public var causes: [Cause]
    /// The session as it was when it ended.
    public var reference: SessionReference
    /// Whether media was to travel beside the control connections, and the capture holds none of it.
    public var lacksMedia: Bool
    private var facts: [SecretPolicy: [Field]] = [:]

    /// What is known of a session that has ended.
    init(_ session: Session) {
        id = session.id
        kind = session.kind
        flows = session.flows
        streams = session.streams
        phases = session.phases
        peers = session.peers()
        causes = Self.causes(of: session).bestFirst()
        ending = session.outcome() + session.delayTexts()
        reference = session.reference
        lacksMedia = session.lacksMedia
    }

    /// What TCP shows, and what the protocol does: nothing is likely where TCP proves the cause.
    private static func causes(of session: Session) -> [Cause] {
        let transport = session.transportCauses()
        let own = session.causes()
        return transport + (transport.isEmpty ? own : own.filter { $0.verdict != .likely })
    }

    /// Causes that the outcome names.
    private static let mostCauses = 4

    /// Members that only sessions of its kind have, in order; none under a policy that the sink did not ask for.
    public func facts(_ secrets: SecretPolicy) -> [Field] { facts[secrets] ?? [] }

    /// Asks the session for its members.
    mutating func addFacts(of session: Session, _ policies: Set<SecretPolicy>) {
        for policy in policies { facts[policy] = session.facts(policy) }
    }

    /// A phase of a session.
    public struct PhaseRecord: Sendable {
        /// Which one.
        public var phase: Phase
        /// Time of its first event.
        public var startTime: Timestamp
        /// Time of its last event.
        public var endTime: Timestamp
        /// Its first event.
        public var firstEvent: Int
        /// Its last event.
        public var lastEvent: Int

        /// Holds what is known.
        package init(
            phase: Phase,
            startTime: Timestamp,
            endTime: Timestamp,
            firstEvent: Int,
            lastEvent: Int
        ) {
            self.phase = phase
            self.startTime = startTime
            self.endTime = endTime
            self.firstEvent = firstEvent
            self.lastEvent = lastEvent
        }
    }
}
