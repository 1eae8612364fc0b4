import WeirPackets

/// Whom a client may send to over a relay, as one connection has shown (RFC 8656 §9, §12).
///
/// A permission that is asked for already will mostly be granted before the packet comes there.
struct RelayPermissions {
    /// A request that waits for its answer.
    private struct Asked {
        var id: STUNTransaction
        var peers: [IPAddress]
    }

    private var asked: [Asked] = []
    private var permitted: Set<IPAddress> = []
    /// Peers without a permission, of which that was said.
    private var refused: Set<IPAddress> = []
    /// Whether the connection shows all that is needed: the allocation, and what was asked for since.
    private var isKnown = false
    private let most: Int

    init(most: Int) { self.most = most }

    /// Octets are missing: what was asked for in them is not known.
    mutating func forget() {
        isKnown = false
        asked = []
        permitted = []
    }

    /// Follows what is asked for and granted, and says of a packet for a peer whether it may pass.
    ///
    /// - Returns: whether there was room for what the message says.
    mutating func follow(_ message: inout STUNMessage) -> Bool {
        switch (message.messageClass, message.method) {
        case (.success, 0x003): isKnown = true
        case (.request, 0x008), (.request, 0x009): return ask(message)
        case (.success, 0x008), (.success, 0x009):
            guard let index = asked.lastIndex(where: { $0.id == message.transaction }) else {
                // Whom the capture does not say.
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
