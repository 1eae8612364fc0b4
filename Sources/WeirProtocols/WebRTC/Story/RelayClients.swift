import WeirEngine
import WeirPackets

/// The open sessions that consist of exchanges with TURN servers so far, by the client's host: a call that begins may be
/// theirs.
final class RelayClients: SharedState {
    /// The sessions of one host.
    private struct Host {
        /// How many are open.
        var count = 0
        /// Some of them, latest last.
        var latest: [Session] = []
    }

    /// Sessions of one host that are looked at.
    private static let mostLatest = 8
    private let most: Int
    private var count = 0
    private var hosts: [IPAddress: Host] = [:]
    private var places: [Int: IPAddress] = [:]

    /// Half of all sessions may be of this kind: a flood of requests must not end what else is followed.
    init(_ outlet: StoryOutlet) { most = outlet.limits.sessions / 2 }

    /// Whether another session may begin with a request to a relay.
    var hasRoom: Bool { count < most }

    /// Takes note of a session that a client on this host began.
    func add(_ session: Session, on host: IPAddress) {
        guard places.updateValue(host, forKey: session.id) == nil else { return }
        count += 1
        var known = hosts[host] ?? Host()
        known.count += 1
        known.latest.append(session)
        if known.latest.count > Self.mostLatest { known.latest.removeFirst() }
        hosts[host] = known
    }

    /// A session is over, or turned out to be a call.
    func remove(_ session: Session) {
        guard let host = places.removeValue(forKey: session.id), var known = hosts[host] else { return }
        count -= 1
        known.count -= 1
        known.latest.removeAll { $0 === session }
        hosts[host] = known.count > 0 ? known : nil
    }

    /// The latest sessions of a host, the last one first.
    func latest(on host: IPAddress) -> [Session] { hosts[host]?.latest.reversed() ?? [] }

    /// The only session of a host.
    func only(on host: IPAddress) -> Session? {
        guard let known = hosts[host], known.count == 1 else { return nil }
        return known.latest.first
    }
}
