package import WeirEngine
package import WeirPackets

/// The fast path for chunked connections: octets within messages are skipped, and frames that only affect the figures
/// of their stream do not become messages.
package final class RTMPChunkPath: FastPath {
    /// The position of each side in its current message, and the dissector's state. Empty cursors belong to sides that
    /// have to be parsed.
    private struct Sides {
        var client = RTMPChunkCursor()
        var server = RTMPChunkCursor()
        var reader: RTMPSides?
    }

    private var borrowed = Lent(SlotMap<Sides>(nothing: Sides()))
    private let outlet: SessionOutlet

    package init(_ outlet: SessionOutlet) {
        self.outlet = outlet
    }

    package func take(
        _ octets: RawSpan, _ slot: Int32, _ direction: Direction, _ frame: FrameInfo, budget: inout OctetBudget
    ) -> Taken {
        Taken(update(slot) { direction == .clientToServer ? $0.client.pass(octets) : $0.server.pass(octets) })
    }

    @inline(__always)
    private func update<Result>(_ slot: Int32, _ body: (inout Sides) -> Result) -> Result {
        var taken = borrowed.take()
        let result = taken.update(slot, body)
        borrowed.put(consume taken)
        return result
    }

    package func open(_ flow: FlowState) -> Int32? {
        guard let dissector = flow.dissector as? RTMPDissector else { return nil }
        var taken = borrowed.take()
        let slot = taken.insert(Sides(reader: dissector.sides))
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
            if direction == .clientToServer { sides.client = cursor } else { sides.server = cursor }
        }
    }

    package func remove(_ slot: Int32) {
        var taken = borrowed.take()
        taken.discard(slot)
        borrowed.put(consume taken)
    }

    /// Reads messages; frames counted here are never created as messages.
    package func read(
        _ octets: RawSpan, _ slot: Int32, _ flow: FlowState, at place: EventContext, counts: (own: Int, other: Int),
        _ outlet: Outlet
    ) -> FastRead? {
        let isClients = place.direction == .clientToServer
        let (reader, run, uncounted) = update(slot) { sides in
            let (own, other) = isClients ? (sides.client, sides.server) : (sides.server, sides.client)
            if isClients { sides.client = RTMPChunkCursor() } else { sides.server = RTMPChunkCursor() }
            return (sides.reader, own, other.passed)
        }
        var result = FastRead()
        result.taken = run.passed
        guard let reader else { return result }
        let counts = (own: counts.own &+ run.passed, other: counts.other &+ uncounted)
        let (used, borrowed) = reader.read(octets, place.direction, returning: run, outlet) { frame, end in
            count(frame, flow, place, sent: counts.own &+ end, other: counts.other)
        }
        result.used = used
        if let borrowed {
            result.isBorrowed = true
            update(slot) { if isClients { $0.client = borrowed } else { $0.server = borrowed } }
        }
        return result
    }

    /// Counts a frame, up to whose end its side sent `sent` octets; returns false if it starts a stream or has to be
    /// shown.
    private func count(_ frame: RTMPFrame, _ flow: FlowState, _ place: EventContext, sent: Int, other: Int) -> Bool {
        guard !outlet.options.packets, let session = flow.session as? RTMPSession,
            let index = session.track(typeID: frame.typeID, frame.messageStreamID, place.direction)
        else { return false }
        session.count(place.direction, sent, other: other)
        let news = session.update(track: index) {
            $0.observe(RTMPMediaPiece(frame), time: place.time, frame: place.frame)
        }
        session.noteMedia(index, news, place)
        if !news.isEmpty { session.emit(news, nil, index, place, outlet) }
        return true
    }
}
