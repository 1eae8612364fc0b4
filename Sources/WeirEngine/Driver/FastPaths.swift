import WeirPackets

/// The way of every packet, as far as it needs neither objects nor decisions.
///
/// Most packets belong to a flow of which it is known what it carries: they go to a fast path, or are of a conversation that
/// nobody reads and only counted. What is left is for the analyzer. All of it is one value, so that a packet goes through
/// it in one access.
struct FastPaths {
    /// What is left to do for a frame.
    enum Answer: UInt8 {
        /// Nothing.
        case done
        /// It was not taken: first the clock moves on.
        case clock
        /// `unit` is to be looked at; its flow is in `lookup`.
        case packet
        /// A segment that its connection has taken: `accepted` says what it meant, `next` what it hands on.
        case segment
        /// Octets of a stream, `rest` of the frame, that a dissector has to read.
        case rest
        /// The frame holds neither a segment nor a datagram; `other` says what.
        case other
    }

    private var packets: PacketClassifier
    /// The TCP connections, by the numbers that the paths of their flows have.
    var connections = SlotMap<TCPConnection>(nothing: TCPConnection())
    /// The fast paths, by the numbers in flow paths.
    let paths: [any FastPath]
    private var gapBudget: OctetBudget
    /// For messages that wait for their end.
    var messageBudget: OctetBudget
    private var accepted: Acceptance = []
    /// Where the octets are in the frame that are not read yet.
    private var rest = 0..<0
    /// The times at which nothing else is due: a frame of another time lets the clock move on first.
    private var window: (start: Int64, end: Int64) = (0, 0)
    /// State of the claims: flows that nobody reads are looked up again when it changes.
    var claims: Int32 = 0

    /// Frames, octets, and frames that were cut, so far.
    private(set) var frames = 0
    private(set) var octets = 0
    private(set) var cutFrames = 0
    /// The latest time of a frame.
    private(set) var latestTime = Timestamp(nanoseconds: .min)
    /// What is to be held of the frames' times.
    let clock = CaptureClock()
    /// The last frame that was behind the latest time.
    private var latestBehind = (frame: 0, time: Timestamp(nanoseconds: .min))
    /// Nanoseconds by which frames may be behind each other: several queues of an interface hand them on.
    private static let unevenness: Int64 = 10_000_000
    /// Nanoseconds by which no queue is behind another: who reads should know.
    private static let stepBack: Int64 = 1_000_000_000
    /// How often the times went back by more than that, and the frame where they did first.
    private(set) var stepsBack = (count: 0, first: 0)
    /// Whether the frame at hand is behind the latest time.
    var isBehind: Bool { latestBehind.frame == frames && frames > 0 }

    init(_ options: AnalyzerOptions, _ paths: [any FastPath]) {
        packets = PacketClassifier(limits: options.limits, verifyChecksums: options.verifiesChecksums)
        self.paths = paths
        gapBudget = .gaps(options.limits)
        messageBudget = .messages(options.limits)
    }

    /// The open flows.
    var table: FlowTable {
        @inline(__always) _read { yield packets.table }
        @inline(__always) _modify { yield &packets.table }
    }
    /// The last segment or datagram.
    struct Packet {
        let unit: TransportUnit
        /// Its flow, and which way it takes.
        let lookup: FlowTable.Lookup
        let path: FlowPath
        /// Whether the capture holds it again: then it is not counted.
        let isCaptureDuplicate: Bool
        /// What its connection made of it, if it was asked.
        let accepted: Acceptance
        /// Where the octets are in the frame that are not read yet.
        let rest: Range<Int>
    }
    var packet: Packet {
        Packet(
            unit: packets.decoder.unit, lookup: packets.lookup, path: packets.path,
            isCaptureDuplicate: packets.isCaptureDuplicate, accepted: accepted, rest: rest)
    }

    /// Nothing is due from `start` on until `end`.
    mutating func rest(from start: Int64, until end: Int64) {
        window = (start, end)
    }

    /// The datagram put together last.
    var reassembled: [UInt8] { packets.decoder.reassembled }
    /// What the last frame held, if it was no segment or datagram.
    var other: Decoded { packets.decoder.answer }
    /// Gaps that were told early, since too much waited behind them.
    var forcedGaps: Int { gapBudget.forced }
    /// Octets that wait: behind gaps, and of unfinished messages.
    var waitingOctets: Int { gapBudget.used &+ messageBudget.used }
    /// Fragmented datagrams that were given up because too many were incomplete.
    var evictedDatagrams: Int { Int(packets.decoder.counters.evictedDatagrams) }
    var captureDuplicates: Int { packets.captureDuplicates }
    var checksumErrors: Int { packets.checksumErrors }

    /// A frame of which more is to be done than the fast paths did.
    struct Remainder: ~Escapable {
        let frame: Frame
        let answer: Answer

        @_lifetime(copy frame)
        init(_ frame: borrowing Frame, _ answer: Answer) {
            self.frame = copy frame
            self.answer = answer
        }
    }

    /// Takes the frames of a source up to the first that is not done with; in one access, since most are. Also stops at the frame
    /// that is number `last` of all, and behind one that follows drops.
    ///
    /// - Returns: the frame at which it stopped; nil at the end of the source.
    @_lifetime(&source)
    mutating func skim<Source: FrameSource & ~Copyable>(
        _ source: inout Source, until last: Int
    ) throws(Source.Failure) -> Remainder? {
        while let frame = try source.next() {
            let answer = take(frame)
            guard answer == .done, !frame.info.followsDrops, frames < last else { return Remainder(frame, answer) }
        }
        return nil
    }

