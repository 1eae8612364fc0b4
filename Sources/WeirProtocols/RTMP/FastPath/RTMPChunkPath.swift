package import WeirEngine
package import WeirPackets

/// The fast path for chunked connections: octets within messages are skipped, and frames that only affect the figures
/// of their stream do not become messages.
package final class RTMPChunkPath: FastPath {
    /// The position of each side in its current message, and what reads the next ones. Empty cursors belong to sides that
    /// have to be parsed.
    private struct Sides {
        var client = RTMPChunkCursor()
        var server = RTMPChunkCursor()
        var reader: RTMPSides?
        var flow: FlowState?

        subscript(direction: Direction) -> RTMPChunkCursor {
            @inline(__always) get { direction == .clientToServer ? client : server }
            @inline(__always) set { if direction == .clientToServer { client = newValue } else { server = newValue } }
        }
    }

    /// A segment that was not read to its end, or whose messages are in the outlet.
    private struct Unfinished {
        var read = FastRead()
        /// What the last frame read changes; nothing may be emitted while packets take the fast path.
        var changes: (of: RTMPSession, in: FlowState, track: Int, RTMPTrack.Changes)?
    }

    private var borrowed = Lent(SlotMap<Sides>(nothing: Sides()))
    private var unfinished: Unfinished?
    /// Receives the messages.
    private var items = Outlet()
    private let outlet: SessionOutlet

    package init(_ outlet: SessionOutlet) {
        self.outlet = outlet
    }

    package func take(
        _ octets: RawSpan, _ slot: Int32, _ direction: Direction, _ frame: FrameInfo, budget: inout OctetBudget
    ) -> Taken {
        Taken(
            update(slot) { sides in
                let passed = direction == .clientToServer ? sides.client.pass(octets) : sides.server.pass(octets)
                guard passed < octets.byteCount, read(octets.clamped(passed), &sides, direction, frame) else {
                    return passed
                }
                return octets.byteCount
            })
    }

    @inline(__always)
    private func update<Result>(_ slot: Int32, _ body: (inout Sides) -> Result) -> Result {
        var taken = borrowed.take()
        let result = taken.update(slot, body)
        borrowed.put(consume taken)
        return result
    }

    /// Reads messages. Returns false if something was emitted, or is to be.
    private func read(_ octets: RawSpan, _ sides: inout Sides, _ direction: Direction, _ frame: FrameInfo) -> Bool {
        unfinished = nil
        guard let reader = sides.reader, let flow = sides.flow, !outlet.options.packets,
            let session = flow.session as? RTMPSession
        else { return false }
        let side = flow.side(direction)
        guard side.bufferedOctets == 0 else { return false }
        let run = sides[direction]
        let sent = side.consumed &+ run.passed
        let other = flow.side(direction.opposite).received &+ sides[direction.opposite].passed
        var found = Unfinished()
        items.begin(at: frame.number)
        let (used, rest) = reader.read(octets, direction, returning: run, items) { message, end in
            guard
                let (track, changes) = session.count(
                    message, direction, frame.time, frame: frame.number, sent: sent &+ end, other: other)
            else { return .uncounted }
            if changes.isEmpty { return .counted }
            found.changes = (session, flow, track, changes)
            return .changed
        }
        sides[direction] = rest ?? RTMPChunkCursor()
        if rest != nil {
            side.consumed = sent &+ used
            return true
        }
        found.read.taken = run.passed
        found.read.used = used
        unfinished = found
        return false
    }

    /// Emits what the last frame that was read changes.
    package func finishRead(_ slot: Int32, at place: EventContext) -> FastRead? {
        guard let found = unfinished else { return nil }
        unfinished = nil
        if let (session, flow, track, changes) = found.changes {
            outlet.observe(session, flow, place.direction) {
                session.emit(changes, nil, track, flow, place, outlet)
            }
        }
        return found.read
    }

    package func open(_ flow: FlowState, _ outlet: Outlet) -> Int32? {
        guard let dissector = flow.dissector as? RTMPDissector else { return nil }
        items = outlet
        var taken = borrowed.take()
        let slot = taken.insert(Sides(reader: dissector.sides, flow: flow))
        borrowed.put(consume taken)
        return slot
    }

    package func returnBorrowed(_ slot: Int32) -> (client: Int, server: Int) {
        update(slot) { sides in
            guard let reader = sides.reader else { return (0, 0) }
            let (client, server) = (sides.client.passed, sides.server.passed)
            if client > 0 { reader.returnBorrowed(sides.client, .clientToServer) }
            if server > 0 { reader.returnBorrowed(sides.server, .serverToClient) }
            (sides.client, sides.server) = (RTMPChunkCursor(), RTMPChunkCursor())
            return (client, server)
        }
    }

    package func borrow(_ slot: Int32, _ direction: Direction) {
        update(slot) { sides in
            guard let cursor = sides.reader?.borrow(direction) else { return }
            sides[direction] = cursor
        }
    }

    package func remove(_ slot: Int32) {
        var taken = borrowed.take()
        taken.discard(slot)
        borrowed.put(consume taken)
    }
}
