package import WeirEngine
package import WeirPackets

/// The fast path for chunked connections: octets within messages are skipped, and frames that only affect the figures
/// of their stream do not become messages.
package final class RTMPChunkPath: FastPath {
    /// The position of each side in its current message. Empty cursors belong to sides that have to be parsed.
    private struct Sides {
        var client = RTMPChunkCursor()
        var server = RTMPChunkCursor()
    }

    private var borrowed = SlotMap<Sides>(nothing: Sides())
    /// The dissector states, at the same indices.
    private var readers: [RTMPSides?] = []
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
        let slot = borrowed.insert(Sides())
        while readers.count <= Int(slot) { readers.append(nil) }
        readers[Int(slot)] = dissector.sides
        return slot
    }

    package func returnBorrowed(_ slot: Int32) -> (client: Int, server: Int) {
        guard let reader = readers[Int(slot)] else { return (0, 0) }
        let sides = borrowed[slot]
        if sides.client.passed > 0 { reader.returnBorrowed(sides.client, .clientToServer) }
        if sides.server.passed > 0 { reader.returnBorrowed(sides.server, .serverToClient) }
        borrowed[slot] = Sides()
        return (sides.client.passed, sides.server.passed)
    }

    package func borrow(_ slot: Int32, _ direction: Direction) {
        guard let reader = readers[Int(slot)] else { return }
        if direction == .clientToServer {
            borrowed[slot].client = reader.borrow(direction)
        } else {
            borrowed[slot].server = reader.borrow(direction)
        }
    }

    package func remove(_ slot: Int32) {
        borrowed.remove(slot)
        readers[Int(slot)] = nil
    }

    /// Reads messages; frames counted here are never created as messages.
    package func read(
        _ octets: RawSpan, _ slot: Int32, _ flow: FlowState, at place: EventContext, _ outlet: Outlet
    ) -> Int {
        guard let reader = readers[Int(slot)], reader.isReady(place.direction) else { return 0 }
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
