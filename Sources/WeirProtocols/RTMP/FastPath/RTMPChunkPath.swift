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

    private var borrowed = SlotMap<Sides>(nothing: Sides())
    private let outlet: SessionOutlet

    package init(_ outlet: SessionOutlet) {
        self.outlet = outlet
    }

    package func take(
        _ octets: RawSpan, _ slot: Int32, _ direction: Direction, _ frame: FrameInfo, budget: inout OctetBudget
    ) -> Taken {
        Taken(direction == .clientToServer ? borrowed[slot].client.pass(octets) : borrowed[slot].server.pass(octets))
    }

    package func open(_ flow: FlowState) -> Int32? {
        guard let dissector = flow.dissector as? RTMPDissector else { return nil }
        return borrowed.insert(Sides(reader: dissector.sides))
    }

    package func returnBorrowed(_ slot: Int32) -> (client: Int, server: Int) {
        let sides = borrowed.update(slot) { sides in
            let borrowed = sides
            sides.client = RTMPChunkCursor()
            sides.server = RTMPChunkCursor()
            return borrowed
        }
        guard let reader = sides.reader else { return (0, 0) }
        if sides.client.passed > 0 { reader.returnBorrowed(sides.client, .clientToServer) }
        if sides.server.passed > 0 { reader.returnBorrowed(sides.server, .serverToClient) }
        return (sides.client.passed, sides.server.passed)
    }

    package func borrow(_ slot: Int32, _ direction: Direction) {
        borrowed.update(slot) { sides in
            guard let reader = sides.reader else { return }
            if direction == .clientToServer {
                sides.client = reader.borrow(direction)
            } else {
                sides.server = reader.borrow(direction)
            }
        }
    }

    package func remove(_ slot: Int32) {
        borrowed.discard(slot)
    }

    /// Reads messages; frames counted here are never created as messages.
    package func read(
        _ octets: RawSpan, _ slot: Int32, _ flow: FlowState, at place: EventContext, _ outlet: Outlet
    ) -> Int {
        guard let reader = borrowed[slot].reader, reader.isReady(place.direction) else { return 0 }
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
        let news = session.tracks[index].observe(RTMPMediaPiece(frame), time: place.time, frame: place.frame)
        session.noteMedia(index, news, place)
        if !news.isEmpty { session.emit(news, nil, index, place, outlet) }
        return true
    }
}
