import WeirPackets

/// What a signaling message does: kinds go by content, words are asked where there is none.
package enum SignalingKind: String, Sendable, Hashable, CaseIterable {
    /// Somebody makes himself known, or enters a room.
    case login
    /// It has a session description that offers media.
    case offer
    /// It has one that answers.
    case answer
    /// It has an ICE candidate.
    case candidate
    /// No more candidates will come.
    case endOfCandidates
    /// It only says that the peer is there.
    case heartbeat
    /// Somebody leaves.
    case bye
    /// Something failed.
    case error
    /// Anything else.
    case other

    /// What a peer's own name for a message says: `joinRoom`, `keep-alive`, `peer_left`.
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

    /// Names that say it as a whole.
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

    /// Words of which one is enough, the first that fits first.
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

    /// The words of a name, in lower case: parted by capitals and by what is no letter.
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
