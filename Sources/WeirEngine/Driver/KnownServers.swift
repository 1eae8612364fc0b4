import WeirPackets

/// The clients and servers with a connection whose carried messages were recognized, the most recent ones: other
/// connections between them continue the conversation.
struct KnownServers {
    private struct Pair: Hashable {
        let client: IPAddress
        let server: Endpoint
    }

    private static let most = 64
    private var pairs: [Pair] = []

    func contains(client: IPAddress, _ server: Endpoint) -> Bool {
        !pairs.isEmpty && pairs.contains(Pair(client: client, server: server))
    }

    mutating func add(client: IPAddress, _ server: Endpoint) {
        let pair = Pair(client: client, server: server)
        guard !pairs.contains(pair) else { return }
        if pairs.count >= Self.most { pairs.removeFirst() }
        pairs.append(pair)
    }
}
