package import WeirEngine
package import WeirPackets

/// Connections whose messages come in chunks: what is in the middle of messages is passed over, and frames that change
/// nothing but the figures of their stream become no messages.
package final class RTMPChunkPath: FastPath {
    /// Where each side of a connection is in its message at hand. Empty places are those of sides that have to be read.
    private struct Sides {
        var client = RTMPChunkCursor()
        var server = RTMPChunkCursor()
    }

    private var lent = SlotMap<Sides>(nothing: Sides())
    /// What the dissectors know, at the same places.
    private var readers: [RTMPSides?] = []
    private let outlet: StoryOutlet

    package init(_ outlet: StoryOutlet) {
        self.outlet = outlet
    }

    package func take(
        _ octets: RawSpan, _ slot: Int32, _ direction: Direction, _ frame: FrameInfo, budget: inout OctetBudget
    ) -> Taken {
        Taken(direction == .clientToServer ? lent[slot].client.pass(octets) : lent[slot].server.pass(octets))
    }

    package func open(_ flow: FlowState) -> Int32? {
        guard let dissector = flow.dissector as? RTMPDissector else { return nil }
        let slot = lent.insert(Sides())
        while readers.count <= Int(slot) { readers.append(nil) }
        readers[Int(slot)] = dissector.sides
        return slot
    }

    package func giveBack(_ slot: Int32) -> (client: Int, server: Int) {
        guard let reader = readers[Int(slot)] else { return (0, 0) }
        let sides = lent[slot]
        if sides.client.passed > 0 { reader.giveBack(sides.client, .clientToServer) }
        if sides.server.passed > 0 { reader.giveBack(sides.server, .serverToClient) }
        lent[slot] = Sides()
        return (sides.client.passed, sides.server.passed)
    }

    package func borrow(_ slot: Int32, _ direction: Direction) {
        guard let reader = readers[Int(slot)] else { return }
        if direction == .clientToServer {
            lent[slot].client = reader.borrow(direction)
        } else {
            lent[slot].server = reader.borrow(direction)
        }
    }

    package func remove(_ slot: Int32) {
        lent.remove(slot)
        readers[Int(slot)] = nil
    }

    /// Reads messages; those that are counted here are never made.
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
                reader.tell(place.direction, end: stop.offset, outlet)
                stop = reader.read(octets, from: stop.offset, place.direction, outlet)
            }
        }
        return stop.offset
    }

    /// Counts a frame that ends behind so many octets of its side; false when it begins a stream, or is to be shown.
    private func count(_ frame: RTMPFrame, _ flow: FlowState, _ place: EventContext, at octets: Int) -> Bool {
        guard !outlet.options.packets, let session = flow.session as? RTMPSession,
            let index = session.track(typeID: frame.typeID, frame.messageStreamID, place.direction)
        else { return false }
        session.count(place.direction, octets, other: flow.octetsSaid(place.direction.opposite))
        let news = session.tracks[index].observe(RTMPMediaPiece(frame), time: place.time, frame: place.frame)
        session.noteMedia(index, news, place)
        if !news.isEmpty { session.tell(news, nil, index, place, outlet) }
        return true
    }
}
