import WeirPackets

// Packets that repeat a sequence number.

extension MediaStream {
    /// Packets after which the timestamp of each is still among the recent ones.
    private static let recentPackets = 8

    /// Whether a packet with a repeated sequence number is another packet: with a payload type, timestamp or payload
    /// that the packet received with this number did not have.
    @inline(never)
    mutating func isOther(_ header: RTPHeader, _ payload: RawSpan) -> Bool {
        if header.payloadType != payloadType, types.isNew(header.payloadType) { return true }
        let behind = Int(sequence.lastSequence &- header.sequenceNumber)
        if sequence.reordered == 0, behind < Self.recentPackets, timestamps > 0, !holds(header.timestamp) {
            return true
        }
        if let recentContents { return recentContents.differs(header, payload) }
        recentContents = RecentContents()
        isExamined = true
        return false
    }

    /// Records another packet with a repeated sequence number. A payload type that was not negotiated is reported as
    /// such.
    @inline(never)
    mutating func noteOther(_ header: RTPHeader, time: Timestamp, frame: Int, _ news: inout StreamChanges) {
        guard sequence.retractDuplicate() else {
            news.insert(.stray)
            return noteStray(header, time, frame)
        }
        if header.payloadType != payloadType {
            packetsOfType &-= 1
            types.noteOther(header.payloadType)
        }
        let before = faults[.payloadType]?.count
        checkPayloadType(header)
        guard faults[.payloadType]?.count == before else { return }
        note(PacketFaults(.numberReused), header, time: time, frame: frame)
    }

    /// Parses a payload and records its content.
    @inline(never)
    mutating func examine(
        _ payload: RawSpan, _ header: RTPHeader, _ order: PacketOrder
    ) -> (PacketFaults, PayloadContent.Sight) {
        recentContents?.note(header, payload)
        return isRedundant ? lookInside(payload, header, order) : content.look(payload, header, order)
    }
}
