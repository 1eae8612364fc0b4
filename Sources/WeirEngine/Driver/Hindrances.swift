import WeirPackets

/// What TCP did that held a connection up: octets that had to be sent again, and receivers that had no room.
struct Hindrances {
    /// What one side did.
    private struct Side {
        /// What brought octets of it again, latest.
        var resent: Delivery.Place?
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
        if accepted.contains(.retransmission) { side.resent = place }
        if accepted.contains(.windowTurned) {
            if windowIsZero { (side.closed, side.opened) = (place, nil) } else { side.opened = place.time }
        }
        if moment.direction == .clientToServer { client = side } else { server = side }
    }

    /// What of it happened between two moments.
    func remarks(since start: Timestamp, until end: Timestamp) -> [Remark] {
        let sides = [
            (client, "tcp.resent.client", "tcp.noRoom.client"), (server, "tcp.resent.server", "tcp.noRoom.server"),
        ]
        return sides.flatMap { side, resent, noRoom -> [Remark] in
            var remarks: [Remark] = []
            if let place = side.resent, start < place.time, place.time <= end {
                let waited = place.time.seconds(since: start) * 1_000
                remarks.append(Remark(Text(resent, .decimal(waited, places: 1), .integer(place.frame))))
            }
            if let closed = side.closed, closed.time <= end, start < side.opened ?? end {
                let seconds = max(0, (side.opened ?? end).seconds(since: closed.time))
                remarks.append(Remark(Text(noRoom, .decimal(seconds, places: 1), .integer(closed.frame))))
            }
            return remarks
        }
    }
}
