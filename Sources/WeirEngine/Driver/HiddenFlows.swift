import WeirPackets

/// The encrypted connections of unknown purpose, the most recent ones, and the hosts of sessions.
struct HiddenFlows {
    /// A connection, and what is needed to report it. Its opening is parsed only then: nearly all TLS is unrelated.
    struct Entry {
        let type: any Dissector.Type
        let flow: FlowContext
        /// The index of the flow in the table.
        let index: Int
        let moment: EventContext
        let opening: [UInt8]
        /// Whether the opening is one segment.
        let isInFrame: Bool
        /// The state of the flow, if it has one or the connection was reported.
        var state: FlowState?
        fileprivate(set) var isShown = false
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
        recent.first { $0.isShown && $0.flow.id == id }?.state?.protocolNames ?? []
    }

    /// The connection at a place that `add` or `insert` has returned.
    subscript(place: Int) -> Entry {
        get { recent[place] }
        set { recent[place] = newValue }
    }

    /// Adds a connection. Returns its place if it leads to the host of a session.
    mutating func add(_ entry: consuming Entry) -> Int? {
        let isShown = !hosts.isEmpty && hosts.contains(entry.flow.server.address.hashValue)
        entry.isShown = isShown
        var place = recent.count
        if place < Self.most {
            recent.append(consume entry)
        } else {
            place = oldest
            recent[place] = consume entry
            oldest = (oldest + 1) % Self.most
        }
        return isShown ? place : nil
    }

    /// Records the hosts of a session's flow. Returns the places of the connections to them that were not
    /// reported.
    mutating func insert(_ one: IPAddress, _ other: IPAddress) -> [Int] {
        guard hosts.count < Self.mostHosts else { return [] }
        let isFirst = hosts.insert(one.hashValue).inserted
        guard hosts.insert(other.hashValue).inserted || isFirst, !recent.isEmpty else { return [] }
        var found: [Int] = []
        for index in Array(oldest..<recent.count) + Array(0..<oldest) where !recent[index].isShown {
            let server = recent[index].flow.server.address
            guard server == one || server == other else { continue }
            recent[index].isShown = true
            found.append(index)
        }
        return found
    }
}
