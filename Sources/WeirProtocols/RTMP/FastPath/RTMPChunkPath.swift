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

    /// The state of the dissector. Read in place: a getter would copy the map.
    @inline(__always)
    private func reader(_ slot: Int32) -> RTMPSides? { update(slot) { $0.reader } }

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
        _ octets: RawSpan, _ slot: Int32, _ flow: FlowState, at place: EventContext, _ outlet: Outlet
    ) -> Int {
        guard let reader = reader(slot), reader.isReady(place.direction) else { return 0 }
        let before = flow.octetsUsed(place.direction)
        var stop = reader.read(octets, from: 0, place.direction, outlet)
        while let frame = stop.frame {
            if count(frame, flow, place, at: before &+ stop.offset) {
                stop = reader.forget(octets, from: stop.offset, place.direction, outlet)
            } else {
                reader.emit(place.direction, end: stop.offset, outlet)
                stop = reader.read(octets, from: stop.offset, place.direction, outlet)
            }
        }
        return stop.offset
    }

    /// Counts a frame that ends at `octets` of its side; returns false if it starts a stream or has to be shown.
    private func count(_ frame: RTMPFrame, _ flow: FlowState, _ place: EventContext, at octets: Int) -> Bool {
        guard !outlet.options.packets, let session = flow.session as? RTMPSession,
            let index = session.track(typeID: frame.typeID, frame.messageStreamID, place.direction)
        else { return false }
        session.count(place.direction, octets, other: flow.bytesReceived(place.direction.opposite))
        let news = session.update(track: index) {
            $0.observe(RTMPMediaPiece(frame), time: place.time, frame: place.frame)
        }
        session.noteMedia(index, news, place)
        if !news.isEmpty { session.emit(news, nil, index, place, outlet) }
        return true
    }
}
