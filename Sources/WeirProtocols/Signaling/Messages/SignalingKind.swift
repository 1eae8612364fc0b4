import WeirPackets

/// The kind of a signaling message, by its contents, or by its type name if it has none.
package enum SignalingKind: String, Sendable, Hashable, CaseIterable {
    /// A peer logs in, or joins a room.
    case login
    /// An offer.
    case offer
    /// An answer.
    case answer
    /// An ICE candidate.
    case candidate
    /// An end-of-candidates indication.
    case endOfCandidates
    /// A heartbeat.
    case heartbeat
    /// A peer leaves.
    case bye
    /// An error.
    case error
    /// Any other message.
    case other

    /// Creates the kind for a peer's name of a message type: `joinRoom`, `keep-alive`, `peer_left`.
    init(named name: String) {
        let words = Self.words(name)
        let whole = words.joined()
        for (kind, names) in Self.wholes where names.contains(whole) {
            self = kind
            return
        }
        for (kind, names) in Self.parts where words.contains(where: names.contains) {
            self = kind
            return
        }
        self = .other
    }

    /// Complete names.
    private static let wholes: [(Self, Set<String>)] = [
        (.heartbeat, ["heartbeat", "heartbeatack", "hb", "ping", "pong", "keepalive", "alive", "noop"]),
        (.endOfCandidates, ["endofcandidates", "endofcandidate", "icegatheringcomplete"]),
        (
            .login,
            [
                "create", "attach", "enter", "auth", "connect", "connected", "createsession", "createroom", "enterroom",
            ]
        ),
        (
            .bye,
            [
                "close", "closed", "stop", "end", "ended", "destroy", "destroyed", "detach", "detached", "quit", "exit",
                "terminate", "cancel", "decline", "reject", "endcall", "stopcommunication",
            ]
        ),
    ]

    /// Significant words, in order of precedence.
    private static let parts: [(Self, Set<String>)] = [
        (.error, ["error", "fail", "failed", "failure", "exception", "denied"]),
        (.heartbeat, ["heartbeat", "ping", "pong", "keepalive"]),
        (
            .bye,
            [
                "bye", "hangup", "hungup", "leave", "left", "leaving", "logout", "disconnect", "disconnected",
                "unregister",
            ]
        ),
        (
            .login,
            ["login", "register", "registered", "join", "joined", "signin", "authenticate", "hello", "welcome"]
        ),
    ]

    /// Returns the words of a name in lowercase, separated at capitals and at non-letters.
    private static func words(_ name: String) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        var wasLower = false
        for octet in name.utf8.prefix(64) {
            let isUpper = octet &- 0x41 < 26
            if !ASCII.isLetter(octet) || isUpper && wasLower {
                if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
                word = []
            }
            if ASCII.isLetter(octet) { word.append(ASCII.lowercased(octet)) }
            wasLower = ASCII.isLetter(octet) && !isUpper
        }
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        return words
    }
}
