package import WeirEngine
package import WeirPackets

/// The fast path for interleaved media frames (RFC 2326 §10.12): counts packets of known streams without emitting
/// messages.
package final class InterleavedPath: FastPath {
    /// A connection and its known streams. Accessed in place, without plain getters: a copy would retain and release
    /// for each frame.
    private struct Connection {
        var client: Side
        var server: Side
        var streams: KnownStreams

        init(_ packets: MediaFlow?, client: StreamSide, server: StreamSide) {
            self.client = Side(client)
            self.server = Side(server)
            streams = KnownStreams(packets)
        }
    }

    private let media: MediaStreams
    private var connections: Lent<SlotMap<Connection>>
    private let showsPackets: Bool

    package init(_ outlet: SessionOutlet) {
        media = outlet.shared(MediaStreams.self)
        let nobody = StreamSide()
        connections = Lent(SlotMap(nothing: Connection(nil, client: nobody, server: nobody)))
        showsPackets = outlet.options.packets
    }

    package func open(_ flow: FlowState, _ outlet: Outlet) -> Int32? {
        guard !showsPackets, let packets = flow.packets as? MediaFlow, !packets.streams.isEmpty else { return nil }
        var taken = connections.take()
        let slot = taken.insert(Connection(packets, client: flow.fromClient, server: flow.fromServer))
        connections.put(consume taken)
        return slot
    }

    package func remove(_ slot: Int32) {
        var taken = connections.take()
        taken.remove(slot)
        connections.put(consume taken)
    }

    private func update(_ slot: Int32, _ direction: Direction, _ body: (inout Side) -> Void) {
        var taken = connections.take()
        taken.update(slot) { direction == .clientToServer ? body(&$0.client) : body(&$0.server) }
        connections.put(consume taken)
    }

    package func take(
        _ octets: RawSpan, _ slot: Int32, _ direction: Direction, _ frame: FrameInfo, budget: inout OctetBudget
    ) -> Taken {
        var taken = connections.take()
        let used = taken.update(slot) {
            direction == .clientToServer
                ? $0.streams.take(octets, &$0.client, direction, frame, media, &budget)
                : $0.streams.take(octets, &$0.server, direction, frame, media, &budget)
        }
        connections.put(consume taken)
        return used
    }

    /// Reads RTCP, as the dissector would: it is emitted, so that `take` leaves it.
    package func finishRead(_ slot: Int32, _ octets: RawSpan, at place: EventContext) -> FastRead? {
        var taken = connections.take()
        let packets = taken.update(slot) {
            let isReady = place.direction == .clientToServer ? $0.client.isAtFrame : $0.server.isAtFrame
            return isReady ? $0.streams.packets : nil
        }
        connections.put(consume taken)
        guard let packets else { return nil }
        var used = 0
        while let (channel, length) = Self.report(octets.clamped(used)) {
            media.rtcp.read(octets.clamped(used &+ 4, used &+ length), channel, packets, place)
            used &+= length
        }
        guard used > 0 else { return nil }
        update(slot, place.direction) { $0.state.advance(waited: 0, used: used, frame: place.frame, time: place.time) }
        return FastRead(taken: 0, used: used, goesOn: true)
    }

    /// Returns the channel and the total length of the frame that starts here if it is complete and contains RTCP (RFC 3550
    /// §6.1).
    private static func report(_ octets: RawSpan) -> (channel: Int, length: Int)? {
        guard octets.byte(at: 0) == KnownStreams.dollar, let header = KnownStreams.header(octets),
            header.length <= octets.byteCount, let first = octets.byte(at: 4), first >> 6 == 2, header.length > 5,
            let second = octets.byte(at: 5), RTCPPacket.isRTCP(secondOctet: second)
        else { return nil }
        return (Int(header.channel), header.length)
    }

    package func returnBorrowed(_ slot: Int32) -> (client: Int, server: Int) {
        var taken = connections.take()
        taken.update(slot) {
            $0.client.returnState()
            $0.server.returnState()
        }
        connections.put(consume taken)
        // The states that were returned count what was consumed.
        return (0, 0)
    }
}

/// A direction of a connection, and its state while it is borrowed; a state that is not between messages is empty.
private struct Side {
    private let stream: StreamSide
    var state = StreamState()

    init(_ stream: StreamSide) {
        self.stream = stream
    }

    /// Borrows the state unless it is borrowed; returns false if the dissector is within a message.
    @inline(__always)
    mutating func borrowState() -> Bool {
        if !state.isBetweenMessages { state = stream.borrowState() }
        return state.isBetweenMessages
    }

    /// Whether the state is borrowed, and nothing precedes the next frame in the buffer. Mutating, to access it in place.
    var isAtFrame: Bool { mutating get { state.isBetweenMessages && state.buffer.isEmpty } }

    mutating func returnState() {
        guard state.isBetweenMessages else { return }
        var returned = StreamState()
        swap(&returned, &state)
        stream.returnState(returned)
    }
}

