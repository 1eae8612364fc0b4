import WeirPackets

/// The peers that a client may send to through a relay, as seen on one connection (RFC 8656 §9, §12).
///
/// A pending permission counts as granted, since it usually is by the time the packet arrives.
struct RelayPermissions {
    /// A pending request.
    private struct Asked {
        var id: STUNTransaction
        var peers: [IPAddress]
    }

    private var asked: [Asked] = []
    private var permitted: Set<IPAddress> = []
    /// Peers without a permission that were reported.
    private var refused: Set<IPAddress> = []
    /// Whether the state is complete: the allocation was captured, and every request since.
    private var isKnown = false
    private let most: Int

    init(most: Int) { self.most = most }

    /// Discards the state after missing octets, which may contain requests.
    mutating func forget() {
        isKnown = false
        asked = []
        permitted = []
    }

    /// Tracks requests and responses, and sets whether the peer of a packet has a permission.
    ///
    /// - Returns: Whether there was room for the message's peers.
    mutating func follow(_ message: inout STUNMessage) -> Bool {
        switch (message.messageClass, message.method) {
        case (.success, 0x003): isKnown = true
        case (.request, 0x008), (.request, 0x009): return ask(message)
        case (.success, 0x008), (.success, 0x009):
            guard let index = asked.lastIndex(where: { $0.id == message.transaction }) else {
                // The request, which contains the peers, was not captured.
                forget()
                return true
            }
            let request = asked.remove(at: index)
            return permit(request.peers)
        case (.error, _): asked.removeAll { $0.id == message.transaction }
        case (.indication, 0x006): message.hasPermission = judge(message.peerAddress?.address)
        default: break
        }
        return true
    }

    private mutating func ask(_ message: STUNMessage) -> Bool {
        let peers = message.attributes.prefix(most).compactMap { attribute -> IPAddress? in
            guard attribute.type == 0x0012, case .endpoint(let peer) = attribute.value else { return nil }
            return peer.address
        }
        guard asked.count < most else {
            forget()
            return false
        }
        if !asked.contains(where: { $0.id == message.transaction }) {
            asked.append(Asked(id: message.transaction, peers: peers))
        }
        return true
    }

    private mutating func permit(_ peers: [IPAddress]) -> Bool {
        guard permitted.count &+ peers.count <= most else {
            forget()
            return false
        }
        permitted.formUnion(peers)
        return true
    }

    private mutating func judge(_ peer: IPAddress?) -> Bool? {
        guard isKnown, let peer else { return nil }
        if permitted.contains(peer) || asked.contains(where: { $0.peers.contains(peer) }) { return true }
        return refused.count < most && refused.insert(peer).inserted ? false : nil
    }
}
