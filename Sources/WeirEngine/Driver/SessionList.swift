import WeirPackets

/// The open sessions by number, with an index of those that may end soon.
struct SessionList {
    private var open: [Int: Session] = [:]
    /// Sessions whose last connection has ended.
    private var closing: Set<Int> = []
    /// Sessions not yet marked for packet drops; of repeated drops only the first concerns a session.
    private var undoubted: Set<Int> = []
    /// A lower bound for the numbers of open sessions.
    private var lowest = 1
    /// A lower bound for the numbers of open sessions without media.
    private var lowestWithoutMedia = 1
    /// The number of sessions created so far.
    private(set) var last = 0

    var count: Int { open.count }
    /// Whether any session may end soon.
    var isClosing: Bool { !closing.isEmpty }
    /// All sessions, in order.
    var all: [Session] { open.values.sorted { $0.id < $1.id } }
    /// Sessions whose last connection has ended, in order.
    var allClosing: [Session] { closing.sorted().compactMap { open[$0] } }

    /// Returns the number of a new session.
    mutating func next() -> Int {
        last += 1
        return last
    }

    mutating func insert(_ session: Session) {
        open[session.id] = session
        undoubted.insert(session.id)
    }

    /// Returns the open sessions that were added since the last call.
    mutating func takeUndoubted() -> [Session] {
        defer { undoubted.removeAll(keepingCapacity: true) }
        return undoubted.compactMap { open[$0] }
    }

    /// Returns the session to evict: the oldest without media, so that a flood of new sessions does not evict active
    /// ones, or else the oldest.
    mutating func oldest() -> Session? {
        guard !open.isEmpty else { return nil }
        while lowestWithoutMedia <= last {
            if let session = open[lowestWithoutMedia], session.streams.isEmpty { return session }
            lowestWithoutMedia += 1
        }
        while lowest <= last {
            if let session = open[lowest] { return session }
            lowest += 1
        }
        return nil
    }

    mutating func remove(_ session: Session) {
        open[session.id] = nil
        undoubted.remove(session.id)
        closing.remove(session.id)
    }

    /// Removes all sessions; numbering continues.
    mutating func removeAll() {
        open = [:]
        undoubted = []
        closing = []
    }

    /// Records that the last connection of a session ended at `time`, or that it has a new one if nil.
    mutating func close(_ session: Session, at time: Timestamp?) {
        session.controlFlows.closedAt = time
        if time == nil || open[session.id] == nil { closing.remove(session.id) } else { closing.insert(session.id) }
    }
}
