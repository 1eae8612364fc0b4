import WeirPackets

/// The open sessions, by number; those that may be over soon are known without a look at the others.
struct SessionList {
    private var open: [Int: Session] = [:]
    /// Those whose last connection is gone.
    private var closing: Set<Int> = []
    /// Those of which nothing is doubted for want of packets that were dropped: of drops that come again and again only the
    /// first concerns a session.
    private var undoubted: Set<Int> = []
    /// No open session has a lower number.
    private var lowest = 1
    /// No open session with a lower number was without media when it was looked at.
    private var lowestWithoutMedia = 1
    /// How many there ever were.
    private(set) var last = 0

    var count: Int { open.count }
    /// Whether any may be over soon.
    var isClosing: Bool { !closing.isEmpty }
    /// All, in order.
    var all: [Session] { open.values.sorted { $0.id < $1.id } }
    /// Those whose last connection is gone, in order.
    var allClosing: [Session] { closing.sorted().compactMap { open[$0] } }

    /// The number of the next session.
    mutating func next() -> Int {
        last += 1
        return last
    }

    mutating func insert(_ session: Session) {
        open[session.id] = session
        undoubted.insert(session.id)
    }

    /// Those that began since this was last asked, and are still open.
    mutating func takeUndoubted() -> [Session] {
        defer { undoubted.removeAll(keepingCapacity: true) }
        return undoubted.compactMap { open[$0] }
    }

    /// The one to give way: of those without media the one that began first, so that a flood of beginnings does not end what
    /// is followed; else the one that began first of all.
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

    /// Removes all; the next one is numbered as if they were there.
    mutating func removeAll() {
        open = [:]
        undoubted = []
        closing = []
    }

    /// The last connection of a session is gone, or another has come.
    mutating func close(_ session: Session, at time: Timestamp?) {
        session.closedAt = time
        if time == nil || open[session.id] == nil { closing.remove(session.id) } else { closing.insert(session.id) }
    }
}
