import WeirEngine
package import WeirPackets

/// The octets that one side sent, and what the other side acknowledged of them (RTMP §5.4.3 to §5.4.5).
package struct RTMPAccount: Sendable {
    /// An acknowledgement, against what had been sent when it came.
    package struct Acknowledged: Sendable, Hashable {
        /// The number in the message, modulo 2^32.
        package var value: UInt32
        /// Octets that had been sent until then, as far as the capture holds them; the handshake counts.
        package var sent: Int
        /// When and where.
        package var mark: RTMPSession.Mark
    }

    /// A demand to the other side to keep to a window, and whether it was answered.
    package struct Limit: Sendable, Hashable {
        /// The window in octets.
        package var window: UInt32
        /// 0 hard, 1 soft, 2 dynamic.
        package var type: UInt8?
        /// Whether it is another one than that which the other side had announced.
        package var isChange: Bool
        /// Whether the other side announced a window after it.
        package var isAnswered = false
        /// When and where.
        package var mark: RTMPSession.Mark
    }

    /// Octets of this side so far, the handshake among them.
    package private(set) var octets = 0
    /// After how many octets this side wants an acknowledgement; nil until it says so.
    package private(set) var window: UInt32?
    /// Where it said so.
    package private(set) var announced: RTMPSession.Mark?
    /// Acknowledgements of the other side.
    package private(set) var acknowledgements = 0
    /// The latest of them.
    package private(set) var latest: Acknowledged?
    /// The most octets that were sent from one acknowledgement to the next, or to the end.
    package private(set) var mostUnacknowledged = 0
    /// What this side demanded of the other one, the latest.
    package private(set) var limit: Limit?
    /// Octets that were sent when the latest acknowledgement came, or when one was first asked for.
    private var base = 0

    /// Octets sent since the last acknowledgement, or since one was first asked for.
    package var unacknowledged: Int { octets &- base }

    /// Whether twice the window was sent without an acknowledgement: a full window may be on its way, and another one
    /// waits for the acknowledgement to come back.
    package var isOverdue: Bool {
        guard let window, window > 0 else { return false }
        return mostUnacknowledged > 2 * Int(window)
    }

    /// So many octets of this side have been seen.
    @inline(__always)
    mutating func sent(_ octets: Int) {
        self.octets = max(self.octets, octets)
        if window != nil, unacknowledged > mostUnacknowledged { mostUnacknowledged = unacknowledged }
    }

    mutating func announce(window size: UInt32, _ mark: RTMPSession.Mark) {
        // Nobody can have acknowledged before what was not yet asked for.
        if announced == nil, acknowledgements == 0 { base = octets }
        window = size
        announced = mark
    }

    mutating func acknowledge(_ value: UInt32, _ mark: RTMPSession.Mark) {
        acknowledgements &+= 1
        latest = Acknowledged(value: value, sent: octets, mark: mark)
        base = octets
    }

    mutating func limitPeer(_ size: UInt32, _ type: UInt8?, otherWindow: UInt32?, _ mark: RTMPSession.Mark) {
        limit = Limit(window: size, type: type, isChange: otherWindow != size, mark: mark)
    }

    /// The other side announced a window.
    mutating func answerBandwidth(_ size: UInt32) {
        limit?.isAnswered = true
    }

    /// The members of the session's record for this side.
    var fields: [Field] {
        var fields: [Field] = []
        fields.add("bytes", octets)
        fields.add("windowAckSize", window.map { Int($0) })
        fields.add("acknowledgements", acknowledgements)
        fields.add("lastAcknowledged", latest.map { Int($0.value) })
        fields.add("unacknowledgedBytes", unacknowledged)
        if window != nil { fields.add("maxUnacknowledgedBytes", mostUnacknowledged) }
        if isOverdue { fields.add("overdue", true) }
        if let limit {
            fields.add("peerBandwidth", Int(limit.window))
            fields.add("peerBandwidthAnswered", limit.isAnswered)
        }
        return fields
    }
}

/// Pings and their answers (RTMP §7.1.7).
package struct RTMPPings: Sendable {
    /// A ping that waits.
    package struct Pending: Sendable {
        /// The message.
        package var message: RTMPMessage
        /// The time that it holds.
        package var value: UInt32?
        /// Who sent it.
        package var direction: Direction
        /// When and where.
        package var mark: RTMPSession.Mark
    }

    /// Pings that wait for their answers, oldest first.
    package private(set) var pending: [Pending] = []
    /// Pings that were sent.
    package private(set) var sent = 0
    /// Pings that were answered.
    package private(set) var answered = 0
    /// Answers that hold another time than the ping that waited.
    package private(set) var wrong = 0
    /// The shortest time from a ping to its answer, in nanoseconds.
    package private(set) var shortest: Int64?
    /// The longest time from a ping to its answer, in nanoseconds.
    package private(set) var longest: Int64?
    /// All times from pings to their answers together, in nanoseconds.
    private var total: Int64 = 0
    /// Pings that were no longer waited for, because too many were.
    private(set) var forgotten = 0

    /// Takes a user control message; returns what it answers. At most `most` pings are waited for.
    mutating func observe(
        _ control: RTMPUserControl, _ message: RTMPMessage, _ event: Event, most: Int
    ) -> Event.Exchange? {
        switch control.eventType {
        case 6:
            sent &+= 1
            if pending.count >= most, !pending.isEmpty {
                pending.removeFirst()
                forgotten &+= 1
            }
            pending.append(
                Pending(
                    message: message, value: control.value, direction: event.direction, mark: .init(event)))
            return nil
        case 7: return answer(control, event)
        default: return nil
        }
    }

    private mutating func answer(_ control: RTMPUserControl, _ event: Event) -> Event.Exchange? {
        let asked = event.direction.opposite
        guard let index = pending.firstIndex(where: { $0.direction == asked && $0.value == control.value }) else {
            if pending.contains(where: { $0.direction == asked }) { wrong &+= 1 }
            return nil
        }
        let ping = pending.remove(at: index)
        let latency = event.time.nanoseconds &- ping.mark.time.nanoseconds
        answered &+= 1
        total &+= latency
        shortest = min(shortest ?? latency, latency)
        longest = max(longest ?? latency, latency)
        return Event.Exchange(
            requestEvent: ping.mark.event, request: ping.message, latency: latency, pairing: .number)
    }

    /// The members of the session's record; empty when there were none.
    var fields: [Field] {
        guard sent > 0 else { return [] }
        var fields: [Field] = []
        fields.add("sent", sent)
        fields.add("answered", answered)
        guard answered > 0, let shortest, let longest else { return fields }
        fields.add("minMs", Double(shortest) / 1_000_000)
        fields.add("meanMs", Double(total) / Double(answered) / 1_000_000)
        fields.add("maxMs", Double(longest) / 1_000_000)
        return fields
    }
}
