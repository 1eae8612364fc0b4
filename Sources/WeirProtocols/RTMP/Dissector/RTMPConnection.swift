import WeirPackets

/// What both sides of a connection share.
struct RTMPConnection {
    /// Octets of messages at hand that all connections together may make us keep.
    let budget: SharedOctetBudget
    /// Octets of all stream names that are remembered.
    private static let mostKeyOctets = 16 * 1024

    /// Stream names that were said on this connection so far: they grant the right to publish or to play. Nil when there
    /// were more than are remembered: then no text can be told from a name.
    private(set) var streamKeys: [String]? = []
    private var keyOctets = 0
    private var names = 0
    /// Transactions of `createStream` that wait for their answers, by who asked.
    private var creations: [(transaction: Double, isClients: Bool)] = []
    private let limitsReference: LimitsReference
    var limits: Limits { _read { yield limitsReference.values } }

    init(budget: SharedOctetBudget, limits: LimitsReference) {
        self.budget = budget
        limitsReference = limits
    }

    /// Takes note of who asks for a message stream; tells of an answer whether it is one to that.
    mutating func follow(_ command: RTMPCommand, isClients: Bool) -> Bool {
        guard let transaction = command.transactionID else { return false }
        switch command.name {
        case "createStream":
            if creations.count >= limits.outstandingRequests { creations.removeFirst() }
            creations.append((transaction, isClients))
        case "_result", "_error":
            let asked = creations.firstIndex { $0.transaction == transaction && $0.isClients != isClients }
            guard let asked else { break }
            creations.remove(at: asked)
            return command.name == "_result"
        default: break
        }
        return false
    }

    /// Remembers a stream name; false when it is the first one too many.
    mutating func remember(_ name: String) -> Bool {
        guard var keys = streamKeys, !name.isEmpty, !keys.contains(name) else { return true }
        let forms = RTMPSecrets.forms(of: name).filter { !keys.contains($0) }
        keyOctets += forms.reduce(0) { $0 + $1.utf8.count }
        names += 1
        guard names <= limits[RTMPLimits.self].streamNames, keyOctets <= Self.mostKeyOctets else {
            streamKeys = nil
            return false
        }
        keys += forms
        // What holds another name is looked for before it.
        streamKeys = keys.sorted { $0.utf8.count > $1.utf8.count }
        return true
    }
}
