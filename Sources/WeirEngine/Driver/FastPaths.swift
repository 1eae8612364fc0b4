import WeirPackets

/// The per-packet fast path: classification, flow lookup and counting, without allocation.
///
/// Most packets belong to a flow that is already classified: they go to a protocol's fast path, or are only counted if
/// the flow is ignored. The rest is left to the analyzer. All state is in one value, so that each packet needs a single
/// access.
struct FastPaths {
    private var packets: PacketClassifier
    /// The TCP connections, by the number in the flow path.
    var connections = SlotMap<TCPConnection>(nothing: TCPConnection())
    /// The openings that were answered, by the number in the flow path.
    var openings = SlotMap<AnsweredOpening>(nothing: AnsweredOpening())
    /// The fast paths, by the number in the flow path.
    let paths: [any FastPath]
    /// The first of them, in members of their own: a call through an element of an array counts two references, whose
    /// atomic operations wait for all stores before them.
    private let first: any FastPath
    private let second: any FastPath
    private let third: any FastPath
    /// The budget of segments after a gap.
    var gapBudget: OctetBudget
    /// The last frame whose headers are in the processor's cache, and the sum of what was loaded.
    private var loaded: (last: Int, sum: UInt64) = (0, 0)
    /// Whether the records of ignored flows are needed, and so what their connections find.
    let listsFlows: Bool
    /// The budget of incomplete messages.
    var messageBudget: OctetBudget
    private var taking = TCPConnection.Reception()
    /// The unread byte range of the frame.
    private var rest = 0..<0
    /// The time interval without due timers; a frame outside it advances the clock first.
    private var window: (start: Int64, end: Int64) = (0, 0)
    /// The generation of the claims; ignored flows are looked up again when it changes.
    var claims: Int32 = 0

    /// The number of frames, bytes and truncated frames so far.
    private(set) var frames = 0
    private(set) var octets = 0
    private(set) var cutFrames = 0
    /// The latest time of a frame.
    private(set) var latestTime = Timestamp(nanoseconds: .min)
    /// Tracks capture clock irregularities.
    let clock = CaptureClock()
    /// The last frame with a time before `latestTime`.
    private var latestBehind = (frame: 0, time: Timestamp(nanoseconds: .min))
    /// The tolerated reordering of frames in nanoseconds, as with several interface queues.
    private static let unevenness: Int64 = 10_000_000
    /// The difference in nanoseconds that no queue reordering reaches, and that is reported.
    private static let stepBack: Int64 = 1_000_000_000
    /// The number of larger steps back, and the first frame of them.
    private(set) var stepsBack = (count: 0, first: 0)
    /// Whether the current frame has a time before `latestTime`.
    var isBehind: Bool { latestBehind.frame == frames && frames > 0 }

    init(_ options: AnalyzerOptions, _ paths: [any FastPath], listsFlows: Bool) {
        packets = PacketClassifier(limits: options.limits, verifyChecksums: options.verifiesChecksums)
        self.paths = paths
        self.listsFlows = listsFlows
        let none = NoFastPath()
        first = paths.first ?? none
        second = paths.count > 1 ? paths[1] : none
        third = paths.count > 2 ? paths[2] : none
        gapBudget = .gaps(options.limits)
        messageBudget = .messages(options.limits)
    }

    /// The open flows.
    var table: FlowTable {
        @inline(__always) _read { yield packets.table }
        @inline(__always) _modify { yield &packets.table }
    }
    /// Returns what is known of the latest frame.
    mutating func packet(of frame: borrowing Frame) -> Packet {
        packets.complete(frame)
        let counts = packets.table[packets.lookup.index].packets
        let direction = packets.lookup.direction
        return Packet(
            unit: packets.decoder.unit, lookup: packets.lookup, path: packets.path,
            isCaptureDuplicate: packets.isCaptureDuplicate, taking: taking,
            isFirstAnswer: !packets.lookup.isNew && counts[direction] == 1 && counts[direction.opposite] > 0)
    }

    /// The stream octets of the latest frame that its fast path has left to the dissector.
    var unread: Unread {
        Unread(
            index: packets.lookup.index, path: packets.path, fastPath: paths[Int(packets.path.number)],
            direction: packets.lookup.direction, range: rest)
    }

    /// Sets the time interval without due timers.
    mutating func rest(from start: Int64, until end: Int64) {
        window = (start, end)
    }

    /// The latest reassembled datagram.
    var reassembled: [UInt8] { packets.decoder.reassembled }
    /// The content of the latest frame, if it is not a segment or datagram.
    var other: Decoded { packets.decoder.answer }
    /// The number of gaps declared early because too much data was buffered after them.
    var forcedGaps: Int { gapBudget.forced }
    /// The bytes buffered after gaps and in incomplete messages.
    var waitingOctets: Int { gapBudget.used &+ messageBudget.used }
    /// The number of fragmented datagrams discarded because too many were incomplete.
    var evictedDatagrams: Int { Int(packets.decoder.counters.evictedDatagrams) }
    /// Returns the number of fragmented datagrams from one host to another that were not complete so far.
    func incompleteDatagrams(from source: IPAddress, to destination: IPAddress) -> Int {
        packets.decoder.incompleteDatagrams(from: source, to: destination)
    }
    var captureDuplicates: Int { packets.captureDuplicates }
    var checksumErrors: Int { packets.checksumErrors }

