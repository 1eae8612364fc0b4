/// The endpoints of a flow in canonical order, the same for both directions. Encapsulations are ignored: the same packets may be
/// captured with and without a tag.
package struct EndpointPair: Hashable, Sendable {
    /// TCP or UDP.
    package let transport: TransportProtocol
    private let first: Endpoint
    private let second: Endpoint

    /// Creates the pair of a packet's or flow's endpoints, in either order.
    package init(_ transport: TransportProtocol, _ one: Endpoint, _ other: Endpoint) {
        self.transport = transport
        let isOrdered =
            (one.address.high, one.address.low, UInt64(one.port))
            <= (other.address.high, other.address.low, UInt64(other.port))
        (first, second) = isOrdered ? (one, other) : (other, one)
    }
}
