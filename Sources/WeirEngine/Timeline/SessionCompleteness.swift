package import WeirPackets

extension Session {
    /// Which parts of a session the capture contains. Rules that need missing parts are inconclusive.
    public struct Completeness: Sendable {
        /// The start was not captured.
        public var startsLate = false
        /// The end was not captured: the session was still open when the capture ended.
        public var endsEarly = false
        /// Bytes of a control connection are missing, or were not processed.
        public package(set) var lacksOctets = false
        /// A limit prevented complete tracking, so that data may only seem to be missing. Implies `lacksOctets`.
        public package(set) var isLimited = false
        /// A side acknowledged data of the other that had not been captured at that point. The order of messages, and
        /// whether something is missing, is therefore unknown.
        public package(set) var isDisordered = false
        /// The sender may have received data that has not been captured: later bytes were captured, or none so far.
        public package(set) var mayHaveGap = false
        /// Whether messages may be missing or out of order, so that neither absence nor order is evidence.
        public var hasGap: Bool { lacksOctets || isDisordered || mayHaveGap }
        /// The sides of a control connection whose end (FIN or RST) was not captured.
        private var unseenEnds = (client: false, server: false)
        /// Dissection of a control connection stopped before its end.
        public package(set) var isReadInPart = false
        /// Only one direction of a control connection was captured.
        public var isOneSided = false
        /// Packets of the session were truncated by the snap length.
        public var isCut = false

        /// The capture contains no UDP datagrams at all, so that UDP media was not captured rather than not sent.
        public var lacksDatagrams = false
        /// Packets were dropped during capture, possibly of this session.
        public var hasDrops = false
        /// A filter excluded packets from the analysis.
        public var isFiltered = false
        /// Capture timestamps stepped back during the session, so that durations are unknown.
        public package(set) var clockWentBack = false

        /// Whether a side may have sent more at the end than was captured.
        package func mayLackEnd(of side: Direction) -> Bool {
            side == .clientToServer ? unseenEnds.client : unseenEnds.server
        }

        mutating func noteUnseenEnd(of side: Direction) {
            if side == .clientToServer { unseenEnds.client = true } else { unseenEnds.server = true }
        }

        /// Whether packets of the session are missing, other than at its end.
        var lacksParts: Bool { isOneSided || isCut || hasDrops || isFiltered }

        /// Whether the whole session was captured.
        public var isComplete: Bool {
            !(startsLate || endsEarly || hasGap || isOneSided || isCut || hasDrops || isFiltered || clockWentBack)
        }
    }
}
