// Acknowledgments by the receiver, and what follows from them.

extension TCPStream {
    /// Whether the receiver has acknowledged anything.
    var isAcknowledged: Bool { acknowledged != .min || lastAcknowledgement != nil }
    /// Whether any octet of the sender was seen, or its FIN.
    var hasSentData: Bool { furthest != .min || fin != nil }

    /// Returns how far an acknowledgment number exceeds the last octet seen, or the FIN: 1 acknowledges the FIN, or one
    /// more octet.
    func surplus(_ acknowledgment: UInt32?) -> Int {
        guard isStarted, let acknowledgment else { return 0 }
        return position(acknowledgment) &- (fin?.position ?? max(furthest, 0))
    }

    /// Whether the sender of this acknowledgment had received the FIN; nil if more octets of this direction are missing
    /// than a FIN counts, so that the FIN may be among them.
    func isFINKnown(by acknowledgment: UInt32?) -> Bool? {
        let ahead = surplus(acknowledgment)
        guard ahead <= Self.largestWindow else { return false }
        return ahead > 1 && fin == nil ? nil : ahead > 0
    }

    var hasFIN: Bool { fin != nil }
    /// Whether the sender has closed although its FIN was not captured: one sequence number after the last octet was
    /// used, as acknowledgments or the sender's later segments show, and a FIN takes up one (RFC 9293 §3.4).
    var isFINShown: Bool {
        guard isStarted, fin == nil, hasSYN || furthest != .min else { return false }
        return max(acknowledged, spokenFrom) &- max(furthest, 0) == 1
    }
    /// Whether the receiver has acknowledged some octets but not the last ones, and the sender has not retransmitted
    /// those.
    var isUnacknowledged: Bool { acknowledged != .min && furthest > acknowledged && resent.end < furthest }
    /// Whether octets are buffered.
    @inline(__always)
    var hasWaiting: Bool { !waiting.isEmpty }
    /// Whether the other side may have received octets that were not captured: they are acknowledged, later ones
    /// arrived, or nothing was seen at all. A single octet may be the sequence number of a FIN.
    @inline(__always)
    var mayLackOctets: Bool { !isStarted || lacksAcknowledged || !waiting.isEmpty }
    /// Whether the other side has acknowledged octets that were not captured.
    @inline(__always)
    var lacksAcknowledged: Bool { isStarted && acknowledged > next &+ 1 }
    /// Whether the next octets, already acknowledged by the receiver, may still follow in the file. What the receiver
    /// sends meanwhile may be the response to them.
    @inline(__always)
    var isAwaited: Bool {
        lacksAcknowledged && wait.lostBefore <= next && fresh.isEmpty && acknowledged > waiting.end(from: next) &+ 1
    }
    /// The acknowledgment number of the segment with the next piece, or nil if none is buffered there.
    @inline(__always)
    var nextAcknowledgment: UInt32? { waiting.start == next ? waiting.firstAcknowledgment : nil }

    /// Whether this number acknowledges octets that were not delivered yet. A single one may be a FIN.
    @inline(__always)
    func lacks(_ acknowledgment: UInt32?) -> Bool {
        guard isStarted, let acknowledgment else { return false }
        let ahead = position(acknowledgment) &- next
        return ahead > 1 && ahead <= Self.largestWindow
    }

    /// Processes an acknowledgment of this direction's octets. It may report a hole, with later octets received.
    @inline(__always)
    mutating func acknowledge(_ number: UInt32, reportsHole: Bool = false) {
        guard isStarted else {
            firstAcknowledgement = firstAcknowledgement ?? number
            lastAcknowledgement = number
            return
        }
        noteAcknowledgement(number)
        // A duplicate acknowledgment may be a window update or a keep-alive: only SACK shows a hole.
        if reportsHole, !waiting.isEmpty { resent.note(hole: position(number)) }
    }

    /// Starts at the first acknowledged octet if only this side's SYN was not captured: octets before the first segment
    /// are a gap.
    mutating func beginAsAcknowledged() {
        if let firstAcknowledgement { start(firstAcknowledgement) }
    }

    @inline(__always)
    mutating func noteAcknowledgement(_ number: UInt32) {
        acknowledged = acknowledged(by: number)
    }

    /// Returns the acknowledged position after an acknowledgment.
    @inline(__always)
    func acknowledged(by number: UInt32) -> Int {
        let position = position(number)
        return position > acknowledged && position &- next <= Self.largestWindow ? position : acknowledged
    }

    /// Processes a RST with this sequence number: octets before it that were not captured will not follow.
    mutating func recordReset(_ sequence: UInt32) {
        guard isStarted else { return }
        let ahead = position(sequence) &- max(next, furthest)
        isBrokenOffLater = ahead > Self.shortestMessage && ahead <= Self.largestWindow
    }

    /// Counts a packet of the connection: acknowledged octets that do not appear are given up after a while.
    /// `isAnswered` is true if the packet carries data of the receiver.
    @inline(__always)
    mutating func age(_ time: Timestamp, isAnswered: Bool = false) {
        if acknowledged <= next {
            wait.stop()
        } else {
            waitForAcknowledged(time, isAnswered)
        }
    }

    private mutating func waitForAcknowledged(_ time: Timestamp, _ isAnswered: Bool) {
        guard wait.goOn(acknowledged, time, isAnswered: isAnswered) else { return }
        if wait.mark > next &+ 1 { isOutOfOrderInCapture = true }
    }
}
