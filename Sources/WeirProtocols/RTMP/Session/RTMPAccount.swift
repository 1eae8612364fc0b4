import WeirEngine
import WeirPackets

/// The octets sent by one side, and their acknowledgement by the other side (RTMP §5.4.3 to §5.4.5).
struct RTMPAccount: Sendable {
    /// An acknowledgement, compared with what had been sent when it arrived.
    struct Acknowledged: Sendable, Hashable {
        /// The sequence number in the message, modulo 2^32.
        var value: UInt32
        /// Octets sent until then according to the capture, including the handshake.
        var sent: Int
        /// The event, frame and time.
        var mark: RTMPSession.Mark
    }

    /// Set Peer Bandwidth: the window demanded of the other side, and whether it was answered.
    struct Limit: Sendable, Hashable {
        /// The window in octets.
        var window: UInt32
        /// The limit type: 0 hard, 1 soft, 2 dynamic.
        var type: UInt8?
        /// Whether it differs from the window that the other side had announced.
        var isChange: Bool
        /// Whether the other side announced a window afterwards.
        var isAnswered = false
        /// The event, frame and time.
        var mark: RTMPSession.Mark
    }

    /// Octets sent by this side so far, including the handshake.
    private(set) var octets = 0
    /// The window after which this side expects an acknowledgement, in octets; nil until announced.
    private(set) var window: UInt32?
    /// Where the window was announced.
    private(set) var announced: RTMPSession.Mark?
    /// Acknowledgements sent by the other side.
    private(set) var acknowledgements = 0
    /// The latest acknowledgement.
    private(set) var latest: Acknowledged?
    /// The latest sequence number: how often it was sent in a row, and the first of them.
    private(set) var latestRun: (times: Int, first: Acknowledged)?
    /// The largest number of octets sent between two acknowledgements, or after the last one.
    private(set) var mostUnacknowledged = 0
    /// The latest bandwidth limit that this side demanded of the other side.
    private(set) var limit: Limit?
    /// Octets sent when the latest acknowledgement arrived, or when one was first requested.
    private var base = 0

    /// Octets sent since the latest acknowledgement, or since one was first requested.
    var unacknowledged: Int { octets &- base }

    /// Whether twice the window was sent without an acknowledgement: one full window may be in flight while the
    /// acknowledgement of another is on its way.
    var isOverdue: Bool {
        guard let window, window > 0 else { return false }
        return mostUnacknowledged > 2 * Int(window)
    }

    /// Sets the number of octets sent by this side.
    @inline(__always)
    mutating func sent(_ octets: Int) {
        self.octets = max(self.octets, octets)
        if window != nil, unacknowledged > mostUnacknowledged { mostUnacknowledged = unacknowledged }
    }

    mutating func announce(window size: UInt32, _ mark: RTMPSession.Mark) {
        // No acknowledgement is expected before the window was announced.
        if announced == nil, acknowledgements == 0 { base = octets }
        window = size
        announced = mark
    }

    mutating func acknowledge(_ value: UInt32, _ mark: RTMPSession.Mark) {
        acknowledgements &+= 1
        let now = Acknowledged(value: value, sent: octets, mark: mark)
        latest = now
        if let run = latestRun, run.first.value == value {
            latestRun = (run.times &+ 1, run.first)
        } else {
            latestRun = (1, now)
        }
        base = octets
    }

    /// The number of equal sequence numbers in a row from which on they may not be totals.
    private static let mostEqual = 3

    /// How often the latest sequence number was sent in a row, and the first of them, if it cannot be a total: enough
    /// was sent meanwhile, two windows, or as much as it reports, as by a peer that reports the octets since the
    /// last one.
    var standingRun: (times: Int, first: Acknowledged)? {
        guard let run = latestRun, run.times >= Self.mostEqual, let latest, let window, run.first.value > 0,
            latest.sent &- run.first.sent >= min(2 * Int(window), Int(run.first.value))
        else { return nil }
        return run
    }

    /// The octets sent beyond a sequence number, which is modulo 2^32.
    func octets(beyond value: UInt32) -> Int { Int(UInt32(truncatingIfNeeded: octets) &- value) }

    mutating func limitPeer(_ size: UInt32, _ type: UInt8?, otherWindow: UInt32?, _ mark: RTMPSession.Mark) {
        limit = Limit(window: size, type: type, isChange: otherWindow != size, mark: mark)
    }

    /// Records that the other side announced a window.
    mutating func answerBandwidth(_ size: UInt32) {
        limit?.isAnswered = true
    }

    /// The members of the session record for this side.
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

/// Pings and their responses (RTMP §7.1.7).
struct RTMPPings: Sendable {
    /// A pending ping.
    struct Pending: Sendable {
        /// The message.
        var message: RTMPMessage
        /// The timestamp it carries.
        var value: UInt32?
        /// The direction in which it was sent.
        var direction: Direction
        /// The event, frame and time.
        var mark: RTMPSession.Mark
    }

    /// Pending pings, oldest first.
    private(set) var pending: [Pending] = []
    /// Pings sent.
    private(set) var sent = 0
    /// Pings answered.
    private(set) var answered = 0
    /// Responses whose timestamp differs from that of the pending ping.
    private(set) var wrong = 0
    /// The shortest response time, in nanoseconds.
    private(set) var shortest: Int64?
    /// The longest response time, in nanoseconds.
    private(set) var longest: Int64?
    /// The sum of all response times, in nanoseconds.
    private var total: Int64 = 0
    /// Pings dropped because too many were pending.
    private(set) var forgotten = 0

    /// Processes a user control message; returns what it answers. At most `most` pings are kept pending.
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

    /// The members of the session record; empty if there were no pings.
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
