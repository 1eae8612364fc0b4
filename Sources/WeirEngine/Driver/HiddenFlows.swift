import WeirPackets

/// The encrypted connections of unknown purpose, the most recent ones, and the hosts of sessions.
struct HiddenFlows {
    /// A connection, and what is needed to report it. Its opening is parsed only then: nearly all TLS is unrelated.
    struct Entry {
        let type: any Dissector.Type
        let state: FlowState
        let moment: EventContext
        let opening: [UInt8]
        /// Whether the opening is one segment.
        let isInFrame: Bool
        fileprivate var isShown = false

        init(
            _ type: any Dissector.Type, _ state: FlowState, _ moment: EventContext, _ opening: [UInt8], isInFrame: Bool
        ) {
            (self.type, self.state, self.moment) = (type, state, moment)
            (self.opening, self.isInFrame) = (opening, isInFrame)
        }
    }

    private static let most = 64
    private static let mostHosts = 1_024

    /// The connections; `oldest` is the index of the oldest one.
    private var recent: [Entry] = []
    private var oldest = 0
    /// The randomly seeded hashes of the hosts.
    private var hosts: Set<Int> = []

    /// The connections, oldest first.
    var entries: [Entry] { Array(recent[oldest...] + recent[..<oldest]) }

    /// Returns the protocols of a reported connection whose state the driver no longer keeps.
    func protocolNames(ofFlow id: Int) -> [String] {
        recent.first { $0.isShown && $0.state.id == id }?.state.protocolNames ?? []
    }

    /// Adds a connection. Returns it if it leads to the host of a session.
    mutating func add(_ entry: consuming Entry) -> Entry? {
        let isShown = !hosts.isEmpty && hosts.contains(entry.state.server.address.hashValue)
        entry.isShown = isShown
        var place = recent.count
        if place < Self.most {
            recent.append(entry)
        } else {
            place = oldest
            recent[place] = entry
            oldest = (oldest + 1) % Self.most
        }
        return isShown ? recent[place] : nil
    }

    /// Records the hosts of a session's flow. Returns the connections to them that were not reported.
    mutating func insert(_ one: IPAddress, _ other: IPAddress) -> [Entry] {
        guard hosts.count < Self.mostHosts else { return [] }
        let isFirst = hosts.insert(one.hashValue).inserted
        guard hosts.insert(other.hashValue).inserted || isFirst else { return [] }
        var found: [Entry] = []
        for index in Array(oldest..<recent.count) + Array(0..<oldest) where !recent[index].isShown {
            let server = recent[index].state.server.address
            guard server == one || server == other else { continue }
            recent[index].isShown = true
            found.append(recent[index])
        }
        return found
    }
}
