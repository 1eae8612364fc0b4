/// A TCP connection (RFC 9293) as captured: handshake, both streams in order, and how it closed.
///
/// For each segment call `accept`, then `next` until it returns nil. At the end of the flow or of the capture call
/// `finish`, then `next` until it returns nil.
public struct TCPConnection: Sendable {
    var fromClient = TCPStream()
    var fromServer = TCPStream()
    /// The direction of the last segment.
    package var lastDirection = Direction.clientToServer
    /// The frame and time of the last segment.
    package var last = Delivery.Place(frame: 0, time: Timestamp(nanoseconds: 0))
    private var synTime: Timestamp?
    private var hasSYN = false
    var hasSYNACK = false
    var hasHandshakeACK = false
    /// The sequence number after the SYN-ACK; acknowledging it completes the handshake.
    private var synACKNext = Sequence32(0)
    private var synACKDirection = Direction.serverToClient
    /// The same for a second, different SYN-ACK, until one of the two is acknowledged.
    private var otherSYNACKNext: Sequence32?
    var resetFrom: Direction?
    /// Whether payload follows payload of the other side with a later timestamp in the file.
    private var isCaptureReordered = false
    private var isResetRefusal = false
    /// Whether the RST carries an acknowledgment number.
    private var isResetAcknowledging = false

    /// Seconds from the last SYN to the acknowledgment that completed the handshake: one round trip, wherever the
    /// capture point is. Nil if one of them was not captured.
    public private(set) var handshakeRTT: Double?

    /// Creates a connection without segments.
    public init() {}

    /// Creates a connection for which only the client's SYN was seen, last at `time` in `frame`.
    package init(openedWith sequence: UInt32, at time: Timestamp, frame: Int) {
        last = Delivery.Place(frame: frame, time: time)
        _ = fromClient.begin(synSequence: sequence)
        hasSYN = true
        synTime = time
    }

    // MARK: Facts
    //
    // What is asked for every segment is mutating: that accesses the connection in place rather than a copy.

    /// How much of the handshake was captured.
    public var handshake: Handshake {
        hasSYN && hasSYNACK && hasHandshakeACK ? .complete : hasSYN || hasSYNACK ? .partial : .missing
    }

    /// How the connection was closed, as far as seen so far.
    public var closedBy: CloseReason {
        if fromClient.hasFIN, fromServer.hasFIN { return .fin }
        if resetFrom != nil { return .reset }
        return fromClient.hasFIN || fromServer.hasFIN || isShownClosed ? .fin : .open
    }

    /// Whether both sides have closed although one or both FINs were not captured: later sequence or acknowledgment
    /// numbers count them. Final only at the end, since octets may follow their acknowledgment in the file.
    package var isShownClosed: Bool {
        guard resetFrom == nil, !(fromClient.hasFIN && fromServer.hasFIN) else { return false }
        return (fromClient.hasFIN || fromClient.isFINShown) && (fromServer.hasFIN || fromServer.isFINShown)
    }

    /// Whether the capture shows how many octets a side sent: its FIN or RST has that sequence number, or the other
    /// side acknowledged it when it reset the connection. A RST without ACK responds to a segment, possibly one that
    /// was not captured (RFC 9293 §3.10.7.1).
    package func isEndShown(of direction: Direction) -> Bool {
        let side = stream(direction)
        guard !side.hasFIN, !side.isFINShown, let resetFrom else { return side.hasFIN || side.isFINShown }
        return resetFrom == direction || isResetAcknowledging
    }

    /// Whether the FIN of a direction was captured.
    package mutating func hasFIN(_ direction: Direction) -> Bool {
        direction == .clientToServer ? fromClient.hasFIN : fromServer.hasFIN
    }

    /// Whether both sides have closed, or one has reset the connection.
    public var isClosed: Bool { resetFrom != nil || (fromClient.hasFIN && fromServer.hasFIN) }

    /// The side that sent the first FIN, regardless of the order in the file: the acknowledgment number of each FIN
    /// shows whether its sender had received the other one. Nil if neither side has sent one, or if the capture does
    /// not show it.
    package var firstToFinish: Direction? {
        mutating get {
            let client = fromServer.hasFIN ? fromClient.isFINKnown(by: fromServer.fin?.acknowledgment) : false
            let server = fromClient.hasFIN ? fromServer.isFINKnown(by: fromClient.fin?.acknowledgment) : false
            switch (client, server) {
            case (true, true), (nil, _), (_, nil): return nil
            case (true, _): return .clientToServer
            case (_, true): return .serverToClient
            default: break
            }
            guard let client = fromClient.fin?.place else { return fromServer.hasFIN ? .serverToClient : nil }
            guard let server = fromServer.fin?.place else { return .clientToServer }
            // A simultaneous close: only the order in the file decides, if the times do not contradict it.
            let isClientFirst = client.frame < server.frame
            let isContradicted = isClientFirst ? client.time > server.time : server.time > client.time
            return isOutOfOrderInCapture || isContradicted ? nil : isClientFirst ? .clientToServer : .serverToClient
        }
    }

