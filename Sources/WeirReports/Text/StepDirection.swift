import WeirEngine
import WeirPackets

extension SessionReference {
    /// Whether a step is sent from the side of the session's client: its flows may have been opened by either side, and
    /// an arrow has the same meaning in all of them.
    func isForward(_ direction: Direction, from source: Endpoint, to destination: Endpoint) -> Bool {
        guard client.address != server.address else { return direction == .clientToServer }
        if source.address == client.address || destination.address == server.address { return true }
        if source.address == server.address || destination.address == client.address { return false }
        return direction == .clientToServer
    }
}
