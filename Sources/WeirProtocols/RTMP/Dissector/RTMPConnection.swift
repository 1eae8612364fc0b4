import WeirPackets

/// The state shared by both sides of a connection.
struct RTMPConnection {
    /// The memory budget for incomplete messages of all connections, in octets.
    let budget: SharedOctetBudget
    /// The limit of octets for all stored stream names.
    private static let mostKeyOctets = 16 * 1024

    /// The stream names sent on this connection, which grant the right to publish or to play. Nil if the limit was
    /// exceeded; then no text can be distinguished from a name.
    private(set) var streamKeys: [String]? = []
    private var keyOctets = 0
    private var names = 0
    /// Whether names may have been sent before the capture started.
    private let startsLate: Bool
    /// Message streams whose names were sent.
    private var named: Set<UInt32> = []
    /// The limit of message streams stored as named.
    private static let mostNamed = 1_024
    /// Pending `createStream` transactions, by requesting side.
    private var creations: [(transaction: Double, isClients: Bool)] = []
    private let limitsReference: LimitsReference
    var limits: Limits { _read { yield limitsReference.values } }

    init(budget: SharedOctetBudget, limits: LimitsReference, startsLate: Bool) {
        self.budget = budget
        self.startsLate = startsLate
        limitsReference = limits
    }

    /// Records createStream requests; returns whether a response answers one.
    private mutating func follow(_ command: RTMPCommand, isClients: Bool) -> Bool {
        guard let transaction = command.transactionID else { return false }
        switch command.kind {
        case .createStream:
            if creations.count >= limits.outstandingRequests { creations.removeFirst() }
            creations.append((transaction, isClients))
        case .result, .error:
            let asked = creations.firstIndex { $0.transaction == transaction && $0.isClients != isClients }
            guard let asked else { break }
            creations.remove(at: asked)
            return command.kind == .result
        default: break
        }
        return false
    }

    /// Whether text about a message stream may repeat a name that is not in the capture.
    private func mayLackName(of stream: UInt32) -> Bool {
        guard startsLate else { return names == 0 }
        return stream == 0 ? named.isEmpty : !named.contains(stream)
    }

    /// Records what a message says about streams; returns the names known for its text, and whether it is the first that
    /// exceeds their limit. The result of a `createStream` is marked as such.
    mutating func recordObserved(
        _ payload: inout RTMPPayload, on stream: UInt32, isClients: Bool
    ) -> (names: RTMPNames, exceedsLimit: Bool) {
        switch payload {
        case .command(let command), .data(let command):
            let isWithinLimit = recordObserved(command, on: stream)
            let mayLackName = mayLackName(of: stream)
            if follow(command, isClients: isClients) { payload = .command(RTMPCommand(makingStream: command)) }
            return (RTMPNames(keys: streamKeys, mayLackOne: mayLackName), !isWithinLimit)
        case .sharedObject: return (RTMPNames(keys: streamKeys), false)
        default: return (RTMPNames(), false)
        }
    }

    /// Stores values of a command that grant access; returns false if this first exceeds the limit.
    private mutating func recordObserved(_ command: RTMPCommand, on stream: UInt32) -> Bool {
        switch command.kind {
        case .publish, .play, .play2:
            if command.streamName != nil, named.count < Self.mostNamed { named.insert(stream) }
        default: break
        }
        var wasWithinLimit = true
        for name in command.streamNames {
            names += streamKeys?.contains(name) == true ? 0 : 1
            wasWithinLimit = remember(name) && wasWithinLimit
        }
        for secret in command.connectSecrets { wasWithinLimit = remember(secret) && wasWithinLimit }
        return wasWithinLimit
    }

    /// Stores a value that grants access, usually a stream name; returns false if this first exceeds the limit.
    private mutating func remember(_ name: String) -> Bool {
        guard var keys = streamKeys, !name.isEmpty, !keys.contains(name) else { return true }
        let forms = RTMPSecrets.forms(of: name).filter { !keys.contains($0) }
        keyOctets += forms.reduce(0) { $0 + $1.utf8.count }
        guard names <= limits[RTMPLimits.self].streamNames, keyOctets <= Self.mostKeyOctets else {
            streamKeys = nil
            return false
        }
        keys += forms
        // Longer names are matched first, since they may contain others.
        streamKeys = keys.sorted { $0.utf8.count > $1.utf8.count }
        return true
    }
}
