import WeirPackets

/// The segments of an answered opening.
struct AnsweredOpening {
    /// A segment without payload.
    struct Segment {
        var header = TCPSegment()
        var place = Delivery.Place(frame: 0, time: Timestamp(nanoseconds: 0))
    }

    /// The number of SYNs.
    var attempts = 0
    /// The frame and time of the latest SYN.
    var syn = Delivery.Place(frame: 0, time: Timestamp(nanoseconds: 0))
    var synACK = Segment()
    /// The acknowledgment of the SYN-ACK, if `isAcknowledged`.
    var acknowledgment = Segment()
    var isAcknowledged = false
    /// The index of the capture interface of the latest segment.
    var interface = 0

    /// The latest segment.
    var last: Segment { isAcknowledged ? acknowledgment : synACK }

    /// The next sequence number of a direction.
    func next(_ direction: Direction) -> Sequence32 {
        direction == .clientToServer ? synACK.header.acknowledgment : synACK.header.sequence.advanced(by: 1)
    }

    /// Returns the connection, and the place of the segment that completed its handshake.
    func connection(budget: inout OctetBudget) -> (TCPConnection, connected: Delivery.Place?) {
        var connection = TCPConnection(
            openedWith: synACK.header.acknowledgment.value &- 1, at: syn.time, frame: syn.frame)
        var connected: Delivery.Place?
        let none: [UInt8] = []
        func receive(_ segment: Segment, _ direction: Direction) {
            let taken = connection.receive(
                segment.header, payload: none.rawSpan, missingOctets: 0, direction: direction,
                time: segment.place.time, frame: segment.place.frame, budget: &budget)
            if taken.accepted.contains(.connected) { connected = segment.place }
        }
        receive(synACK, .serverToClient)
        if isAcknowledged { receive(acknowledgment, .clientToServer) }
        return (connection, connected)
    }
}
