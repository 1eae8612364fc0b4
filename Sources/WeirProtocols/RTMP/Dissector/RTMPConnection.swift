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
    /// Whether names may have been said before the capture began.
    private let startsLate: Bool
    /// Message streams whose names were said.
    private var named: Set<UInt32> = []
    /// Message streams whose naming is remembered.
    private static let mostNamed = 1_024
    /// Transactions of `createStream` that wait for their answers, by who asked.
    private var creations: [(transaction: Double, isClients: Bool)] = []
    private let limitsReference: LimitsReference
    var limits: Limits { _read { yield limitsReference.values } }

    init(budget: SharedOctetBudget, limits: LimitsReference, startsLate: Bool) {
        self.budget = budget
        self.startsLate = startsLate
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

    /// Whether what is said of a message stream may repeat a name that the capture does not hold.
    func mayLackName(of stream: UInt32) -> Bool {
        guard startsLate else { return names == 0 }
        return stream == 0 ? named.isEmpty : !named.contains(stream)
    }

    /// Remembers what a command tells that grants access; false when it is the first that is too much.
    mutating func learn(_ command: RTMPCommand, on stream: UInt32) -> Bool {
        if ["publish", "play", "play2"].contains(command.name), command.streamName != nil, named.count < Self.mostNamed
        {
            named.insert(stream)
        }
        var hadRoom = true
        for name in command.streamNames {
            names += streamKeys?.contains(name) == true ? 0 : 1
            hadRoom = remember(name) && hadRoom
        }
        for secret in command.connectSecrets { hadRoom = remember(secret) && hadRoom }
        return hadRoom
    }

    /// Remembers a stream name, or another word that grants access; false when it is the first one too many.
    private mutating func remember(_ name: String) -> Bool {
        guard var keys = streamKeys, !name.isEmpty, !keys.contains(name) else { return true }
        let forms = RTMPSecrets.forms(of: name).filter { !keys.contains($0) }
        keyOctets += forms.reduce(0) { $0 + $1.utf8.count }
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
