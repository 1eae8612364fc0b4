import WeirPackets

/// What TCP did that held a connection up: octets that had to be sent again, and receivers that had no room.
struct TCPDelays {
    /// What one side did.
    private struct Side {
        /// What brought octets of it again, latest.
        var resent: Delivery.Place?
        /// Whether the capture lacks their first copy.
        var isUnseen = false
        /// The numbers of these octets.
        var numbers = (start: Sequence32(0), end: Sequence32(0))
        /// Whether the other side says that it had got them before (RFC 2883): nothing waited for them.
        var isNeedless = false
        /// When it closed the window in which it receives, and when it opened that again.
        var closed: Delivery.Place?
        var opened: Timestamp?
        /// The acknowledgment number of the segment that closed the window.
        var received: UInt32 = 0
    }

    private var client = Side()
    private var server = Side()

    /// Takes note of a segment that sends octets again, or closes or opens a window.
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

    /// A side says that octets of the other came twice.
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

    /// The receive windows that are closed: whose, since when, and the acknowledgment number at that time.
    var closedWindows: [(receiver: Direction, since: Delivery.Place, received: UInt32)] {
        [(client, Direction.clientToServer), (server, .serverToClient)].compactMap { side, direction in
            side.opened == nil ? side.closed.map { (direction, $0, side.received) } : nil
        }
    }

    /// What of it happened between two moments.
    func found(since start: Timestamp, until end: Timestamp) -> [TCPDelay] {
        [(client, "client"), (server, "server")].flatMap { side, name -> [TCPDelay] in
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

/// One thing that held a connection up.
struct TCPDelay {
    /// What it was, and on whose side: the end of the keys of its sentences.
    var what: String
    /// Whether a receiver had no room, as opposed to octets that were sent again.
    var isWindow: Bool
    /// Whether nothing waited for it.
    var isHarmless = false
    /// How long it lasted.
    var seconds: Double
    /// The frame that shows it.
    var frame: Int

    /// Shorter ones are no part of what happened in the end.
    private static let shortest = 0.1

    /// For the step that was held up.
    var remark: Remark {
        Remark(Text("tcp.\(what)", .decimal(isWindow ? seconds : seconds * 1_000, places: 1), .integer(frame)))
    }

    /// For what happened in the end; nil when it is not worth it.
    var outcome: Text? {
        guard seconds >= Self.shortest, !isHarmless else { return nil }
        return Text("outcome.\(what)", .decimal(isWindow ? seconds : seconds * 1_000, places: 1), .integer(frame))
    }
}
