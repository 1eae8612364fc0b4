import WeirEngine
package import WeirPackets

/// The state of both sides of a connection after the handshake, shared by the dissector and the fast path, which skips
/// octets within messages.
///
/// A cursor obtained with `borrow` must be returned before that side is used otherwise.
package final class RTMPSides {
    // In an array, since the value is large: moving it out and back moves a reference.
    private var list: Lent<[RTMPReaders]>

    init(_ flow: FlowContext) {
        list = Lent([RTMPReaders(flow)])
    }

    var readers: RTMPReaders {
        get { list.current[0] }
        _modify {
            var taken = list.take()
            defer { list.put(taken) }
            yield &taken[0]
        }
    }

    /// Calls a function with the readers, in place.
    @inline(__always)
    func update<Result>(_ body: (inout RTMPReaders) -> Result) -> Result {
        var taken = list.take()
        let result = body(&taken[0])
        list.put(consume taken)
        return result
    }

    /// Returns the cursor of a side for skipping octets of the current message; an empty cursor if none may be skipped.
    package func borrow(_ direction: Direction) -> RTMPChunkCursor {
        update { $0.borrow(isClient: direction == .clientToServer) }
    }

    /// Returns a borrowed cursor.
    package func returnBorrowed(_ run: RTMPChunkCursor, _ direction: Direction) {
        update { $0.returnBorrowed(run, isClient: direction == .clientToServer) }
    }
}

/// The chunk readers of both sides and their shared state.
struct RTMPReaders {
    var connection: RTMPConnection
    var client: RTMPChunkReader
    var server: RTMPChunkReader
    /// Whether the data is known to be unencrypted.
    var isPlain = false

    init(_ flow: FlowContext) {
        connection = RTMPConnection(
            budget: flow.messageBudget, limits: flow.limitsReference, startsLate: flow.startsLate)
        client = RTMPChunkReader(isClient: true, limits: flow.limitsReference, keepsMedia: flow.keepsMedia)
        server = RTMPChunkReader(isClient: false, limits: flow.limitsReference, keepsMedia: flow.keepsMedia)
        client.position = UInt64(RTMPHandshake.octets)
        server.position = UInt64(RTMPHandshake.octets)
    }

    /// Processes octets as long as they can be parsed; returns the number consumed.
    mutating func read(
        _ bytes: RawSpan, from start: Int, isClient: Bool, isCut: Bool, stopsAtFrames: Bool = false, _ outlet: Outlet
    ) -> Int {
        isClient
            ? client.read(bytes, from: start, isCut: isCut, stopsAtFrames: stopsAtFrames, outlet, &connection)
            : server.read(bytes, from: start, isCut: isCut, stopsAtFrames: stopsAtFrames, outlet, &connection)
    }

    /// Skips missing octets.
    mutating func gap(_ octets: Int, isClient: Bool, _ outlet: Outlet) {
        if isClient { client.gap(octets, outlet, &connection) } else { server.gap(octets, outlet, &connection) }
    }

    /// Reports the incomplete messages of a side, discards them and loses synchronization.
    mutating func giveUp(isClient: Bool, _ outlet: Outlet, isEnd: Bool = false) {
        if isClient {
            client.giveUp(outlet, &connection, isEnd: isEnd)
        } else {
            server.giveUp(outlet, &connection, isEnd: isEnd)
        }
    }

    // Mutating, so that the large value is accessed in place.

    mutating func borrow(isClient: Bool) -> RTMPChunkCursor {
        isClient ? client.borrow(isPlain: isPlain) : server.borrow(isPlain: isPlain)
    }

    mutating func returnBorrowed(_ run: RTMPChunkCursor, isClient: Bool) {
        if isClient { client.returnBorrowed(run) } else { server.returnBorrowed(run) }
    }
}