/// The streams of a connection.
private struct KnownStreams {
    let packets: MediaFlow?
    private var keys: [MediaKey] = []
    private var changes = -1

    init(_ packets: MediaFlow?) {
        self.packets = packets
    }

    /// The first byte of a frame.
    static let dollar = UInt8(ascii: "$")

    /// Counts the complete frames of a segment, and moves the beginning of an incomplete one to the buffer of the side.
    @inline(__always)
    mutating func take(
        _ octets: RawSpan, _ side: inout Side, _ direction: Direction, _ frame: FrameInfo, _ media: MediaStreams,
        _ budget: inout OctetBudget
    ) -> Taken {
        guard side.borrowState() else { return Taken(0) }
        if let changed = packets?.changes, changed != changes { follow() }
        let waited = side.state.buffer.count
        var used = 0
        let taken = take(octets, &side.state.buffer, &used, direction, frame, media, &budget)
        side.state.advance(waited: waited, used: used, frame: frame.number, time: frame.time)
        return taken
    }

    /// Updates the streams.
    @inline(never)
    private mutating func follow() {
        guard let packets else { return }
        keys = packets.followed
        changes = packets.changes
    }

    private mutating func take(
        _ octets: RawSpan, _ waiting: inout StreamBuffer, _ used: inout Int, _ direction: Direction, _ frame: FrameInfo,
        _ media: MediaStreams, _ budget: inout OctetBudget
    ) -> Taken {
        var offset = 0
        if !waiting.isEmpty {
            let completed = complete(&waiting, &used, octets, direction, frame, media, &budget)
            offset = completed.octets
            guard !completed.needReader, waiting.isEmpty else { return completed }
        }
        let start = offset
        defer { used &+= offset &- start }
        while offset < octets.byteCount {
            guard octets.byte(at: offset) == Self.dollar else { break }
            let rest = octets.clamped(offset)
            let header = Self.header(rest)
            guard let header, header.length <= rest.byteCount else {
                return Taken(offset &+ (waiting.complete(header?.length ?? 4, with: rest, budget: &budget) ?? 0))
            }
            guard count(rest.clamped(4, header.length), header.channel, direction, frame, media) else { break }
            offset &+= header.length
        }
        return Taken(offset)
    }

    /// Returns the channel and the total length of the frame that starts here, or nil if its header is incomplete. The
    /// caller has checked for `$`.
    @inline(__always)
    static func header(_ bytes: RawSpan) -> (channel: Int32, length: Int)? {
        guard let word = bytes.uint32(at: 0) else { return nil }
        return (Int32(word >> 16 & 0xFF), 4 &+ Int(word & 0xFFFF))
    }

    /// Completes a buffered partial frame, as far as bytes are available, or counts it without the rest.
    private mutating func complete(
        _ waiting: inout StreamBuffer, _ used: inout Int, _ octets: RawSpan, _ direction: Direction,
        _ frame: FrameInfo, _ media: MediaStreams, _ budget: inout OctetBudget
    ) -> Taken {
        var offset = 0
        while waiting.octets.byte(at: 0) == Self.dollar {
            let header = Self.header(waiting.octets)
            let needed = header?.length ?? 4
            let missing = needed &- waiting.count
            if let header, missing >= 0, missing <= octets.byteCount &- offset,
                continues(waiting.octets.clamped(4), header, direction, frame, media)
            {
                // The octets that are missing are not needed.
                waiting.discard(&budget)
                used &+= needed
                return Taken(offset &+ missing)
            }
            guard let taken = waiting.complete(needed, with: octets.clamped(offset), budget: &budget) else { break }
            offset &+= taken
            guard waiting.count == needed else { return Taken(offset) }
            guard let header else { continue }
            guard count(waiting.octets.clamped(4), header.channel, direction, frame, media) else { break }
            waiting.discard(&budget)
            used &+= needed
            return Taken(offset)
        }
        return Taken(offset, needReader: true)
    }

    /// Counts the packet of a frame, given its beginning, if it only continues the slice of the previous one.
    @inline(__always)
    private mutating func continues(
        _ beginning: RawSpan, _ header: (channel: Int32, length: Int), _ direction: Direction, _ frame: FrameInfo,
        _ media: MediaStreams
    ) -> Bool {
        guard let ssrc = beginning.uint32(at: 8), let stream = keys.stream(ssrc, header.channel, direction) else {
            return false
        }
        return media.continues(beginning, length: header.length &- 4, stream, frame)
    }

    /// Counts the packet of a frame; returns false if it belongs to no known stream.
    @inline(__always)
    private mutating func count(
        _ packet: RawSpan, _ channel: Int32, _ direction: Direction, _ frame: FrameInfo, _ media: MediaStreams
    ) -> Bool {
        guard let ssrc = packet.uint32(at: 8), let stream = keys.stream(ssrc, channel, direction) else { return false }
        return media.count(packet, stream, frame)
    }
}
