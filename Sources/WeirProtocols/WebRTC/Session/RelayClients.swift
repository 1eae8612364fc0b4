import WeirEngine
import WeirPackets

/// The open sessions that so far consist only of exchanges with TURN servers, by the client's host; a new call may
/// belong to one of them.
final class RelayClients: SharedState {
    /// The sessions of one host.
    private struct Host {
        /// The number of open sessions.
        var count = 0
        /// Some of them, latest last.
        var latest: [Session] = []
    }

    /// The maximum number of sessions of one host that are considered.
    private static let mostLatest = 8
    private let most: Int
    private var count = 0
    private var hosts: [IPAddress: Host] = [:]
    private var places: [Int: IPAddress] = [:]

    /// Limits sessions of this kind to half of all, so that a flood of requests does not evict others.
    init(_ outlet: SessionOutlet) { most = outlet.limits.sessions / 2 }

    /// Whether another session may start with a TURN request.
    var isWithinLimit: Bool { count < most }

    /// Adds a session of a client on a host.
    func add(_ session: Session, on host: IPAddress) {
        guard places.updateValue(host, forKey: session.id) == nil else { return }
        count += 1
        var known = hosts[host] ?? Host()
        known.count += 1
        known.latest.append(session)
        if known.latest.count > Self.mostLatest { known.latest.removeFirst() }
        hosts[host] = known
    }

    /// Removes a session that has ended, or has become a call.
    func remove(_ session: Session) {
        guard let host = places.removeValue(forKey: session.id), var known = hosts[host] else { return }
        count -= 1
        known.count -= 1
        known.latest.removeAll { $0 === session }
        hosts[host] = known.count > 0 ? known : nil
    }

    /// Returns the latest sessions of a host, in reverse order.
    func latest(on host: IPAddress) -> [Session] { hosts[host]?.latest.reversed() ?? [] }

    /// Returns the session of a host that has exactly one.
    func only(on host: IPAddress) -> Session? {
        guard let known = hosts[host], known.count == 1 else { return nil }
        return known.latest.first
    }
}
