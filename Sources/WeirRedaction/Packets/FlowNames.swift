import WeirPackets

/// The two endpoints of a flow, in either direction.
package struct EndpointPair: Hashable, Sendable {
    let one: Endpoint
    let other: Endpoint
    let isTCP: Bool

    package init(_ source: Endpoint, _ destination: Endpoint, isTCP: Bool) {
        let isFirst =
            (source.address.high, source.address.low, source.port)
            <= (destination.address.high, destination.address.low, destination.port)
        one = isFirst ? source : destination
        other = isFirst ? destination : source
        self.isTCP = isTCP
    }
}

/// One direction of a flow.
struct FlowDirection: Hashable, Sendable {
    let source: Endpoint
    let destination: Endpoint
}
