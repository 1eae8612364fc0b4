public import WeirPackets

/// The live state of a session. A protocol's own session is a subclass.
open class Session {
    /// Number, from 1.
    public let id: Int
    /// `rtsp`, `rtmp` or `webrtc`.
    public let kind: String
    /// The side that opened the first flow.
    public let client: Endpoint
    /// The other side.
    public let server: Endpoint
    /// What kept the capture from holding the whole session without gaps.
    public package(set) var evidence = Evidence()
    /// The phases so far.
    public package(set) var phases: [SessionRecord.PhaseRecord] = []
    /// The phase that the next event belongs to.
    public package(set) var phase = Phase.connect
    /// The flows that took part, in order.
    public package(set) var flows: [Int] = []
    /// The streams, in order.
    public package(set) var streams: [Int] = []
    /// How the control connection ended.
    public package(set) var closedBy: TCPEvent.Step?
    /// Whether the control conversation travels in HTTP.
    public package(set) var isTunnelled = false
    /// The last control connection was gone at this time.
    package var closedAt: Timestamp?
    /// Where its control connections are kept, those that are gone included.
    package var places: [FlowPlace] = []
    /// Control connections that are still open.
    package var controlFlows = 0

    /// Phases that are told apart; a session that goes back and forth for longer stays in its last one.
    private static let maximumPhases = 1_000

    /// What a capture holds of a session. Rules that need what is missing are inconclusive.
    public struct Evidence: Sendable {
        /// The beginning was not captured.
        public var startsLate = false
        /// The end was not captured: the session was still open when the capture ended.
        public var endsEarly = false
        /// Octets of a control connection are missing.
        public var hasGap = false
        /// The side that speaks may answer what has not come here: octets of the other side that it has acknowledged. If
        /// they come after all, the capture was only out of order; until then nothing rests on their absence.
        public package(set) var mayHaveGap = false
        /// Only one direction of a control connection was captured.
        public var isOneSided = false
        /// Packets of the session were cut by the snap length.
        public var isCut = false

        /// Packets were dropped before they could be captured, perhaps some of this session.
        public var hasDrops = false
        /// A filter kept packets from being analysed.
        public var isFiltered = false

        /// Whether the whole session is there.
        public var isComplete: Bool {
            !(startsLate || endsEarly || hasGap || mayHaveGap || isOneSided || isCut || hasDrops || isFiltered)
        }
    }

    /// Begins a session.
    public init(id: Int, kind: String, client: Endpoint, server: Endpoint) {
        self.id = id
        self.kind = kind
        self.client = client
        self.server = server
    }

    /// One line that names the session for people: addresses, and what it is about.
    open func title(_ secrets: SecretPolicy) -> String { "\(client) → \(server)" }

    /// Members of the session's record that only its own protocol has, in order.
    open func facts(_ secrets: SecretPolicy) -> [Field] { [] }

    /// Whether media was to travel beside the control connections, and the capture holds none of it.
    open var lacksMedia: Bool { false }

    /// Whether the peers have said that the session is over.
    open var isTornDown: Bool { false }

    /// Whether nothing more will come.
    ///
    /// - Parameter streamEnd: when the last packet came of the open stream with this number.
    open func isOver(at now: Timestamp, streamEnd: (Int32) -> Timestamp) -> Bool { closedAt != nil }

    /// What happened in the end.
    open func outcome() -> [Text] { [] }

    /// What the peers are, as far as they tell.
    open func peers() -> [Text] { [] }

    /// One side says that it sends no more on the control connection.
    open func finished(_ direction: Direction, frame: Int) {}

    /// The control connection is over; `direction` is that of the segment that ended it.
    open func closed(_ step: TCPEvent.Step, _ direction: Direction, frame: Int) {
        closedBy = step
        phase = step == .refused ? .connect : .close
    }

    /// Counts an event into the phase it belongs to.
    package func note(_ event: Event) {
        guard let phase = event.phase else { return }
        if let last = phases.indices.last, phases[last].phase == phase || phases.count >= Self.maximumPhases {
            phases[last].endTime = event.time
            phases[last].lastEvent = event.id
        } else {
            phases.append(
                .init(
                    phase: phase, startTime: event.time, endTime: event.time, firstEvent: event.id, lastEvent: event.id)
            )
        }
    }
}

/// A place in the flow table, and whose it was.
package struct FlowPlace {
    /// The place.
    package var index: Int
    /// The flow's number.
    package var id: Int

    /// Says where, and whose.
    package init(index: Int, id: Int) {
        self.index = index
        self.id = id
    }
}
