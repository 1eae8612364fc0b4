/// A TCP connection (RFC 9293) as a capture shows it: handshake, both streams in order, and how it closed.
///
/// For each segment call `accept`, then `next` until it answers nil. At the end of the flow or of the capture call
/// `finish`, then `next` until it answers nil.
public struct TCPConnection: Sendable {
    /// How much of the three-way handshake the capture holds.
    public enum Handshake: UInt8, Sendable {
        /// SYN, SYN-ACK and the acknowledgement of it.
        case complete
        /// Some of them.
        case partial
        /// None: the capture began later.
        case missing
    }

    /// What ended the connection.
    public enum CloseReason: UInt8, Sendable {
        /// A FIN of each side, or of one and nothing after it.
        case fin
        /// A RST.
        case reset
        /// Nothing that the capture holds.
        case open
    }

    private var fromClient = TCPStream()
    private var fromServer = TCPStream()
    /// Who sent the last segment.
    package private(set) var lastDirection = Direction.clientToServer
    /// The last segment.
    package private(set) var last = Delivery.Place(frame: 0, time: Timestamp(nanoseconds: 0))
    private var synTime: Timestamp?
    private var hasSYN = false
    private var hasSYNACK = false
    private var hasHandshakeACK = false
    /// Sequence number after the SYN-ACK's own: acknowledging it completes the handshake.
    private var synACKNext = Sequence32(0)
    private var synACKDirection = Direction.serverToClient
    /// The same of a second, different SYN-ACK, until one of the two is acknowledged.
    private var otherSYNACKNext: Sequence32?
    private var resetFrom: Direction?
    /// Whether octets stand behind a segment that was captured later.
    private var isShuffled = false
    private var isResetRefusal = false
    /// Whether the RST says what its sender had got.
    private var isResetAcknowledging = false

    /// Seconds from the SYN (its last copy) to the acknowledgement that completed the handshake: one round trip,
    /// wherever between the two the capture was made. Nil when the capture lacks one of them.
    public private(set) var handshakeRTT: Double?

    /// Creates a connection of which nothing was seen.
    public init() {}

    /// Creates a connection of which nothing but the client's SYN was seen, at `time` and in `frame` for the last time.
    package init(openedWith sequence: UInt32, at time: Timestamp, frame: Int) {
        last = Delivery.Place(frame: frame, time: time)
        _ = fromClient.begin(synSequence: sequence)
        hasSYN = true
        synTime = time
    }

    // MARK: Facts

    /// How much of the handshake the capture holds.
    public var handshake: Handshake {
        hasSYN && hasSYNACK && hasHandshakeACK ? .complete : hasSYN || hasSYNACK ? .partial : .missing
    }

    /// What ended the connection, as far as was seen until now.
    public var closedBy: CloseReason {
        if fromClient.hasFIN, fromServer.hasFIN { return .fin }
        if resetFrom != nil { return .reset }
        return fromClient.hasFIN || fromServer.hasFIN || isShownClosed ? .fin : .open
    }

    /// Whether both sides have closed though the capture lacks a FIN, or both: what was said next counts it. Known for sure
    /// only at the end, as octets may come behind their acknowledgement.
    package var isShownClosed: Bool {
        guard resetFrom == nil, !(fromClient.hasFIN && fromServer.hasFIN) else { return false }
        return (fromClient.hasFIN || fromClient.isFINShown) && (fromServer.hasFIN || fromServer.isFINShown)
    }

    /// Whether the capture shows how much a side has said: its FIN or its RST counts that, or the other side said what it had
    /// got when it broke the connection off. A RST without acknowledgement answers a segment, perhaps one that is not here
    /// (RFC 9293 §3.10.7.1).
    package func isEndShown(of direction: Direction) -> Bool {
        let side = stream(direction)
        guard !side.hasFIN, !side.isFINShown, let resetFrom else { return side.hasFIN || side.isFINShown }
        return resetFrom == direction || isResetAcknowledging
    }

    /// Whether both sides have closed, or one has reset the connection.
    public var isClosed: Bool { resetFrom != nil || (fromClient.hasFIN && fromServer.hasFIN) }

    /// Who said first that it sends no more, wherever the file has that: what each side acknowledges with its FIN tells whether
    /// it had got the other's. Nil when nobody has, and where the capture does not show it.
    package var firstToFinish: Direction? {
        let client = fromServer.hasFIN ? fromClient.isFINKnown(by: fromServer.finAcknowledgment) : false
        let server = fromClient.hasFIN ? fromServer.isFINKnown(by: fromClient.finAcknowledgment) : false
        switch (client, server) {
        case (true, true), (nil, _), (_, nil): return nil
        case (true, _): return .clientToServer
        case (_, true): return .serverToClient
        default: break
        }
        guard let client = fromClient.finPlace?.frame, fromClient.hasFIN else {
            return fromServer.hasFIN ? .serverToClient : nil
        }
        guard let server = fromServer.finPlace?.frame, fromServer.hasFIN else { return .clientToServer }
        // Both at once: only the file tells.
        return isOvertaken ? nil : client < server ? .clientToServer : .serverToClient
    }