    /// Whether the connection was refused: a RST responded to the SYN (RFC 9293), and nothing else was sent.
    public var isRefused: Bool { isResetRefusal && resetFrom != nil && isOnlyAsked }

    /// Whether the connection attempt is unanswered: the capture contains only SYNs.
    public var isUnanswered: Bool { resetFrom == nil && isOnlyAsked }

    /// Whether a client sent a SYN, and the capture contains no evidence of a response.
    private var isOnlyAsked: Bool {
        hasSYN && !hasSYNACK && !fromServer.isStarted && !fromServer.isAcknowledged && !fromClient.hasSentData
    }

    /// The retransmitted octets of a direction.
    public func retransmittedOctets(_ direction: Direction) -> Int { stream(direction).counts.retransmittedOctets }
    /// Returns when the octets were received that were held back by the last retransmission whose first copy was not
    /// captured.
    package func heldSince(_ direction: Direction) -> Timestamp { stream(direction).resent.heldSince }
    /// The segments with new octets that arrived after later ones.
    public func outOfOrderSegments(_ direction: Direction) -> Int { stream(direction).counts.outOfOrderSegments }
    /// The octets given up as gaps.
    public func missingOctets(_ direction: Direction) -> Int { stream(direction).counts.missingOctets }
    /// The keep-alive probes sent by a side.
    public func keepAlives(_ direction: Direction) -> Int { stream(direction).counts.keepAlives }
    /// The zero-window probes sent by a side.
    public func zeroWindowProbes(_ direction: Direction) -> Int { stream(direction).counts.zeroWindowProbes }
    /// Whether a direction was captured from its first octet.
    public func isSeenFromStart(_ direction: Direction) -> Bool { stream(direction).hasSYN }
    /// Whether the receiver of a direction may have received octets that were not captured, or not yet.
    package mutating func mayLackOctets(_ direction: Direction) -> Bool {
        direction == .clientToServer ? fromClient.mayLackOctets : fromServer.mayLackOctets
    }
    /// Whether one side acknowledged octets of the other before they were captured: they are missing, or follow in the
    /// file. Also if payload follows payload of the other side with a later timestamp in the file.
    package var isOutOfOrderInCapture: Bool {
        mutating get {
            fromClient.isOutOfOrderInCapture || fromServer.isOutOfOrderInCapture || isCaptureReordered
        }
    }
    /// A larger step back, in nanoseconds, is a clock change, not reordering in the file.
    package static let longestShuffle = TCPStream.longestShuffle

    /// Records the time of payload, and whether it is earlier than that of payload of the other side before it in the
    /// file.
    ///
    /// Packets of the two sides pass through different queues, even on a single interface, so that timestamps are often
    /// out of order by a microsecond. A segment without payload does not matter: its acknowledgment number shows what
    /// it follows.
    private mutating func notePayload(_ time: Timestamp, _ direction: Direction) {
        let isClients = direction == .clientToServer
        let other = isClients ? fromServer.payloadTime : fromClient.payloadTime
        if other > time, other.nanoseconds &- time.nanoseconds < Self.longestShuffle { isCaptureReordered = true }
        if isClients { fromClient.notePayload(time) } else { fromServer.notePayload(time) }
    }
    /// Whether the sequence number of the RST shows that its sender had sent octets that were not captured.
    package var lacksOctetsBeforeReset: Bool { resetFrom.map { stream($0).isBrokenOffLater } ?? false }
    /// Nanoseconds after which a sender has retransmitted unacknowledged octets: more than the initial RTO (RFC 6298).
    private static let forsakenNanoseconds: Int64 = 3_000_000_000
    /// Whether the capture no longer contains the connection: until `time` the last octets were neither acknowledged
    /// nor retransmitted, and the connection was not closed. What happened afterwards is unknown.
    package func isEndNotCaptured(at time: Timestamp) -> Bool {
        guard closedBy == .open, fromClient.isUnacknowledged || fromServer.isUnacknowledged else { return false }
        return time.nanoseconds &- last.time.nanoseconds > Self.forsakenNanoseconds
    }
    /// The sequence number of the next octet of a direction, after everything received without a hole.
    package func nextSequence(_ direction: Direction) -> UInt32 { stream(direction).nextSequence }
    /// Whether any segment of a direction was captured.
    public func isSeen(_ direction: Direction) -> Bool { stream(direction).isStarted }
    /// Whether segments of both directions were captured.
    package var isSeenFromBoth: Bool { mutating get { fromClient.isStarted && fromServer.isStarted } }

    /// Whether a side was seen to send data or a FIN.
    package func hasSentData(_ direction: Direction) -> Bool { stream(direction).hasSentData }

    private func stream(_ direction: Direction) -> TCPStream {
        direction == .clientToServer ? fromClient : fromServer
    }

    // MARK: Segments

