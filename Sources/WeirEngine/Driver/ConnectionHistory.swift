import WeirPackets

/// How the TCP connection of a flow began, was delayed, and ended, as far as its sessions are told.
///
/// An object of its own, which only flows of TCP have: most flows of media are UDP.
final class ConnectionHistory {
    /// The number of SYNs of the client.
    var attempts = 0
    /// The completed handshake, not yet emitted; it is once the protocol is recognized.
    var connected: EventContext?
    /// Bytes missing while the protocol was undecided, emitted likewise once the protocol is recognized.
    var lostEarly: (at: EventContext, octets: Int)?
    /// When a dissector first recognized the opening, but waited for something else than bytes, and whether the opening
    /// was in one frame.
    var awaited: (at: EventContext, isInFrame: Bool)?
    /// Delays caused by TCP.
    var delays = TCPDelays()
    /// End events deferred while the protocol is undecided: at most one FIN per side, and the end.
    var deferredEnds: [(end: ConnectionEnd, moment: EventContext)] = []
    /// The first FIN of each side, in capture order.
    private(set) var finishes: [(direction: Direction, frame: Int)] = []

    /// Whether something of its beginning is not yet emitted.
    var isPending: Bool { connected != nil || lostEarly != nil }

    /// Records bytes missing from the beginning.
    func noteLostEarly(_ octets: Int, at moment: EventContext) {
        lostEarly = (lostEarly?.at ?? moment, (lostEarly?.octets ?? 0) &+ octets)
    }

    /// Defers an end event.
    func deferEnd(_ end: ConnectionEnd, at moment: EventContext) {
        deferredEnds = deferredEnds + [(end, moment)]
    }

    /// Returns the deferred end events, and forgets them.
    func takeDeferredEnds() -> [(end: ConnectionEnd, moment: EventContext)] {
        defer { deferredEnds = [] }
        return deferredEnds
    }

    /// Records the first FIN of a side.
    func noteFinish(_ moment: EventContext) {
        guard !finishes.contains(where: { $0.direction == moment.direction }) else { return }
        finishes.append((moment.direction, moment.frame))
    }
}