    /// Whether the connection was refused: a reset answered the SYN (RFC 9293), and nothing else was ever said.
    public var isRefused: Bool { isResetRefusal && resetFrom != nil && isOnlyAsked }

    /// Whether nobody answered: all that the capture holds, of either side, is a SYN.
    public var isUnanswered: Bool { resetFrom == nil && isOnlyAsked }

    /// Whether a client asked for a connection, and the capture shows nothing by which anybody had answered.
    private var isOnlyAsked: Bool {
        hasSYN && !hasSYNACK && !fromServer.isStarted && !fromServer.isAcknowledged && !fromClient.hasSpoken
    }

    /// Octets that a direction sent again.
    public func retransmittedOctets(_ direction: Direction) -> Int { stream(direction).retransmittedOctets }
    /// When the octets of a direction came that waited for the last ones sent again of which the capture lacks the first copy.
    package func heldSince(_ direction: Direction) -> Timestamp { stream(direction).heldSince }
    /// Segments with new octets that arrived after later ones.
    public func outOfOrderSegments(_ direction: Direction) -> Int { stream(direction).outOfOrderSegments }
    /// Octets that were given up as gaps.
    public func missingOctets(_ direction: Direction) -> Int { stream(direction).missingOctets }
    /// Keep-alive probes that a side sent.
    public func keepAlives(_ direction: Direction) -> Int { stream(direction).keepAlives }
    /// Probes that a side sent to a receiver without room.
    public func zeroWindowProbes(_ direction: Direction) -> Int { stream(direction).zeroWindowProbes }
    /// Whether the stream of a direction was seen from its first octet.
    public func isSeenFromStart(_ direction: Direction) -> Bool { stream(direction).hasSYN }
    /// Whether the receiver of a direction may know octets of it that have not come here, or not yet.
    package func mayLackOctets(_ direction: Direction) -> Bool { stream(direction).mayLackOctets }
    /// Whether one side has spoken of octets of the other that had not come here: they are missing, or behind it. Or the file
    /// has octets behind a segment that was captured later.
    package var isOvertaken: Bool { fromClient.isOvertaken || fromServer.isOvertaken || isShuffled }
    /// More nanoseconds are a clock that was set, and not the order of the file.
    package static let longestShuffle: Int64 = 1_000_000_000

    private mutating func noteShuffle(_ time: Timestamp) {
        if last.time.nanoseconds &- time.nanoseconds < Self.longestShuffle { isShuffled = true }
    }
    /// Whether who reset the connection had sent more than came here, by the number of its RST.
    package var lacksOctetsBeforeReset: Bool { resetFrom.map { stream($0).isBrokenOffLater } ?? false }
    /// Nanoseconds after which a sender has sent again what nobody acknowledged: more than its first patience (RFC 6298).
    private static let forsakenNanoseconds: Int64 = 3_000_000_000
    /// Whether the capture has lost the connection: until `time` nobody acknowledged the last octets, nor were they sent
    /// again, nor did anybody close it. What came then is not known.
    package func isForsaken(at time: Timestamp) -> Bool {
        guard closedBy == .open, fromClient.isUnacknowledged || fromServer.isUnacknowledged else { return false }
        return time.nanoseconds &- last.time.nanoseconds > Self.forsakenNanoseconds
    }
    /// The number of the next octet of a direction, after all that came without a hole.
    package func nextSequence(_ direction: Direction) -> UInt32 { stream(direction).nextSequence }
    /// Whether any segment of a direction was seen.
    public func isSeen(_ direction: Direction) -> Bool { stream(direction).isStarted }

    /// Whether a side was seen to say anything.
    package func hasSpoken(_ direction: Direction) -> Bool { stream(direction).hasSpoken }

    private func stream(_ direction: Direction) -> TCPStream {
        direction == .clientToServer ? fromClient : fromServer
    }

    // MARK: Segments