    /// Processes frames of a source up to the first with remaining work, in one access. Also stops at frame number
    /// `last`, and after a frame that follows drops.
    ///
    /// - Returns: The frame at which it stopped, or nil at the end of the source.
    @_lifetime(&source)
    mutating func skim<Source: FrameSource & ~Copyable>(
        _ source: inout Source, until last: Int
    ) throws(Source.Failure) -> Remainder? {
        while let frame = try source.next() {
            let answer = take(frame.info, frame.bytes)
            guard answer == .done, !frame.info.followsDrops, frames < last else {
                return Remainder(frame, answer, isLast: reaches(last, answer))
            }
        }
        return nil
    }

    /// Processes the frames of a block, like those of a source.
    @_lifetime(copy block)
    @_lifetime(block: copy block)
    mutating func skim(_ block: inout RecordBlock, until last: Int) -> Remainder? {
        let hasSums = block.hasSums
        while let frame = block.next() {
            // The parts of the frame, since the compiler calls a function to destroy a whole one.
            let (info, bytes) = (frame.info, frame.bytes)
            if hasSums {
                packets.sum = (info.number, block.sum(of: info))
                if info.number > loaded.last { loadAhead(after: info.number, block) }
            }
            let answer = take(info, bytes)
            guard answer == .done, frames < last else {
                return Remainder(Frame(info: info, bytes: bytes), answer, isLast: reaches(last, answer))
            }
        }
        return nil
    }

    /// Loads the headers of the frames after one.
    private mutating func loadAhead(after number: Int, _ block: borrowing RecordBlock) {
        let (frames, sum) = block.loadAhead()
        loaded = (number &+ frames, loaded.sum &+ sum)
    }

    /// Assigns a direction of a flow's datagrams to a slot of a fast path.
    mutating func assign(_ flow: Int, _ direction: Direction, to number: UInt8, _ slot: Int32) {
        let path = packets.table[flow].path
        if path.kind != .fast || path.number != number { packets.table[flow].path.turn(to: .fast, path: number) }
        packets.table[flow].path[direction] = slot
    }

    /// Whether the latest frame, once it is processed, has at least this number.
    private func reaches(_ last: Int, _ answer: Answer) -> Bool {
        (answer == .clock ? frames &+ 1 : frames) >= last
    }

    /// Processes a frame, given its parts.
    @inline(__always)
    mutating func take(_ info: FrameInfo, _ bytes: RawSpan) -> Answer {
        let time = info.time.nanoseconds
        guard time >= window.start, time < window.end else { return .clock }
        return takeNow(info, bytes)
    }

    /// Processes a frame without a clock check.
    mutating func takeNow(_ info: FrameInfo, _ bytes: RawSpan) -> Answer {
        frames &+= 1
        octets &+= info.originalLength
        if info.isCut { cutFrames &+= 1 }
        let behind = latestTime.nanoseconds &- info.time.nanoseconds
        if info.time > latestTime {
            latestTime = info.time
        } else if behind > Self.unevenness {
            noteBack(info.time, by: behind)
        } else if info.isTimeReplaced {
            clock.replacedAt = frames
        }
        guard packets.take(info, bytes) else { return .other }
        switch packets.path.kind {
        case .open, .embryonic, .answered: return .packet
        case .fast: return follow(info, bytes, packets.path)
        case .ignored: return pass(info, bytes, packets.path)
        }
    }

    /// Records a frame with an earlier time than a previous one. The clock has stepped back if this frame does not
    /// follow another late one, or is also earlier than that.
    @inline(never)
    private mutating func noteBack(_ time: Timestamp, by nanoseconds: Int64) {
        let goesOn = latestBehind.frame &+ 1 == frames
        if !goesOn, nanoseconds > Self.stepBack {
            stepsBack.count &+= 1
            if stepsBack.first == 0 { stepsBack.first = frames }
        }
        if !goesOn || latestBehind.time.nanoseconds &- time.nanoseconds > Self.unevenness { clock.wentBackAt = frames }
        latestBehind = (frames, time)
    }

    /// Processes a packet of a flow with a fast path, if it is complete, not a duplicate, and next in order. Everything
    /// else takes the slow path.
    @inline(__always)
    private mutating func follow(_ info: FrameInfo, _ bytes: RawSpan, _ path: FlowPath) -> Answer {
        guard !packets.isCaptureDuplicate, packets.decoder.unit.missingOctets == 0, packets.decoder.unit.fragments == 0
        else { return .packet }
        let range = packets.decoder.unit.payload
        let direction = packets.lookup.direction
        let slot = path[direction]
        guard path.connection >= 0 else {
            guard slot >= 0 else { return .packet }
            let datagram = bytes.clamped(range.lowerBound, range.upperBound)
            let taken = pass(datagram, to: path.number, slot, direction, info)
            return taken.octets > 0 ? .done : .packet
        }
        let payload = bytes.clamped(range.lowerBound, range.upperBound)
        taking = take(payload, direction, path.connection, info)
        guard taking.accepted.isEmpty else { return .segment }
        guard let fresh = taking.fresh else { return taking.isQuiet ? .done : .segment }
        let octets = payload.clamped(fresh.lowerBound, fresh.upperBound)
        let used = pass(octets, to: path.number, slot, direction, info)
        rest = range.lowerBound &+ fresh.lowerBound &+ used.octets..<range.lowerBound &+ fresh.upperBound
        return rest.isEmpty && !used.needReader ? .done : .rest
    }

