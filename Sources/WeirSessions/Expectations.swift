import WeirDissectors
import WeirPackets

/// The flows that were announced: which protocol, why, and for which part of which session.
///
/// An announcement names one end of a flow, and often both. It stays until its session ends, since a stream may begin
/// again from another port.
struct Expectations {
    /// An announced flow, and what it is for.
    struct Entry {
        var expectation: Expectation
        /// The session and medium it is for; nil when another dissector announced it.
        var link: MediaLink?
    }

    private var entries: [Endpoint: [Entry]] = [:]
    private var count = 0
    private let limit: Int
    /// Grows with every announcement, so that a flow looked up in vain is looked up again only when there is news.
    private(set) var generation = 0
    /// Announcements dropped because there were too many.
    private(set) var dropped = 0

    init(limit: Int) {
        self.limit = limit
    }

    mutating func add(_ expectation: Expectation, link: MediaLink?) {
        guard count < limit else {
            dropped += 1
            return
        }
        var list = entries[expectation.endpoint] ?? []
        let before = list.count
        // The same medium announced again (a repeated SETUP) replaces the former announcement.
        list.removeAll { $0.link?.session === link?.session && $0.expectation.peer == expectation.peer }
        list.append(Entry(expectation: expectation, link: link))
        count += list.count - before
        entries[expectation.endpoint] = list
        generation += 1
    }

    /// The announcement that a flow between `one` and `other` fulfils: the newest, and one that names both ends first.
    func match(_ one: Endpoint, _ other: Endpoint) -> Entry? {
        guard !entries.isEmpty else { return nil }
        return best(at: one, peer: other) ?? best(at: other, peer: one)
    }

    private func best(at endpoint: Endpoint, peer: Endpoint) -> Entry? {
        guard let list = entries[endpoint] else { return nil }
        return list.last { $0.expectation.peer == peer }
            ?? list.last { $0.expectation.peer == nil || $0.expectation.peer?.address == peer.address }
    }

    /// Forgets what a session announced.
    mutating func remove(session: Session, endpoints: [Endpoint]) {
        for endpoint in endpoints {
            guard var list = entries[endpoint] else { continue }
            let before = list.count
            list.removeAll { $0.link?.session === session }
            count -= before - list.count
            entries[endpoint] = list.isEmpty ? nil : list
        }
    }
}

/// Ties a flow, or a channel of one, to a medium of a session.
struct MediaLink {
    /// The session that set the medium up.
    let session: RTSPSession
    /// Which of the session's setups.
    let setup: Int
}
