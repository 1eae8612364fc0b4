import WeirEngine
package import WeirPackets

/// What both sides of a connection say behind the handshake, for the dissector that reads it, and for a driver that passes
/// over octets in the middle of messages.
///
/// A driver may `borrow` the place of a side, and has to bring it back before anything else is done with that side.
package final class RTMPSides {
    /// How far `read` came.
    package struct Stop {
        /// Where in the octets it ended.
        package var offset: Int
        /// The frame that it ended behind and did not tell; nil when there is none.
        package var frame: RTMPFrame?
    }

    /// One value, so that what is done with a message is one access.
    var readers: RTMPReaders

    init(_ flow: FlowContext) {
        readers = RTMPReaders(flow)
    }

    /// Reads as the dissector does, but ends behind a frame that was not told; then `tell` or `forget` has to follow.
    package func read(_ bytes: RawSpan, from start: Int, _ direction: Direction, _ outlet: Outlet) -> Stop {
        readers.read(bytes, from: start, isClient: direction == .clientToServer, outlet)
    }

    /// Tells of the frame that ends at `end` as of any other message.
    package func tell(_ direction: Direction, end: Int, _ outlet: Outlet) {
        readers.tell(isClient: direction == .clientToServer, end: end, outlet)
    }

    /// Lets go of the frame, which was counted, and reads on.
    package func forget(
        _ bytes: RawSpan, from start: Int, _ direction: Direction, _ outlet: Outlet
    ) -> Stop {
        readers.forget(isClient: direction == .clientToServer)
        return readers.read(bytes, from: start, isClient: direction == .clientToServer, outlet)
    }

    /// Whether the next octets of a side are chunks, for a driver to read.
    package func isReady(_ direction: Direction) -> Bool {
        readers.isPlain && (direction == .clientToServer ? readers.client.hasSpoken : readers.server.hasSpoken)
    }

    /// The place of a side in the message at hand, to pass over octets; nothing at hand where a driver must not.
    package func borrow(_ direction: Direction) -> RTMPChunkCursor {
        guard isReady(direction) else { return RTMPChunkCursor() }
        return direction == .clientToServer ? readers.client.borrow() : readers.server.borrow()
    }

    /// Takes it back.
    package func giveBack(_ run: RTMPChunkCursor, _ direction: Direction) {
        readers.giveBack(run, isClient: direction == .clientToServer)
    }
}

/// The chunk readers of both sides, and what they share.
struct RTMPReaders {
    var connection: RTMPConnection
    var client: RTMPChunkReader
    var server: RTMPChunkReader
    /// Whether it is certain that what is said is not encrypted.
    var isPlain = false

    init(_ flow: FlowContext) {
        connection = RTMPConnection(
            budget: flow.messageBudget, limits: flow.limitsReference, startsLate: flow.startsLate)
        client = RTMPChunkReader(isClient: true, limits: flow.limitsReference, keepsMedia: flow.keepsMedia)
        server = RTMPChunkReader(isClient: false, limits: flow.limitsReference, keepsMedia: flow.keepsMedia)
        client.position = UInt64(RTMPHandshake.octets)
        server.position = UInt64(RTMPHandshake.octets)
    }

    /// Takes octets as long as they can be read; returns how many were used.
    mutating func read(
        _ bytes: RawSpan, from start: Int, isClient: Bool, isCut: Bool, stopsAtFrames: Bool = false, _ outlet: Outlet
    ) -> Int {
        isClient
            ? client.read(bytes, from: start, isCut: isCut, stopsAtFrames: stopsAtFrames, outlet, &connection)
            : server.read(bytes, from: start, isCut: isCut, stopsAtFrames: stopsAtFrames, outlet, &connection)
    }

    /// Passes over octets that are missing.
    mutating func gap(_ octets: Int, isClient: Bool, _ outlet: Outlet) {
        if isClient { client.gap(octets, outlet, &connection) } else { server.gap(octets, outlet, &connection) }
    }

    /// Tells what is known of the messages at hand of a side, and forgets them, and where its chunks begin.
    mutating func giveUp(isClient: Bool, _ outlet: Outlet, isEnd: Bool = false) {
        if isClient {
            client.giveUp(outlet, &connection, isEnd: isEnd)
        } else {
            server.giveUp(outlet, &connection, isEnd: isEnd)
        }
    }

    mutating func read(_ bytes: RawSpan, from start: Int, isClient: Bool, _ outlet: Outlet) -> RTMPSides.Stop {
        let used = read(bytes, from: start, isClient: isClient, isCut: false, stopsAtFrames: true, outlet)
        return RTMPSides.Stop(offset: start &+ used, frame: isClient ? client.frame : server.frame)
    }

    mutating func tell(isClient: Bool, end: Int, _ outlet: Outlet) {
        if isClient {
            client.complete(end, client.position, outlet, &connection)
        } else {
            server.complete(end, server.position, outlet, &connection)
        }
    }

    mutating func forget(isClient: Bool) {
        if isClient { client.forget(connection.budget) } else { server.forget(connection.budget) }
    }

    mutating func giveBack(_ run: RTMPChunkCursor, isClient: Bool) {
        if isClient { client.giveBack(run) } else { server.giveBack(run) }
    }
}
