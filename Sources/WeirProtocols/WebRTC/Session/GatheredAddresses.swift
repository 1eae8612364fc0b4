import WeirEngine
import WeirPackets

/// The mapped and relayed addresses that clients received before their call was known.
final class GatheredAddresses: SharedState {
    private let limit: Int
    private var relayed: [Int: Endpoint] = [:]
    private var mapped: [Endpoint: [Endpoint]] = [:]
    /// The maximum number of mapped addresses of one client, which may query several servers.
    private static let mostMapped = 8

    init(_ outlet: SessionOutlet) { limit = outlet.limits[WebRTCLimits.self].gathered }

    /// Records the addresses in a response to a flow's client.
    func note(_ message: STUNMessage, on flow: FlowState, _ outlet: SessionOutlet) {
        if let address = message.relayedAddress {
            if relayed.count < limit || relayed[flow.id] != nil {
                relayed[flow.id] = address
            } else {
                outlet.reach("limit.gathered")
            }
        }
        // Gathering precedes all checks.
        guard let address = message.mappedAddress, message.relay == nil else { return }
        let known = mapped[flow.client]
        guard known != nil || mapped.count < limit else { return outlet.reach("limit.gathered") }
        if known?.contains(address) != true, known?.count ?? 0 < Self.mostMapped {
            mapped[flow.client, default: []].append(address)
        }
    }

    /// The relayed address allocated on a flow.
    subscript(flow: Int) -> Endpoint? { relayed[flow] }

    /// The direction in which a relay's client sends: away from the well-known port.
    func relayClient(of flow: FlowState) -> Direction {
        STUN.ports.contains(flow.client.port) && !STUN.ports.contains(flow.server.port)
            ? .serverToClient : .clientToServer
    }

    /// Returns the mapped addresses of a client's endpoint.
    func mapped(from endpoint: Endpoint) -> [Endpoint] { mapped[endpoint] ?? [] }
}
