package import WeirPackets

/// The hosts whose packets the capture contains in both directions, by interface.
///
/// At such a host, the response to a request would probably have been captured, too.
package final class TwoWayHosts {
    private struct Place: Hashable {
        let address: IPAddress
        let interface: Int
    }

    private var places: Set<Place> = []
    /// The maximum number of hosts; others count as seen in one direction.
    private static let most = 65_536

    /// Records the hosts of a flow with packets in both directions.
    func note(_ one: IPAddress, _ other: IPAddress, on interface: Int) {
        for address in [one, other] where places.count < Self.most {
            places.insert(Place(address: address, interface: interface))
        }
    }

    /// Whether an interface captured packets to and from a host.
    package func contains(_ address: IPAddress, on interface: Int) -> Bool {
        places.contains(Place(address: address, interface: interface))
    }
}
