public import WeirPackets

/// A session that has ended.
public struct SessionRecord: Sendable {
    /// The number, from 1.
    public var id: Int
    /// The plugin's name for this kind of session, such as `rtsp`.
    public var kind: String
    /// The flow ids, in order of joining.
    public var flows: [Int]
    /// The media stream ids, in order.
    public var streams: [Int]
    /// The phases, in order.
    public var phases: [PhaseRecord]
    /// The sources of the secrets with which its connections and media were decrypted, such as file names.
    public var decryptedWith: [String]
    /// The software on each side, with the evidence for it.
    public var peers: [Text]
    /// The outcome, without causes.
    public var ending: [Text]
    /// The outcome, with the most certain causes.
    public var outcome: [Text] { ending + causes.filter(\.isHeld).prefix(Self.mostCauses).map(\.sentence) }
    /// Its position in a series of similar failed attempts, or nil if it did not fail.
    public internal(set) var attempt: Attempt?
    /// Causes of a failure, proved, likely or ruled out, most certain first; empty if nothing failed or the capture
    /// does not show why.
    public var causes: [Cause]
    /// The session in its final state.
    public var reference: SessionReference
    /// Its findings that occurred more than once.
    public internal(set) var repeatedFindings: [RepeatedFinding] = []
    /// Whether media outside the control connections was negotiated but not captured.
    public var lacksMedia: Bool
    /// Whether its connection was refused, or not answered.
    let isUnconnected: Bool
    /// Whether it succeeded without a media stream of its own.
    let worksWithoutMedia: Bool
    private var facts: [SecretPolicy: [Field]] = [:]

    /// Creates a record of an ended session.
    init(_ session: Session) {
        id = session.id
        kind = session.kind
        flows = session.flows
        streams = session.streams
        phases = session.phases
        decryptedWith = session.decryptedWith
        peers = session.peers()
        causes = Self.causes(of: session).bestFirst()
        ending = session.outcome() + session.delayTexts()
        reference = session.reference
        lacksMedia = session.lacksMedia
        worksWithoutMedia = session.worksWithoutMedia
        isUnconnected =
            switch session.closedBy {
            case .refused, .unanswered: true
            default: false
            }
    }

    /// The time of its first event, and of its last.
    package var startTime: Timestamp? { phases.lazy.map { $0.startTime }.min() }
    package var endTime: Timestamp? { phases.lazy.map { $0.endTime }.max() }

    /// The source of the secrets with which it was decrypted, as a sentence; nil if it was not.
    public var decryption: Text? {
        decryptedWith.isEmpty ? nil : Text("session.decryptedWith", .string(decryptedWith.joined(separator: ", ")))
    }

    /// Whether the outcome contains more than what was played or published: an end that its peers did not choose.
    package var hasUnusualEnd: Bool {
        ending.dropFirst().contains {
            $0.key.hasPrefix("outcome.") && !$0.key.hasSuffix(Self.byClient) && !Self.usualEnds.contains($0.key)
        }
    }

    /// Ends of the capture or of its evidence, which say nothing about the session.
    private static let usualEnds: Set<String> = [
        "outcome.open", "outcome.endUnseen", "outcome.closedWithoutTeardown", "outcome.reset",
    ]
    /// Clients may close whenever they like.
    private static let byClient = "ByClient"

    /// Returns the transport and protocol causes; likely causes are dropped if TCP proves one.
    private static func causes(of session: Session) -> [Cause] {
        let transport = session.transportCauses()
        let own = session.causes()
        return transport + (transport.isEmpty ? own : own.filter { $0.verdict != .likely })
    }

    /// The maximum number of causes in the outcome.
    private static let mostCauses = 4

    /// Returns the protocol-specific members, in order; empty under a policy that the sink did not request.
    public func facts(_ secrets: SecretPolicy) -> [Field] { facts[secrets] ?? [] }

    /// Stores the session's members for the requested policies.
    mutating func addFacts(of session: Session, _ policies: Set<SecretPolicy>) {
        for policy in policies { facts[policy] = session.facts(policy) }
    }

    /// A phase of a session.
    public struct PhaseRecord: Sendable {
        /// The phase.
        public var phase: Phase
        /// The time of its first event.
        public var startTime: Timestamp
        /// The time of its last event.
        public var endTime: Timestamp
        /// The id of its first event.
        public var firstEvent: Int
        /// The id of its last event.
        public var lastEvent: Int

        /// Creates a phase record.
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