    /// Takes a segment. `missingOctets` of its payload were on the wire, behind those given, but not captured.
    ///
    /// Pull what can now be handed on with `next`, before `payload` goes away.
    public mutating func accept(
        _ segment: TCPSegment,
        payload: RawSpan,
        missingOctets: Int = 0,
        direction: Direction,
        time: Timestamp,
        frame: Int,
        budget: inout OctetBudget
    ) -> Acceptance {
        // An IP datagram has no more octets; more is a caller's mistake or a header's lie.
        let missing = max(0, min(missingOctets, 1 << 20))
        lastDirection = direction
        if time < last.time, payload.byteCount > 0 { noteShuffle(time) }
        last.frame = frame
        last.time = time
        var result: Acceptance = []
        if !segment.flags.isDisjoint(with: [.syn, .rst]) {
            if segment.flags.contains(.rst) {
                return reset(segment, payload: payload, direction)
            }
            guard open(segment, direction, time) else { return .newConnection }
        } else if hasSYNACK, !hasHandshakeACK, completesHandshake(segment, direction) {
            hasHandshakeACK = true
            if let synTime, hasSYN { handshakeRTT = time.seconds(since: synTime) }
            result.insert(.connected)
        }
        if direction == .clientToServer {
            result.formUnion(
                Self.exchange(
                    segment, payload, missing, time, frame, sender: &fromClient, receiver: &fromServer,
                    budget: &budget))
        } else {
            result.formUnion(
                Self.exchange(
                    segment, payload, missing, time, frame, sender: &fromServer, receiver: &fromClient,
                    budget: &budget))
        }
        if result.contains(.finished), fromClient.hasFIN, fromServer.hasFIN { result.insert(.closed) }
        if resetFrom == direction, payload.byteCount > 0 {
            // Who has reset a connection sends no more on it: that RST was somebody else's, or was not accepted.
            resetFrom = nil
        }
        return result
    }

    /// `sender` sends, `receiver` is the stream that the segment acknowledges.
    @inline(__always)
    private static func exchange(
        _ segment: TCPSegment,
        _ payload: RawSpan,
        _ missing: Int,
        _ time: Timestamp,
        _ frame: Int,
        sender: inout TCPStream,
        receiver: inout TCPStream,
        budget: inout OctetBudget
    ) -> Acceptance {
        if segment.flags.contains(.ack) {
            receiver.acknowledge(segment.acknowledgment.value, reportsHole: segment.reportsHole)
        }
        let isTurned = receiver.windowIsZero != (segment.window == 0)
        receiver.windowIsZero = segment.window == 0
        receiver.age(time, isAnswered: payload.byteCount > 0)
        sender.age(time)
        if !sender.isStarted, receiver.hasSYN, payload.byteCount > 0 { sender.beginAsAcknowledged() }
        let accepted = sender.take(
            segment, payload: payload, missing: missing, isHeld: receiver.isAwaited, time: time, frame: frame,
            budget: &budget)
        let told = segment.reportsDuplicate ? accepted.union(.duplicateReported) : accepted
        return isTurned ? told.union(.windowTurned) : told
    }

    private mutating func reset(
        _ segment: TCPSegment, payload: RawSpan, _ direction: Direction
    ) -> Acceptance {
        var result: Acceptance = payload.byteCount > 0 ? .resetWithPayload : []
        if resetFrom == nil {
            resetFrom = direction
            isResetAcknowledging = segment.flags.contains(.ack)
            isResetRefusal =
                direction == .serverToClient && segment.flags.contains(.ack)
                && segment.acknowledgment.value == fromClient.nextSequence
            // It says as others do what its sender has sent, and got.
            let acknowledgment = segment.flags.contains(.ack) ? segment.acknowledgment.value : nil
            if direction == .clientToServer {
                fromClient.breakOff(segment.sequence.value)
                if let acknowledgment, fromServer.isStarted { fromServer.acknowledge(acknowledgment) }
            } else {
                fromServer.breakOff(segment.sequence.value)
                if let acknowledgment, fromClient.isStarted { fromClient.acknowledge(acknowledgment) }
            }
            result.insert(.reset)
        }
        return result
    }

    /// Takes a SYN; false when it belongs to another connection.
    private mutating func open(_ segment: TCPSegment, _ direction: Direction, _ time: Timestamp) -> Bool {
        let sequence = segment.sequence.value
        // Who was heard before it opened has its packets behind: how long that took cannot be told.
        if !stream(direction).isStarted, stream(direction).isAcknowledged { synTime = nil }
        let isOurs =
            direction == .clientToServer
            ? fromClient.begin(synSequence: sequence) : fromServer.begin(synSequence: sequence)
        guard isOurs else {
            guard segment.flags.contains(.ack), hasSYNACK, !hasHandshakeACK, direction == synACKDirection else {
                return false
            }
            otherSYNACKNext = segment.sequence.advanced(by: 1)
            return true
        }
        if segment.flags.contains(.ack) {
            // Whoever refused before has thought better of it.
            if isRefused { resetFrom = nil }
            hasSYNACK = true
            synACKDirection = direction
            synACKNext = segment.sequence.advanced(by: 1)
        } else if !hasSYNACK {
            hasSYN = true
            synTime = time
        } else {
            hasSYN = true
        }
        return true
    }

