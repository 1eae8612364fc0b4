import WeirPackets

/// What TCP did that held a connection up: octets that had to be sent again, and receivers that had no room.
struct TCPDelays {
    /// What one side did.
    private struct Side {
        /// What brought octets of it again, latest.
        var resent: Delivery.Place?
        /// Whether the capture lacks their first copy.
        var isUnseen = false
        /// When it closed the window in which it receives, and when it opened that again.
        var closed: Delivery.Place?
        var opened: Timestamp?
    }

    private var client = Side()
    private var server = Side()

    /// Takes note of a segment that sends octets again, or closes or opens a window.
    mutating func note(_ accepted: Acceptance, windowIsZero: Bool, _ moment: EventContext) {
        var side = moment.direction == .clientToServer ? client : server
        let place = Delivery.Place(frame: moment.frame, time: moment.time)
        if !accepted.isDisjoint(with: [.retransmission, .resentUnseen]) {
            (side.resent, side.isUnseen) = (place, accepted.contains(.resentUnseen))
        }
        if accepted.contains(.windowTurned) {
            if windowIsZero { (side.closed, side.opened) = (place, nil) } else { side.opened = place.time }
        }
        if moment.direction == .clientToServer { client = side } else { server = side }
    }

    /// What of it happened between two moments.
    func found(since start: Timestamp, until end: Timestamp) -> [TCPDelay] {
        [(client, "client"), (server, "server")].flatMap { side, name -> [TCPDelay] in
            var found: [TCPDelay] = []
            if let place = side.resent, start < place.time, place.time <= end {
                let seconds = place.time.seconds(since: start)
                let what = side.isUnseen ? "resentUnseen" : "resent"
                found.append(TCPDelay(what: "\(what).\(name)", isWindow: false, seconds: seconds, frame: place.frame))
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
        guard seconds >= Self.shortest else { return nil }
        return Text("outcome.\(what)", .decimal(isWindow ? seconds : seconds * 1_000, places: 1), .integer(frame))
    }
}