    /// Takes a frame.
    mutating func take(_ frame: borrowing Frame) -> Answer {
        let time = frame.info.time.nanoseconds
        guard time >= window.start, time < window.end else { return .clock }
        return takeNow(frame)
    }

    /// Takes a frame, whatever the clock says.
    mutating func takeNow(_ frame: borrowing Frame) -> Answer {
        frames &+= 1
        octets &+= frame.info.originalLength
        if frame.info.isCut { cutFrames &+= 1 }
        let behind = latestTime.nanoseconds &- frame.info.time.nanoseconds
        if frame.info.time > latestTime {
            latestTime = frame.info.time
        } else if behind > Self.unevenness {
            noteBack(frame.info.time, by: behind)
        } else if frame.info.isTimeReplaced {
            clock.replacedAt = frames
        }
        guard packets.take(frame) else { return .other }
        switch packets.path.kind {
        case .open, .embryonic: return .packet
        case .fast: return follow(frame, packets.path)
        case .ignored: return pass(frame, packets.path)
        }
    }

    /// A frame has an earlier time than one before it. Whether the clock goes back with it, or went back before, the frame before
    /// tells.
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

    /// A packet of a flow that a fast path follows: whole, and no duplicate; of a connection what is next in order. What a
    /// connection has to say beyond "these octets are next" goes the long way.
    @inline(__always)
    private mutating func follow(_ frame: borrowing Frame, _ path: FlowPath) -> Answer {
        guard !packets.isCaptureDuplicate, packets.decoder.unit.missingOctets == 0, packets.decoder.unit.fragments == 0
        else { return .packet }
        let range = packets.decoder.unit.payload
        let direction = packets.lookup.direction
        let slot = path[direction]
        guard path.connection >= 0 else {
            guard slot >= 0 else { return .packet }
            let datagram = frame.bytes.clamped(range.lowerBound, range.upperBound)
            let taken = paths[Int(path.number)].take(datagram, slot, direction, frame.info, budget: &messageBudget)
            return taken.octets > 0 ? .done : .packet
        }
        let payload = frame.bytes.clamped(range.lowerBound, range.upperBound)
        accepted = accept(payload, direction, path.connection, frame.info)
        guard accepted.isEmpty else { return .segment }
        guard let fresh = connections[path.connection].takeFresh() else {
            return connections[path.connection].isQuiet ? .done : .segment
        }
        let octets = payload.clamped(fresh.lowerBound, fresh.upperBound)
        let taken = paths[Int(path.number)].take(octets, slot, direction, frame.info, budget: &messageBudget)
        rest = range.lowerBound &+ fresh.lowerBound &+ taken.octets..<range.lowerBound &+ fresh.upperBound
        return rest.isEmpty && !taken.needReader ? .done : .rest
    }

    /// A packet of a conversation that nobody reads. A connection is followed all the same: its record says what was
    /// sent again, and what is missing.
    private mutating func pass(_ frame: borrowing Frame, _ path: FlowPath) -> Answer {
        guard path.connection >= 0 else {
            if packets.isCaptureDuplicate { return .done }
            return path.lookedUp == claims && !packets.table[packets.lookup.index].isDueAgain ? .done : .packet
        }
        guard !packets.isCaptureDuplicate else { return .done }
        let range = packets.decoder.unit.payload
        let accepted: Acceptance
        if packets.decoder.unit.isReassembled {
            let datagram = packets.decoder.reassembled
            let payload = datagram.rawSpan.clamped(range.lowerBound, range.upperBound)
            accepted = accept(payload, packets.lookup.direction, path.connection, frame.info)
        } else {
            let payload = frame.bytes.clamped(range.lowerBound, range.upperBound)
            accepted = accept(payload, packets.lookup.direction, path.connection, frame.info)
        }
        if connections[path.connection].takeFresh() == nil { while next(path.connection) != nil {} }
        if !accepted.isDisjoint(with: [.closed, .reset]) { packets.table.close(packets.lookup.index) }
        return .done
    }
}

// MARK: - TCP connections

extension FastPaths {
    /// Lets a connection take the last segment; then ask for what is `next`.
    @inline(__always)
    mutating func accept(
        _ payload: RawSpan, _ direction: Direction, _ connection: Int32, _ info: FrameInfo
    ) -> Acceptance {
        connections[connection].accept(
            packets.decoder.unit.tcp, payload: payload, missingOctets: packets.decoder.unit.missingOctets,
            direction: direction, time: info.time, frame: info.number, budget: &gapBudget)
    }

    /// What a connection hands on next.
    @inline(__always)
    mutating func next(_ connection: Int32) -> Delivery? { connections[connection].next(budget: &gapBudget) }

    /// Forgets what waits in a connection.
    mutating func discard(_ connection: Int32) {
        connections[connection].discard(budget: &gapBudget)
    }

    /// Nothing more comes of a connection that nobody reads.
    mutating func finish(_ connection: Int32) {
        connections[connection].finish()
        while next(connection) != nil {}
    }

    /// Forgets a flow, with its connection and its slot in a fast path.
    mutating func removeFlow(_ index: Int) {
        let path = table[index].path
        if path.connection >= 0 {
            if path.slot >= 0 { paths[Int(path.number)].remove(path.slot) }
            discard(path.connection)
            connections.remove(path.connection)
        }
        packets.table.remove(index)
    }
}
