import WeirEngine
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
    /// Servers' ends of media of which the other end may be another than was said, by the server's end.
    private var open: [Endpoint: [Entry]] = [:]
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
        // Taken out while it is changed: a list that is in the table, too, would be copied, and servers that send all media
        // from one port make it long.
        var list = entries.removeValue(forKey: expectation.endpoint) ?? []
        let before = list.count
        // The same medium announced again (a repeated SETUP) replaces the former announcement.
        list.removeAll { $0.link?.session === link?.session && $0.expectation.peer == expectation.peer }
        list.append(Entry(expectation: expectation, link: link))
        count += list.count - before
        entries[expectation.endpoint] = list
        generation += 1
    }

    /// Announces the server's end of a flow whose other end has the address of `peer`, the port of which is not known or
    /// may be changed on the way (NAT).
    mutating func addOpen(_ expectation: Expectation, link: MediaLink) {
        guard count < limit else {
            dropped += 1
            return
        }
        var list = open.removeValue(forKey: expectation.endpoint) ?? []
        let before = list.count
        list.removeAll { $0.link?.session === link.session && $0.link?.setup == link.setup }
        list.append(Entry(expectation: expectation, link: link))
        count += list.count - before
        open[expectation.endpoint] = list
        generation += 1
    }

    /// The announcement that a flow between `one` and `other` fulfils: the newest, and one that names both ends first.
    /// Who is told to listen at a port hears whoever sends there: the sender's address may be another than was said.
    func match(_ one: Endpoint, _ other: Endpoint) -> Entry? {
        guard !entries.isEmpty else { return nil }
        return best(at: one, peer: other) ?? best(at: other, peer: one) ?? entries[one]?.last ?? entries[other]?.last
    }

    private func best(at endpoint: Endpoint, peer: Endpoint) -> Entry? {
        guard let list = entries[endpoint] else { return nil }
        return list.last { $0.expectation.peer == peer }
            ?? list.last { $0.expectation.peer == nil || $0.expectation.peer?.address == peer.address }
    }

    /// The announcement of the server's end alone that a flow fulfils, and the end that was not announced. Only one that
    /// nothing else is expected for: servers may send all media from one port.
    ///
    /// - Parameter start: when the flow began; what began before the answer to SETUP is something else.
    mutating func takeOpen(
        _ one: Endpoint, _ other: Endpoint, start: Timestamp
    ) -> (entry: Entry, peer: Endpoint)? {
        takeOpen(at: one, peer: other, start) ?? takeOpen(at: other, peer: one, start)
    }

    private mutating func takeOpen(
        at endpoint: Endpoint, peer: Endpoint, _ start: Timestamp
    ) -> (entry: Entry, peer: Endpoint)? {
        guard let list = open[endpoint] else { return nil }
        let fitting = list.filter {
            $0.expectation.peer?.address == peer.address && ($0.link?.answerTime ?? start) <= start
        }
        guard let entry = fitting.first, fitting.count == 1, let link = entry.link else { return nil }
        close(endpoint, link)
        return (entry, peer)
    }

    /// Both ends of a flow are known now.
    mutating func close(_ endpoint: Endpoint, _ link: MediaLink) {
        guard var list = open.removeValue(forKey: endpoint) else { return }
        let before = list.count
        list.removeAll { $0.link?.session === link.session && $0.link?.setup == link.setup }
        count -= before - list.count
        if !list.isEmpty { open[endpoint] = list }
    }

    /// Forgets what a session announced.
    mutating func remove(session: Session, endpoints: [Endpoint]) {
        for endpoint in endpoints {
            count -= Self.remove(session, endpoint, &entries) + Self.remove(session, endpoint, &open)
        }
    }

    private static func remove(_ session: Session, _ endpoint: Endpoint, _ table: inout [Endpoint: [Entry]]) -> Int {
        guard var list = table.removeValue(forKey: endpoint) else { return 0 }
        let before = list.count
        list.removeAll { $0.link?.session === session }
        if !list.isEmpty { table[endpoint] = list }
        return before - list.count
    }
}

/// Ties a flow, or a channel of one, to a medium of a session.
struct MediaLink {
    /// The session that set the medium up.
    let session: RTSPSession
    /// Which of the session's setups.
    let setup: Int
    /// When SETUP was answered.
    var answerTime: Timestamp { session.setups[setup].answerTime }
}
