package import WeirEngine
package import WeirPackets

/// The fast path for chunked connections: octets within messages are skipped, and frames that only affect the figures
/// of their stream do not become messages.
package final class RTMPChunkPath: FastPath {
    /// A connection, and where its messages go.
    private final class Connection {
        let sides: RTMPSides
        let flow: FlowState
        let items: Outlet

        init(_ sides: RTMPSides, _ flow: FlowState, _ items: Outlet) {
            (self.sides, self.flow, self.items) = (sides, flow, items)
        }
    }

    /// The position of each side in its current message, and what reads the next ones. Empty cursors belong to sides that
    /// have to be parsed.
    private struct Sides {
        var client = RTMPChunkCursor()
        var server = RTMPChunkCursor()
        var connection: Connection?
    }

    /// A segment that was not read to its end, or whose messages are in the outlet.
    private struct Unfinished {
        let read: FastRead
        /// What the last frame read changes; nothing may be emitted while packets take the fast path.
        let changes: (of: RTMPSession, in: FlowState, track: Int, RTMPTrack.Changes)?
    }

    private var borrowed = Lent(SlotMap<Sides>(nothing: Sides()))
    private var unfinished: Unfinished?
    private let outlet: SessionOutlet

    package init(_ outlet: SessionOutlet) {
        self.outlet = outlet
    }

    package func take(
        _ octets: RawSpan, _ slot: Int32, _ direction: Direction, _ frame: FrameInfo, budget: inout OctetBudget
    ) -> Taken {
        Taken(
            update(slot) { sides in
                direction == .clientToServer
                    ? take(octets, &sides.client, other: sides.server.passed, sides.connection, direction, frame)
                    : take(octets, &sides.server, other: sides.client.passed, sides.connection, direction, frame)
            })
    }

    /// Skips and reads octets of a side; returns their number.
    ///
    /// - Parameter other: The octets of the other side that were skipped.
    @inline(__always)
    private func take(
        _ octets: RawSpan, _ run: inout RTMPChunkCursor, other: Int, _ connection: Connection?, _ direction: Direction,
        _ frame: FrameInfo
    ) -> Int {
        let passed = run.pass(octets)
        guard passed < octets.byteCount, let connection,
            read(octets.clamped(passed), &run, other: other, connection, direction, frame)
        else { return passed }
        return octets.byteCount
    }

    @inline(__always)
    private func update<Result>(_ slot: Int32, _ body: (inout Sides) -> Result) -> Result {
        var taken = borrowed.take()
        let result = taken.update(slot, body)
        borrowed.put(consume taken)
        return result
    }

    /// Reads messages. Returns false if something was emitted, or is to be.
    @inline(never)
    private func read(
        _ octets: RawSpan, _ run: inout RTMPChunkCursor, other: Int, _ connection: Connection, _ direction: Direction,
        _ frame: FrameInfo
    ) -> Bool {
        if unfinished != nil { unfinished = nil }
        let flow = connection.flow
        guard !outlet.options.packets, let session = flow.session as? RTMPSession,
            let place = flow.unbufferedPlace(direction)
        else { return false }
        let passed = run.passed
        var counting = RTMPFrameCounting(
            session: session, direction: direction, time: frame.time, frame: frame.number,
            sent: place.consumed &+ passed, other: place.other &+ other)
        connection.items.begin(at: frame.number)
        let (used, isBorrowed) = connection.sides.read(octets, direction, returning: &run, connection.items, &counting)
        if isBorrowed {
            flow.consume(to: counting.sent &+ used, direction)
            return true
        }
        unfinished = Unfinished(
            read: FastRead(taken: passed, used: used),
            changes: counting.changed.map { (session, flow, $0.track, $0.changes) })
        return false
    }

    /// Emits what the last frame that was read changes.
    package func finishRead(_ slot: Int32, _ octets: RawSpan, at place: EventContext) -> FastRead? {
        guard let found = unfinished else { return nil }
        unfinished = nil
        if let (session, flow, track, changes) = found.changes {
            outlet.observe(session, flow, place.direction) {
                session.emit(changes, of: nil, shownIn: nil, isOneOfMany: false, track, flow, place, outlet)
            }
        }
        return found.read
    }

    package func open(_ flow: FlowState, _ outlet: Outlet) -> Int32? {
        guard let dissector = flow.dissector as? RTMPDissector else { return nil }
        var taken = borrowed.take()
        let slot = taken.insert(Sides(connection: Connection(dissector.sides, flow, outlet)))
        borrowed.put(consume taken)
        return slot
    }

    package func returnBorrowed(_ slot: Int32) -> (client: Int, server: Int) {
        update(slot) { sides in
            guard let reader = sides.connection?.sides else { return (0, 0) }
            let (client, server) = (sides.client.passed, sides.server.passed)
            if client > 0 { reader.returnBorrowed(sides.client, .clientToServer) }
            if server > 0 { reader.returnBorrowed(sides.server, .serverToClient) }
            (sides.client, sides.server) = (RTMPChunkCursor(), RTMPChunkCursor())
            return (client, server)
        }
    }

    package func borrow(_ slot: Int32, _ direction: Direction) {
        update(slot) { sides in
            guard let cursor = sides.connection?.sides.borrow(direction) else { return }
            if direction == .clientToServer { sides.client = cursor } else { sides.server = cursor }
        }
    }

    package func remove(_ slot: Int32) {
        var taken = borrowed.take()
        taken.discard(slot)
        borrowed.put(consume taken)
    }
}