    /// Passes further octets of the latest frame to its fast path.
    mutating func goOn(_ octets: RawSpan, _ unread: Unread, _ info: FrameInfo) -> Taken {
        pass(octets, to: unread.path.number, unread.path[unread.direction], unread.direction, info)
    }

    /// Passes octets to the fast path with a number.
    @inline(__always)
    private mutating func pass(
        _ octets: RawSpan, to number: UInt8, _ slot: Int32, _ direction: Direction, _ info: FrameInfo
    ) -> Taken {
        switch number {
        case 0: first.take(octets, slot, direction, info, budget: &messageBudget)
        case 1: second.take(octets, slot, direction, info, budget: &messageBudget)
        case 2: third.take(octets, slot, direction, info, budget: &messageBudget)
        default: paths[Int(number)].take(octets, slot, direction, info, budget: &messageBudget)
        }
    }

    /// Processes a packet of an ignored flow.
    private mutating func pass(_ info: FrameInfo, _ bytes: RawSpan, _ path: FlowPath) -> Answer {
        guard !packets.isCaptureDuplicate else { return .done }
        guard path.isConnection else {
            return path.lookedUp == claims && !packets.table[packets.lookup.index].isDueAgain ? .done : .packet
        }
        let flags = packets.decoder.unit.tcp.flags
        if !flags.isDisjoint(with: [.fin, .rst]) { noteEnd(flags) }
        if path.connection >= 0 { track(info, bytes, path.connection) }
        return .done
    }

    /// Closes an ignored connection after a FIN of each side or an RST.
    @inline(never)
    private mutating func noteEnd(_ flags: TCPFlags) {
        let (index, direction) = (packets.lookup.index, packets.lookup.direction)
        let isFinished = flags.contains(.fin) && packets.table[index].path.finish(direction)
        if isFinished || flags.contains(.rst) { packets.table.close(index) }
    }

    /// Tracks the connection of an ignored flow, if its retransmissions and missing octets are reported; otherwise
    /// forgets it.
    @inline(never)
    private mutating func track(_ info: FrameInfo, _ bytes: RawSpan, _ connection: Int32) {
        guard listsFlows else {
            discard(connection)
            connections.release(connection)
            packets.table[packets.lookup.index].path.connection = FlowPath.untracked
            return
        }
        let range = packets.decoder.unit.payload
        let taken: TCPConnection.Reception
        if packets.decoder.unit.isReassembled {
            let datagram = packets.decoder.reassembled
            let payload = datagram.rawSpan.clamped(range.lowerBound, range.upperBound)
            taken = take(payload, packets.lookup.direction, connection, info)
        } else {
            let payload = bytes.clamped(range.lowerBound, range.upperBound)
            taken = take(payload, packets.lookup.direction, connection, info)
        }
        if taken.fresh == nil, !taken.isQuiet { while next(connection) != nil {} }
    }
}

/// A fast path that consumes nothing.
private final class NoFastPath: FastPath {
    init() {}
    init(_ outlet: SessionOutlet) {}

    func take(
        _ octets: RawSpan, _ slot: Int32, _ direction: Direction, _ frame: FrameInfo, budget: inout OctetBudget
    ) -> Taken { Taken(0) }
}

// MARK: - TCP connections

extension FastPaths {
    /// Passes the latest segment to a connection, in one access.
    @inline(__always)
    mutating func take(_ payload: RawSpan, _ direction: Direction, _ connection: Int32, _ info: FrameInfo)
        -> TCPConnection.Reception
    {
        Self.take(
            packets.decoder.unit.tcp, payload, packets.decoder.unit.missingOctets, direction, info,
            &connections, connection, &gapBudget)
    }

    @inline(__always)
    private static func take(
        _ segment: TCPSegment, _ payload: RawSpan, _ missingOctets: Int, _ direction: Direction, _ info: FrameInfo,
        _ connections: inout SlotMap<TCPConnection>, _ connection: Int32, _ budget: inout OctetBudget
    ) -> TCPConnection.Reception {
        connections.update(connection) {
            $0.receive(
                segment, payload: payload, missingOctets: missingOctets, direction: direction, time: info.time,
                frame: info.number, budget: &budget)
        }
    }

    /// Returns the next delivery of a connection.
    @inline(__always)
    mutating func next(_ connection: Int32) -> Delivery? { connections[connection].next(budget: &gapBudget) }
}
