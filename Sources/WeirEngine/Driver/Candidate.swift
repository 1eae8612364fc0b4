import WeirPackets

/// A dissector that may be probed for a flow. Dissectors that usually use the flow's port are probed first.
struct Candidate {
    let type: any Dissector.Type
    private let ports: [UInt16]

    init(_ type: any Dissector.Type) {
        self.type = type
        ports = type.descriptor.ports
    }

    /// Whether the port of either endpoint is usual for the dissector.
    func usesPort(_ state: FlowState) -> Bool {
        let (server, client) = (state.server.port, state.client.port)
        for port in ports where port == server || port == client { return true }
        return false
    }
}
