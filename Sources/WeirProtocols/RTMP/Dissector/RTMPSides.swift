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

    @inline(__always)
    private func update<Result>(_ body: (inout RTMPReaders) -> Result) -> Result {
        var taken = list.take()
        let result = body(&taken[0])
        list.put(consume taken)
        return result
    }

    /// What became of a frame.
    package enum Counted {
        /// It only changed figures.
        case counted
        /// It was not counted, and is to be reported like any other message.
        case uncounted
        /// It was counted, and changed more: reading stops.
        case changed
    }

    /// Reads like the dissector after returning a cursor, and passes the frames to `count` with their ends. `count` must not
    /// use this object, which is being changed.
    ///
    /// - Returns: The number of octets read, and the cursor borrowed again if that is all and nothing was reported.
    package func read(
        _ bytes: RawSpan, _ direction: Direction, returning run: RTMPChunkCursor, _ outlet: Outlet,
        _ count: (RTMPFrame, Int) -> Counted
    ) -> (used: Int, borrowed: RTMPChunkCursor?) {
        update { readers in
            let isClient = direction == .clientToServer
            if run.passed > 0 { readers.returnBorrowed(run, isClient: isClient) }
            guard readers.isReady(isClient: isClient) else { return (0, nil) }
            var stop = readers.read(bytes, from: 0, isClient: isClient, outlet)
            while let frame = stop.frame {
                switch count(frame, stop.offset) {
                case .counted: readers.forget(isClient: isClient)
                case .uncounted: readers.emit(isClient: isClient, end: stop.offset, outlet)
                case .changed:
                    readers.forget(isClient: isClient)
                    return (stop.offset, nil)
                }
                stop = readers.read(bytes, from: stop.offset, isClient: isClient, outlet)
            }
            let isAll = stop.offset == bytes.byteCount && !outlet.hasItems
            return (stop.offset, isAll ? readers.borrow(isClient: isClient) : nil)
        }
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
    /// Where reading stopped.
    struct Stop {
        /// The offset.
        var offset: Int
        /// The unreported frame it stopped after, or nil.
        var frame: RTMPFrame?
    }

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

    mutating func read(_ bytes: RawSpan, from start: Int, isClient: Bool, _ outlet: Outlet) -> Stop {
        let used = read(bytes, from: start, isClient: isClient, isCut: false, stopsAtFrames: true, outlet)
        return Stop(offset: start &+ used, frame: isClient ? client.frame : server.frame)
    }

    mutating func emit(isClient: Bool, end: Int, _ outlet: Outlet) {
        if isClient {
            client.complete(end, client.position, outlet, &connection)
        } else {
            server.complete(end, server.position, outlet, &connection)
        }
    }

    mutating func forget(isClient: Bool) {
        if isClient { client.forget(connection.budget) } else { server.forget(connection.budget) }
    }

    // Mutating, so that the large value is accessed in place.

    mutating func isReady(isClient: Bool) -> Bool { isPlain && (isClient ? client.hasSentData : server.hasSentData) }

    mutating func borrow(isClient: Bool) -> RTMPChunkCursor {
        guard isReady(isClient: isClient) else { return RTMPChunkCursor() }
        return isClient ? client.borrow() : server.borrow()
    }

    mutating func returnBorrowed(_ run: RTMPChunkCursor, isClient: Bool) {
        if isClient { client.returnBorrowed(run) } else { server.returnBorrowed(run) }
    }
}
