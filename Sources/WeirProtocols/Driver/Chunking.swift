import WeirEngine
import WeirPackets

/// A connection whose messages come in chunks, for the segments that go the short way: where each side is in its message
/// at hand. Empty places are those of sides that have to be read.
struct Chunking {
    var client = RTMPChunkRun()
    var server = RTMPChunkRun()

    /// Passes over octets of a side; returns how many.
    @inline(__always)
    mutating func pass(_ bytes: RawSpan, _ direction: Direction) -> Int {
        direction == .clientToServer ? client.pass(bytes) : server.pass(bytes)
    }
}

// RTMP connections on the short way: what is in the middle of messages is passed over by the intake, and here the rest is
// read. Frames that change nothing but the figures of their stream become no messages.

extension Analyzer {
    /// From now on segments of the flow may go the short way.
    func takeShortWay(_ state: FlowState) {
        guard options.hasShortWay, state.transport == .tcp, let rtmp = state.dissector as? RTMPDissector else { return }
        state.chunks = rtmp.sides
        table[state.index].lane.turn(to: .chunked)
        table[state.index].lane.chunks = intake.chunkings.insert(Chunking())
    }

    /// Takes back what the intake was lent of the flow's sides; before anything else is done with them.
    func settle(_ state: FlowState) {
        guard let sides = state.chunks else { return }
        let number = table[state.index].lane.chunks
        guard number >= 0 else { return }
        let known = intake.chunkings[number]
        if known.client.passed > 0 {
            sides.takeBack(known.client, .clientToServer)
            state.fromClient.consumed &+= known.client.passed
        }
        if known.server.passed > 0 {
            sides.takeBack(known.server, .serverToClient)
            state.fromServer.consumed &+= known.server.passed
        }
        intake.chunkings[number] = Chunking()
    }

    /// Reads the octets of a segment that the intake did not pass over.
    func chunks(_ frame: borrowing Frame) {
        let lookup = intake.lookup
        guard let state = states[lookup.index], let sides = state.chunks else { return }
        settle(state)
        let direction = lookup.direction
        let moment = state.moment(direction, frame: frame.info.number, time: frame.info.time)
        let side = state.side(direction)
        let rest = intake.rest
        let bytes = frame.bytes.clamped(rest.lowerBound, rest.upperBound)
        var used = 0
        if side.buffer.isEmpty, sides.isReady(direction) {
            used = read(bytes, sides, state, side, moment, at: rest.lowerBound)
            side.consumed &+= used
        }
        if used < bytes.byteCount {
            offer(
                bytes.clamped(used), state, moment, place: rest.lowerBound &+ used, frame: frame.info.number)
        }
        guard side.buffer.isEmpty else { return }
        let number = table[lookup.index].lane.chunks
        guard number >= 0 else { return }
        if direction == .clientToServer {
            intake.chunkings[number].client = sides.lend(direction)
        } else {
            intake.chunkings[number].server = sides.lend(direction)
        }
    }

    /// Reads messages; returns how many octets were used.
    private func read(
        _ bytes: RawSpan, _ sides: RTMPSides, _ state: FlowState, _ side: StreamSide, _ moment: Moment, at place: Int
    ) -> Int {
        outlet.clear()
        outlet.place(first: moment.frame, waiting: 0, last: moment.frame)
        var stop = sides.read(bytes, from: 0, moment.direction, outlet)
        while let frame = stop.frame {
            if count(frame, state, moment, at: side.consumed &+ stop.offset) {
                stop = sides.forget(bytes, from: stop.offset, moment.direction, outlet)
            } else {
                sides.tell(moment.direction, end: stop.offset, outlet)
                stop = sides.read(bytes, from: stop.offset, moment.direction, outlet)
            }
        }
        drain(state, bytes, moment, at: Place(inFrame: place, firstFrame: moment.frame))
        return stop.offset
    }

    /// Counts a frame that ends behind so many octets of its side; false when it begins a stream, or is to be shown.
    private func count(_ frame: RTMPFrame, _ state: FlowState, _ moment: Moment, at octets: Int) -> Bool {
        guard !options.packets, let session = state.session as? RTMPSession,
            let index = session.track(typeID: frame.typeID, frame.messageStreamID, moment.direction)
        else { return false }
        let other = state.side(moment.direction.opposite)
        session.count(moment.direction, octets, other: other.consumed &+ other.buffer.count)
        let news = session.tracks[index].observe(RTMPMediaPiece(frame), time: moment.time, frame: moment.frame)
        session.noteMedia(index, news, moment)
        if !news.isEmpty { report(news, nil, index, session, moment) }
        return true
    }
}
