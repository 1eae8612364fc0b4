import WeirPackets

/// Delays that TCP caused in a connection: retransmissions and closed receive windows.
struct TCPDelays {
    /// The state of one side.
    private struct Side {
        /// The latest retransmission by this side.
        var resent: Delivery.Place?
        /// Whether the original segment was not captured.
        var isUnseen = false
        /// The sequence numbers of the retransmitted bytes.
        var numbers = (start: Sequence32(0), end: Sequence32(0))
        /// Whether the retransmission was spurious: the peer reports a duplicate (RFC 2883).
        var isNeedless = false
        /// When this side closed its receive window, and when it reopened it.
        var closed: Delivery.Place?
        var opened: Timestamp?
        /// The acknowledgment number of the segment that closed the window.
        var received: UInt32 = 0

        /// Whether it was ever delayed.
        var hasDelay: Bool { resent != nil || closed != nil }
    }

    private var client = Side()
    private var server = Side()

    /// Records a segment that retransmits bytes, or closes or opens a window.
    mutating func note(_ accepted: Acceptance, _ segment: TCPSegment, octets: Int, _ moment: EventContext) {
        if accepted.contains(.duplicateReported) { noteDuplicate(segment.selectiveBlock, from: moment.direction) }
        var side = moment.direction == .clientToServer ? client : server
        let place = Delivery.Place(frame: moment.frame, time: moment.time)
        if !accepted.isDisjoint(with: [.retransmission, .resentUnseen]) {
            (side.resent, side.isUnseen, side.isNeedless) = (place, accepted.contains(.resentUnseen), false)
            side.numbers = (segment.sequence, segment.sequence.advanced(by: octets))
        }
        if accepted.contains(.windowTurned) {
            if segment.window == 0 {
                (side.closed, side.opened, side.received) = (place, nil, segment.acknowledgment.value)
            } else {
                side.opened = place.time
            }
        }
        if moment.direction == .clientToServer { client = side } else { server = side }
    }

    /// Records that a side reports a duplicate (D-SACK).
    private mutating func noteDuplicate(_ block: (start: UInt32, end: UInt32), from direction: Direction) {
        func isNeedless(_ side: Side) -> Bool {
            side.resent != nil && !side.numbers.start.precedes(Sequence32(block.start))
                && !Sequence32(block.end).precedes(side.numbers.end)
        }
        if direction == .clientToServer {
            if isNeedless(server) { server.isNeedless = true }
        } else if isNeedless(client) {
            client.isNeedless = true
        }
    }

    /// The closed receive windows: receiver, start, and the acknowledgment number at that time.
    var closedWindows: [(receiver: Direction, since: Delivery.Place, received: UInt32)] {
        [(client, Direction.clientToServer), (server, .serverToClient)].compactMap { side, direction in
            side.opened == nil ? side.closed.map { (direction, $0, side.received) } : nil
        }
    }

    /// Returns the delays between two times.
    func found(since start: Timestamp, until end: Timestamp) -> [TCPDelay] {
        guard client.hasDelay || server.hasDelay else { return [] }
        return [(client, "client"), (server, "server")].flatMap { side, name -> [TCPDelay] in
            var found: [TCPDelay] = []
            if let place = side.resent, start < place.time, place.time <= end {
                let seconds = place.time.seconds(since: start)
                let what = side.isNeedless ? "resentNeedlessly" : side.isUnseen ? "resentUnseen" : "resent"
                found.append(
                    TCPDelay(
                        what: "\(what).\(name)", isWindow: false, isHarmless: side.isNeedless, seconds: seconds,
                        frame: place.frame))
            }
            if let closed = side.closed, closed.time <= end, start < side.opened ?? end {
                let seconds = max(0, (side.opened ?? end).seconds(since: closed.time))
                found.append(TCPDelay(what: "noRoom.\(name)", isWindow: true, seconds: seconds, frame: closed.frame))
            }
            return found
        }
    }
}

/// A delay caused by TCP.
struct TCPDelay {
    /// The kind and side; the suffix of the catalog keys.
    var what: String
    /// Whether the cause is a closed receive window; otherwise it is a retransmission.
    var isWindow: Bool
    /// Whether the retransmission was spurious and delayed nothing.
    var isHarmless = false
    /// The duration.
    var seconds: Double
    /// The frame of the evidence.
    var frame: Int

    /// Shorter delays are not part of the outcome.
    private static let shortest = 0.1

    /// The remark for the delayed event.
    var remark: Remark {
        Remark(Text("tcp.\(what)", .decimal(isWindow ? seconds : seconds * 1_000, places: 1), .integer(frame)))
    }

    /// The text for the outcome, or nil if the delay is insignificant.
    var outcome: Text? {
        guard seconds >= Self.shortest, !isHarmless else { return nil }
        return Text("outcome.\(what)", .decimal(isWindow ? seconds : seconds * 1_000, places: 1), .integer(frame))
    }
}
