import WeirEngine
import WeirPackets

// The members of the session record.

extension RTMPSession {
    /// Returns the RTMP members of the session record.
    func reported(_ secrets: SecretPolicy) -> [Field] {
        var facts: [Field] = []
        facts.add("app", app.map { hide(application: $0, secrets) })
        facts.add("tcUrl", url.map { hide(application: $0, secrets) })
        facts.add("streamName", mainStream?.name.map { secrets.apply($0) })
        facts.add("role", mainStream?.role?.rawValue)
        facts.add("flashVersion", flashVersion.map { hide($0, secrets) })
        facts.add("serverVersion", serverVersion.map { hide($0, secrets) })
        facts.add("encoder", encoder.map { hide($0, secrets) })
        for (name, peer) in [("clientPeer", clientPeer), ("serverPeer", serverPeer)] {
            guard let peer else { continue }
            let words = [
                Field("name", .string(hide(peer.name, secrets))),
                Field("evidence", .string(hide(peer.evidence, secrets))),
            ]
            facts.add(name, .object(words))
        }
        if isTunneled { facts.add("tunnel", "http") }
        facts.add("handshakeTimeMs", milliseconds(from: .c0, to: .c2))
        facts.add("setupTimeMs", interval(setupStart, accepted?.time))
        facts.add("timeToFirstMediaMs", interval(mainStream?.request?.mark.time, firstMedia))
        facts.add("timeToFirstKeyframeMs", interval(mainStream?.request?.mark.time, firstKeyframe))
        facts.add("messages", messages)
        facts.add("messageStreams", netStreams.count)
        facts.add("unansweredCommands", unanswered.count)
        facts.add("client", .object(fromClient.fields))
        facts.add("server", .object(fromServer.fields))
        let pings = self.pings.fields
        if !pings.isEmpty { facts.add("pings", .object(pings)) }
        facts.add("closedBy", closing)
        return facts
    }

    /// Commands that should have been answered but were not, except those commonly left unanswered.
    var unanswered: [PendingCommand] {
        pending.filter { $0.command.kind?.isUnansweredByHabit != true }
    }

    /// The main message stream: the first that is published or played.
    var mainStream: RTMPNetStream? { netStreams.first { $0.role != nil } }

    /// Where the server accepted the first stream.
    var accepted: Mark? { netStreams.lazy.compactMap(\.accepted).first }

    /// The time of the first media message.
    var firstMedia: Timestamp? { netStreams.lazy.compactMap(\.firstMedia).first }

    private var firstKeyframe: Timestamp? { netStreams.lazy.compactMap(\.firstKeyframe).first }

    private var setupStart: Timestamp? { handshake[.c0]?.mark.time ?? connect?.mark.time }

    private func milliseconds(
        from first: RTMPHandshakePart.Packet, to last: RTMPHandshakePart.Packet
    ) -> Double? { interval(handshake[first]?.mark.time, handshake[last]?.mark.time) }

    private func interval(_ start: Timestamp?, _ end: Timestamp?) -> Double? {
        guard let start, let end, end >= start else { return nil }
        return Double(end.nanoseconds &- start.nanoseconds) / 1_000_000
    }

    /// The side that ended the connection, or nil if it was still open.
    private var closing: String? {
        if let resetBy { return resetBy.direction == .clientToServer ? "client" : "server" }
        guard closedBy != nil, let firstToFinish else { return nil }
        return firstToFinish.direction == .clientToServer ? "client" : "server"
    }
}
