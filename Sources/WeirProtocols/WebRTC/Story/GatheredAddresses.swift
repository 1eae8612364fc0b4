import WeirEngine
import WeirPackets

/// The addresses that servers told clients, before anything showed for which call.
final class GatheredAddresses: SharedState {
    private let limit: Int
    private var relayed: [Int: Endpoint] = [:]
    private var mapped: [Endpoint: [Endpoint]] = [:]
    /// Addresses of one client that are kept: who asks several servers may be told several.
    private static let mostMapped = 8

    init(_ outlet: StoryOutlet) { limit = outlet.limits[WebRTCLimits.self].gathered }

    /// Takes note of what an answer tells a flow's client.
    func note(_ message: STUNMessage, on flow: FlowState, _ outlet: StoryOutlet) {
        if let address = message.relayedAddress {
            if relayed.count < limit || relayed[flow.id] != nil {
                relayed[flow.id] = address
            } else {
                outlet.reach("limit.gathered")
            }
        }
        // Who gathers asks before anybody checks.
        guard let address = message.mappedAddress, message.relay == nil else { return }
        let known = mapped[flow.client]
        guard known != nil || mapped.count < limit else { return outlet.reach("limit.gathered") }
        if known?.contains(address) != true, known?.count ?? 0 < Self.mostMapped {
            mapped[flow.client, default: []].append(address)
        }
    }

    /// The address that a relay gave on a flow.
    subscript(flow: Int) -> Endpoint? { relayed[flow] }

    /// The direction in which a relay's client sends: away from the port that relays have.
    func relayClient(of flow: FlowState) -> Direction {
        STUN.ports.contains(flow.client.port) && !STUN.ports.contains(flow.server.port)
            ? .serverToClient : .clientToServer
    }

    /// From where servers saw packets of a client's endpoint come.
    func mapped(from endpoint: Endpoint) -> [Endpoint] { mapped[endpoint] ?? [] }
}
