import WeirPackets

/// What both sides of a connection share.
struct RTMPConnection {
    private static let longestKey = 512

    /// Octets of messages at hand that all connections together may make us keep.
    let budget: SharedOctetBudget
    /// Stream names that were said on this connection so far: they grant the right to publish or to play.
    private(set) var streamKeys: [String] = []
    /// Transactions of `createStream` that wait for their answers, by who asked.
    private var creations: [(transaction: Double, isClients: Bool)] = []
    private let limitsReference: LimitsReference
    var limits: Limits { _read { yield limitsReference.values } }
    /// Names beyond the limit: the oldest were forgotten for them.
    private(set) var forgottenKeys = 0

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

    /// Remembers a stream name, with and without its query.
    mutating func remember(_ name: String) {
        for key in [name, String(decoding: name.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)]
        where !key.isEmpty && key.utf8.count < Self.longestKey && !streamKeys.contains(key) {
            // The latest names are those that are most likely to be said again.
            if streamKeys.count >= limits[RTMPLimits.self].streamNames, !streamKeys.isEmpty {
                streamKeys.removeFirst()
                forgottenKeys &+= 1
            }
            streamKeys.append(key)
        }
    }
}