    private mutating func completesHandshake(_ segment: TCPSegment, _ direction: Direction) -> Bool {
        guard direction != synACKDirection, segment.flags.contains(.ack) else { return false }
        if let otherSYNACKNext, otherSYNACKNext == segment.acknowledgment {
            // The second SYN-ACK is the one that the client believed.
            if synACKDirection == .clientToServer {
                fromClient.beginAgain(otherSYNACKNext.value)
            } else {
                fromServer.beginAgain(otherSYNACKNext.value)
            }
            return true
        }
        return !segment.acknowledgment.precedes(synACKNext)
    }

    // MARK: Deliveries

    /// What can be handed on next, in the order of each stream; nil when nothing more can for now.
    ///
    /// An acknowledgement may end the wait for what the other side sent: that comes first. What answers octets that have
    /// not come yet waits for them, as long as they are waited for; then both sides' octets come as they were captured.
    @inline(__always)
    public mutating func next(budget: inout OctetBudget) -> Delivery? {
        if fromClient.isQuiet, fromServer.isQuiet { return nil }
        return pull(&budget)
    }

    /// Whether what one side says waits for octets of the other that it may answer. They are not waited for longer than
    /// `holdNanoseconds`; call `age` then.
    package var isHolding: Bool {
        fromClient.isAwaited && fromServer.hasWaiting || fromServer.isAwaited && fromClient.hasWaiting
    }
    /// See `isHolding`.
    package static let holdNanoseconds = TCPStream.answeredGraceNanoseconds + 1

    /// Time has passed without a packet of the connection: then ask for what is `next`.
    package mutating func age(_ time: Timestamp) {
        fromClient.age(time)
        fromServer.age(time)
    }

    /// Whether there is nothing to hand on, as after most acknowledgements. Mutating, as that looks at the connection where
    /// it stands, and anything else at a copy.
    package var isQuiet: Bool { mutating get { fromClient.isQuiet && fromServer.isQuiet } }

    /// The part of the latest payload to be read in place, when that is all there is to hand on: the same as `next` gives,
    /// and then nothing. Nil when there is more, or nothing; then ask `next`.
    package mutating func takeFresh() -> Range<Int>? {
        if lastDirection == .clientToServer {
            return fromServer.isQuiet ? fromClient.takeFresh() : nil
        }
        return fromClient.isQuiet ? fromServer.takeFresh() : nil
    }

    private mutating func pull(_ budget: inout OctetBudget) -> Delivery? {
        let (client, server) = (fromClient.nextFrame, fromServer.nextFrame)
        let isClientFirst: Bool
        if client != 0, server != 0, lacksForNext(.clientToServer) != lacksForNext(.serverToClient) {
            // One of them had got the other when it was sent, wherever the file has the two.
            isClientFirst = lacksForNext(.serverToClient)
        } else {
            isClientFirst = client == server ? lastDirection == .serverToClient : client < server
        }
        let first = isClientFirst ? Direction.clientToServer : .serverToClient
        if let content = deliver(first, &budget) { return Delivery(direction: first, content: content) }
        return deliver(first.opposite, &budget).map { Delivery(direction: first.opposite, content: $0) }
    }

    private mutating func deliver(_ direction: Direction, _ budget: inout OctetBudget) -> Delivery.Content? {
        let isHeld = stream(direction.opposite).isAwaited && lacksForNext(direction)
        return direction == .clientToServer
            ? fromClient.deliver(isHeld: isHeld, &budget) : fromServer.deliver(isHeld: isHeld, &budget)
    }

    /// Whether the piece that comes next of a direction was sent when its sender had got octets of the other side that were
    /// not handed on yet.
    private func lacksForNext(_ direction: Direction) -> Bool {
        direction == .clientToServer
            ? fromServer.lacks(fromClient.nextAcknowledgment) : fromClient.lacks(fromServer.nextAcknowledgment)
    }

    /// Nothing more will come: what waits, and what is missing before it, is handed on by `next`.
    public mutating func finish() {
        fromClient.finish()
        fromServer.finish()
    }

    /// Forgets what waits, for a caller that is no longer interested, so that others may use its share of the budget.
    public mutating func discard(budget: inout OctetBudget) {
        fromClient.discard(&budget)
        fromServer.discard(&budget)
    }
}
