import WeirPackets

/// A dissector that may be asked whether a flow is its own. Those that usually have the flow's port are asked first.
struct Candidate {
    let type: any Dissector.Type
    private let ports: [UInt16]

    init(_ type: any Dissector.Type) {
        self.type = type
        ports = type.descriptor.ports
    }

    /// Whether the port of either side is usual.
    func usesPort(_ state: FlowState) -> Bool {
        let (server, client) = (state.server.port, state.client.port)
        for port in ports where port == server || port == client { return true }
        return false
    }
}
