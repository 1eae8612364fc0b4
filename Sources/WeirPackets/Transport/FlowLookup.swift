extension FlowTable {
    /// Why a flow ended.
    public enum EndReason: UInt8, Sendable {
        /// No packet for longer than `Limits.tcpIdleSeconds`, `tcpSilentSeconds` or `udpIdleSeconds`, or closed and
        /// lingered.
        case idle
        /// Another connection started between the same endpoints and ports.
        case portReuse
        /// `Limits.flows` was reached, and the flow was embryonic or among those idle longest.
        case limit
    }

    /// The flow of a packet.
    public struct Lookup: Sendable {
        /// The index of the flow in the table, valid until `remove`.
        public let index: Int
        /// The direction of the packet.
        public let direction: Direction
        /// Whether the packet is the first of its flow.
        public let isNew: Bool
        /// The index of a flow that ended because of this packet: report it, then `remove` it.
        public let ended: Int?
        /// Why `ended` ended.
        public let endReason: EndReason
        /// The time of the previous packet of the flow, or of this one if it is the first.
        let latest: Timestamp

        init(
            index: Int, direction: Direction, isNew: Bool, ended: Int?, endReason: EndReason, latest: Timestamp
        ) {
            self.index = index
            self.direction = direction
            self.isNew = isNew
            self.ended = ended
            self.endReason = endReason
            self.latest = latest
        }

        /// A flow that goes on.
        @inline(__always)
        init(_ index: Int, _ direction: Direction, latest: Timestamp) {
            self.init(index: index, direction: direction, isNew: false, ended: nil, endReason: .idle, latest: latest)
        }
    }
}
