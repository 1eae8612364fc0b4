import WeirEngine
import WeirPackets

/// Counts the frames of a segment in their session, without messages.
struct RTMPFrameCounting {
    /// What became of a frame.
    enum Outcome {
        /// It only changed figures.
        case counted
        /// It was not counted, and is to be reported like any other message.
        case uncounted
        /// It was counted, and changed more: reading stops.
        case changed
    }

    let session: RTMPSession
    /// The sender.
    let direction: Direction
    /// The time and number of the capture frame.
    let time: Timestamp
    let frame: Int
    /// The octets that the side sent before the segment, and those that the other side sent.
    let sent: Int
    let other: Int
    /// What the last frame changed, and in which track. It is emitted later: nothing may be while packets take the fast
    /// path.
    private(set) var changed: (track: Int, changes: RTMPTrack.Changes)?

    init(session: RTMPSession, direction: Direction, time: Timestamp, frame: Int, sent: Int, other: Int) {
        self.session = session
        self.direction = direction
        self.time = time
        self.frame = frame
        self.sent = sent
        self.other = other
    }

    /// Counts a frame that ends at an offset in the segment.
    mutating func count(_ message: RTMPFrame, end: Int) -> Outcome {
        guard
            let (track, changes) = session.count(
                message, direction, time, frame: frame, sent: sent &+ end, other: other)
        else { return .uncounted }
        guard !changes.isEmpty else { return .counted }
        changed = (track, changes)
        return .changed
    }
}

extension RTMPSides {
    /// Reads like the dissector after returning a cursor, and counts the frames.
    ///
    /// - Parameter run: The borrowed cursor; the one borrowed again if all octets were read and nothing was reported, else
    ///   an empty one.
    /// - Returns: The number of octets read, and whether a cursor was borrowed.
    func read(
        _ bytes: RawSpan, _ direction: Direction, returning run: inout RTMPChunkCursor, _ outlet: Outlet,
        _ counting: inout RTMPFrameCounting
    ) -> (used: Int, isBorrowed: Bool) {
        update { readers in
            direction == .clientToServer
                ? readers.client.readFrames(
                    bytes, returning: &run, isPlain: readers.isPlain, outlet, &readers.connection, &counting)
                : readers.server.readFrames(
                    bytes, returning: &run, isPlain: readers.isPlain, outlet, &readers.connection, &counting)
        }
    }
}

extension RTMPChunkReader {
    /// Reads the messages of this side, as `RTMPSides.read` does.
    @inline(never)
    fileprivate mutating func readFrames(
        _ bytes: RawSpan, returning run: inout RTMPChunkCursor, isPlain: Bool, _ outlet: Outlet,
        _ connection: inout RTMPConnection, _ counting: inout RTMPFrameCounting
    ) -> (used: Int, isBorrowed: Bool) {
        returnBorrowed(run)
        run = RTMPChunkCursor()
        guard isPlain, hasSentData else { return (0, false) }
        var offset = read(bytes, from: 0, isCut: false, stopsAtFrames: true, outlet, &connection)
        while let frame {
            switch counting.count(frame, end: offset) {
            case .counted: forget(connection.budget)
            case .uncounted: complete(offset, position, outlet, &connection)
            case .changed:
                forget(connection.budget)
                return (offset, false)
            }
            offset &+= read(bytes, from: offset, isCut: false, stopsAtFrames: true, outlet, &connection)
        }
        guard offset == bytes.byteCount, !outlet.hasItems else { return (offset, false) }
        run = borrow(isPlain: isPlain)
        return (offset, true)
    }
}
