// What the receiver says of the octets, and what follows from it.

extension TCPStream {
    /// Whether the receiver has acknowledged anything, and so has heard from the sender.
    var isAcknowledged: Bool { acknowledged != .min || lastAcknowledgement != nil }
    /// Whether any octet of the sender was seen, or its FIN.
    var hasSpoken: Bool { furthest != .min || finPosition != nil }

    /// How far this number is behind the last octet that was seen, or the FIN: 1 acknowledges the FIN, or one octet more.
    func surplus(_ acknowledgment: UInt32?) -> Int {
        guard isStarted, let acknowledgment else { return 0 }
        return position(acknowledgment) &- (finPosition ?? max(furthest, 0))
    }

    /// Whether who says this number had got the FIN; nil where the capture lacks more octets of this side than a FIN counts,
    /// with which it may have come.
    func isFINKnown(by acknowledgment: UInt32?) -> Bool? {
        let ahead = surplus(acknowledgment)
        guard ahead <= Self.largestWindow else { return false }
        return ahead > 1 && finPosition == nil ? nil : ahead > 0
    }

    var hasFIN: Bool { finPosition != nil }
    /// Whether the sender has closed though its FIN is not here: behind the last octet one more number was used up, as the
    /// receiver acknowledges or the sender's next segments show, and a FIN is what takes up one (RFC 9293 §3.4).
    var isFINShown: Bool {
        guard isStarted, finPosition == nil, hasSYN || furthest != .min else { return false }
        return max(acknowledged, spokenFrom) &- max(furthest, 0) == 1
    }
    /// Whether the receiver has acknowledged octets of the sender, but not the last ones, and the sender has not sent these
    /// again.
    var isUnacknowledged: Bool { acknowledged != .min && furthest > acknowledged && resentBefore < furthest }
    /// Whether octets came that were not handed on yet.
    var hasWaiting: Bool { !waiting.isEmpty }
    /// Whether the other side may have got octets that have not come here: they are acknowledged, later ones came, or
    /// nothing was seen at all. A single octet may be the sequence number of a FIN.
    var mayLackOctets: Bool { !isStarted || lacksAcknowledged || !waiting.isEmpty }
    /// Whether the other side has got octets that have not come here, as it has acknowledged them.
    @inline(__always)
    var lacksAcknowledged: Bool { isStarted && acknowledged > next &+ 1 }
    /// Whether the capture may still bring what comes next and the receiver has got already. What the receiver says
    /// meanwhile may answer it.
    @inline(__always)
    var isAwaited: Bool {
        lacksAcknowledged && lostBefore <= next && freshCount == 0 && acknowledged > waiting.end(from: next) &+ 1
    }
    /// What the sender had got of the other side's octets when it sent the piece that comes next; nil when none waits there.
    var nextAcknowledgment: UInt32? { waiting.start == next ? waiting.firstAcknowledgment : nil }

    /// Whether this number acknowledges octets that were not handed on yet. A single one may be the number of a FIN.
    func lacks(_ acknowledgment: UInt32?) -> Bool {
        guard isStarted, let acknowledgment else { return false }
        let ahead = position(acknowledgment) &- next
        return ahead > 1 && ahead <= Self.largestWindow
    }

    /// Takes an acknowledgement of this stream's octets; one may report that those at it are missing, and later ones there.
    @inline(__always)
    mutating func acknowledge(_ number: UInt32, reportsHole: Bool = false) {
        guard isStarted else {
            firstAcknowledgement = firstAcknowledgement ?? number
            lastAcknowledgement = number
            return
        }
        noteAcknowledgement(number)
        // The same number once more may be a window that opened, or a keep-alive: only SACK says that something is missing.
        if reportsHole, !waiting.isEmpty { repeated = position(number) }
    }

    /// Begins where the receiver expected the first octet, of a connection whose beginning the capture holds but for this
    /// side's SYN: what is missing before the first segment is missing here.
    mutating func beginAsAcknowledged() {
        if let firstAcknowledgement { start(firstAcknowledgement) }
    }

    @inline(__always)
    mutating func noteAcknowledgement(_ number: UInt32) {
        let position = position(number)
        if position > acknowledged, position &- next <= Self.largestWindow { acknowledged = position }
    }

    /// The sender breaks off at this number: what it has sent before that, and did not come here, will not come any more.
    mutating func breakOff(_ sequence: UInt32) {
        guard isStarted else { return }
        let ahead = position(sequence) &- max(next, furthest)
        isBrokenOffLater = ahead > Self.shortestMessage && ahead <= Self.largestWindow
    }

    /// Counts a packet of the connection: what was acknowledged and does not come is given up after a while.
    /// `isAnswered` when the receiver says something with it.
    @inline(__always)
    mutating func age(_ time: Timestamp, isAnswered: Bool = false) {
        if acknowledged <= next {
            graceCount = 0
        } else {
            wait(time, isAnswered)
        }
    }

    mutating func wait(_ time: Timestamp, _ isAnswered: Bool) {
        if graceCount == 0 {
            graceMark = acknowledged
            graceTime = time
            self.isAnswered = false
        }
        if isAnswered { self.isAnswered = true }
        graceCount &+= 1
        let grace = self.isAnswered ? Self.answeredGraceNanoseconds : Self.graceNanoseconds
        guard graceCount > Self.gracePackets || time.nanoseconds &- graceTime.nanoseconds > grace else { return }
        if graceMark > next &+ 1 { isOvertaken = true }
        lostBefore = max(lostBefore, graceMark)
        graceCount = 0
    }
}
