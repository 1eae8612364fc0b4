package import WeirPackets

/// The hosts whose packets the capture contains in both directions, by interface.
///
/// At such a host, the response to a request would probably have been captured, too.
package final class TwoWayHosts {
    private var table = Lent(HostTable())

    /// Records the hosts of a flow with packets in both directions.
    func note(_ one: IPAddress, _ other: IPAddress, on interface: Int) {
        var taken = table.take()
        taken.note(one, other, on: interface)
        table.put(consume taken)
    }

    /// Whether an interface captured packets to and from a host.
    package func contains(_ address: IPAddress, on interface: Int) -> Bool {
        table.current.contains(address, on: interface)
    }
}

/// Randomly seeded hashes of hosts, open addressing. Nearly every flow enters its hosts here, and a `Set` takes several
/// times as long.
private struct HostTable {
    /// 64 bits each; 0 is a free place.
    private var hashes = [UInt64](repeating: 0, count: 64)
    private var count = 0
    private let seed = UInt64.random(in: .min ... .max)
    /// The maximum number of hosts; others count as seen in one direction.
    private static let most = 65_536

    mutating func note(_ one: IPAddress, _ other: IPAddress, on interface: Int) {
        insert(hash(one, interface))
        insert(hash(other, interface))
    }

    func contains(_ address: IPAddress, on interface: Int) -> Bool {
        let hash = hash(address, interface)
        return hashes[place(of: hash)] == hash
    }

    private func hash(_ address: IPAddress, _ interface: Int) -> UInt64 {
        max(1, address.hash(seed: seed &+ UInt64(truncatingIfNeeded: interface)))
    }

    /// Returns the place of a hash, or the free place where it belongs.
    private func place(of hash: UInt64) -> Int {
        let mask = hashes.count &- 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while hashes[place] != 0, hashes[place] != hash { place = (place &+ 1) & mask }
        return place
    }

    private mutating func insert(_ hash: UInt64) {
        let free = place(of: hash)
        guard hashes[free] == 0, count < Self.most else { return }
        hashes[free] = hash
        count &+= 1
        guard count &* 2 > hashes.count else { return }
        let former = hashes
        hashes = [UInt64](repeating: 0, count: former.count &* 2)
        for hash in former where hash != 0 { hashes[place(of: hash)] = hash }
    }
}