    /// Processes a segment. `missingOctets` of its payload, after those passed, were on the wire but not captured.
    ///
    /// Call `next` until it returns nil before `payload` becomes invalid.
    public mutating func accept(
        _ segment: TCPSegment,
        payload: RawSpan,
        missingOctets: Int = 0,
        direction: Direction,
        time: Timestamp,
        frame: Int,
        budget: inout OctetBudget
    ) -> Acceptance {
        // An IP datagram is not longer; more is a caller's mistake or an invalid length field.
        let missing = max(0, min(missingOctets, 1 << 20))
        lastDirection = direction
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
        if payload.byteCount &+ missing > 0 { notePayload(time, direction) }
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
            // A side that has reset a connection sends no more data: the RST was spoofed, or not accepted.
            resetFrom = nil
        }
        return result
    }

    /// Processes a segment: `sender` is its direction, `receiver` the direction that it acknowledges.
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
        let reported = segment.reportsDuplicate ? accepted.union(.duplicateReported) : accepted
        return isTurned ? reported.union(.windowTurned) : reported
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
            // Like any segment, a RST shows how much its sender has sent and received.
            let acknowledgment = segment.flags.contains(.ack) ? segment.acknowledgment.value : nil
            if direction == .clientToServer {
                fromClient.recordReset(segment.sequence.value)
                if let acknowledgment, fromServer.isStarted { fromServer.acknowledge(acknowledgment) }
            } else {
                fromServer.recordReset(segment.sequence.value)
                if let acknowledgment, fromClient.isStarted { fromClient.acknowledge(acknowledgment) }
            }
            result.insert(.reset)
        }
        return result
    }

    /// Processes a SYN. Returns false if it belongs to another connection.
    private mutating func open(_ segment: TCPSegment, _ direction: Direction, _ time: Timestamp) -> Bool {
        let sequence = segment.sequence.value
        // If a side's octets were acknowledged before its SYN, the file is out of order, and the RTT cannot be
        // measured.
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
            // A connection attempt that was refused before has succeeded.
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
            //  The client accepted the second SYN-ACK.
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

    /// Returns the next part of a stream that can be delivered in order, or nil if there is none yet.
    ///
    /// An acknowledgment may end the wait for octets of the other side; those are delivered first. Octets that respond
    /// to octets not yet captured are held back while the latter are awaited. Otherwise both directions are delivered
    /// in capture order.
    @inline(__always)
    public mutating func next(budget: inout OctetBudget) -> Delivery? {
        if fromClient.isQuiet, fromServer.isQuiet { return nil }
        return pull(&budget)
    }

    /// Whether octets of one side are held back for octets of the other that they may respond to, for at most
    /// `holdNanoseconds`; call `age` afterwards.
    package var isHolding: Bool {
        mutating get { fromClient.isAwaited && fromServer.hasWaiting || fromServer.isAwaited && fromClient.hasWaiting }
    }
    /// The maximum time that octets are held back, in nanoseconds.
    package static let holdNanoseconds = WaitForAcknowledged.longestAnswered + 1

    /// Advances the time without a packet of the connection; call `next` afterwards.
    package mutating func age(_ time: Timestamp) {
        fromClient.age(time)
        fromServer.age(time)
    }

    private mutating func pull(_ budget: inout OctetBudget) -> Delivery? {
        let (client, server) = (fromClient.nextFrame, fromServer.nextFrame)
        let isClientFirst: Bool
        if client != 0, server != 0, lacksForNext(.clientToServer) != lacksForNext(.serverToClient) {
            // One side had received the other's octets when it sent its own, regardless of the order in the file.
            isClientFirst = lacksForNext(.serverToClient)
        } else {
            isClientFirst = client == server ? lastDirection == .serverToClient : client < server
        }
        let first = isClientFirst ? Direction.clientToServer : .serverToClient
        if let content = deliver(first, &budget) { return Delivery(direction: first, content: content) }
        return deliver(first.opposite, &budget).map { Delivery(direction: first.opposite, content: $0) }
    }

    private mutating func deliver(_ direction: Direction, _ budget: inout OctetBudget) -> Delivery.Content? {
        if direction == .clientToServer {
            return fromClient.deliver(isHeld: fromServer.isAwaited && lacksForNext(direction), &budget)
        }
        return fromServer.deliver(isHeld: fromClient.isAwaited && lacksForNext(direction), &budget)
    }

    /// Whether the next piece of a direction acknowledges octets of the other side that were not delivered yet.
    @inline(__always)
    private func lacksForNext(_ direction: Direction) -> Bool {
        direction == .clientToServer
            ? fromServer.lacks(fromClient.nextAcknowledgment) : fromClient.lacks(fromServer.nextAcknowledgment)
    }

    /// Marks the end of the connection: `next` then delivers the buffered octets and the gaps before them.
    public mutating func finish() {
        fromClient.finish()
        fromServer.finish()
    }

    /// Drops the buffered octets, for a caller that no longer needs them, and releases their share of the budget.
    public mutating func discard(budget: inout OctetBudget) {
        fromClient.discard(&budget)
        fromServer.discard(&budget)
    }
}
