import WeirEngine
import WeirPackets

/// The way of every packet, as far as it needs neither objects nor decisions.
///
/// Most packets belong to a flow of which it is known what it carries: media streams that are followed here, and
/// conversations that nobody reads, which are only counted. What is left, and what changes something, is for the
/// analyzer. All of it is one value, so that a packet goes through it in one access.
struct Intake {
    /// What is left to do for a frame.
    enum Answer: UInt8 {
        /// Nothing.
        case done
        /// `unit` is to be looked at; its flow is in `lookup`.
        case packet
        /// A media packet changed its stream: `media` says how. Then `resume`.
        case media
        /// A segment that its connection has taken: `accepted` says what it meant, `next` what it hands on.
        case segment
        /// A media packet, at `control` in the frame, that is RTCP or of a stream that is not known. Then `resume`.
        case control
        /// Octets of a stream, `rest` of the frame, that a dissector has to read.
        case rest
        /// The same of a stream of chunks.
        case chunks
        /// The frame holds neither a segment nor a datagram; `other` says what.
        case other
    }

    /// A packet of a stream that is known, and what it changed.
    struct Media {
        var stream: Int32 = -1
        var news: StreamNews = []
        var header: RTPHeader?
    }

    private var packets: PacketIntake
    /// The media streams, by the numbers that the lanes of their flows have.
    var streams = Slab<MediaStream>(nothing: MediaStream(ssrc: 0))
    /// The TCP connections, likewise.
    var connections = Slab<TCPConnection>(nothing: TCPConnection())
    /// The connections with interleaved media, likewise.
    var framings = Slab<Framing>(nothing: Framing())
    /// The connections with messages in chunks, likewise.
    var chunkings = Slab<Chunking>(nothing: Chunking())
    private var gapBudget: OctetBudget
    /// For messages that wait for their end.
    var messageBudget: OctetBudget
    private(set) var accepted: Acceptance = []
    /// Where the octets are in the frame that are not read yet, and what is known of the stream they belong to.
    private(set) var rest = 0..<0
    private var framing: Int32 = -1
    /// Where a packet is in the frame that the analyzer has to look at, and the channel it came on.
    private(set) var control = (octets: 0..<0, channel: 0)
    /// What the last packet of a known stream changed.
    private(set) var media = Media()
    /// State of the announcements: flows that nobody reads are looked up again when it changes.
    var announcements: Int32 = 0
    /// Media packets are events, too: each of them is news for the analyzer.
    private let showsPackets: Bool

    /// Frames, octets, and frames that were cut, so far.
    private(set) var frames = 0
    private(set) var octets = 0
    private(set) var cutFrames = 0
    /// The latest time of a frame.
    private(set) var latestTime = Timestamp(nanoseconds: .min)

    init(_ options: AnalyzerOptions) {
        packets = PacketIntake(limits: options.limits, verifyChecksums: options.verifiesChecksums)
        gapBudget = .gaps(options.limits)
        messageBudget = .messages(options.limits)
        showsPackets = options.packets
    }

    /// The open flows.
    var table: FlowTable {
        @inline(__always) _read { yield packets.table }
        @inline(__always) _modify { yield &packets.table }
    }
    /// The last segment or datagram, and its flow.
    var unit: TransportUnit { packets.decoder.unit }
    var lookup: FlowTable.Lookup { packets.lookup }
    /// Whether the capture holds it again: then it is not counted.
    var isCaptureDuplicate: Bool { packets.isCaptureDuplicate }
    /// The datagram put together last.
    var reassembled: [UInt8] { packets.decoder.reassembled }
    /// What the last frame held, if it was no segment or datagram.
    var other: Decoded { packets.decoder.answer }
    /// Fragmented datagrams that were given up because too many were incomplete.
    var evictedDatagrams: Int { Int(packets.decoder.counters.evictedDatagrams) }
    var captureDuplicates: Int { packets.captureDuplicates }
    var checksumErrors: Int { packets.checksumErrors }

    /// Takes a frame.
    mutating func take(_ frame: borrowing Frame) -> Answer {
        frames &+= 1
        octets &+= frame.info.originalLength
        if frame.info.isCut { cutFrames &+= 1 }
        if frame.info.time > latestTime { latestTime = frame.info.time }
        framing = -1
        guard packets.take(frame) else { return .other }
        switch packets.lane.kind {
        case .open, .held: return .packet
        case .media: return follow(frame, packets.lane[packets.lookup.direction])
        case .framed: return cut(frame, packets.lane)
        case .chunked: return skip(frame, packets.lane)
        case .passed: return pass(frame, packets.lane)
        }
    }

    /// A datagram of a flow that carries media: most belong to the stream of the one before.
    @inline(__always)
    private mutating func follow(_ frame: borrowing Frame, _ stream: Int32) -> Answer {
        let range = packets.decoder.unit.payload
        guard stream >= 0, !packets.isCaptureDuplicate, packets.decoder.unit.missingOctets == 0,
            packets.decoder.unit.fragments == 0
        else { return .packet }
        let bytes = frame.bytes.clamped(range.lowerBound, range.upperBound)
        guard let header = Self.header(bytes), header.ssrc == streams[stream].ssrc else { return .packet }
        return observe(header, bytes, stream, frame.info)
    }

    /// The header of a packet that is RTP and not RTCP.
    @inline(__always)
    private static func header(_ bytes: RawSpan) -> RTPHeader? {
        guard let second = bytes.byte(at: 1), !RTCPPacket.isRTCP(secondOctet: second) else { return nil }
        return try? RTPHeader(bytes)
    }

    @inline(__always)
    private mutating func observe(
        _ header: RTPHeader, _ bytes: RawSpan, _ stream: Int32, _ info: FrameInfo
    ) -> Answer {
        let range = header.payloadRange
        let news = streams[stream].observe(
            header, payload: bytes.clamped(range.lowerBound, range.upperBound), time: info.time, frame: info.number)
        guard showsPackets || !news.isDisjoint(with: .events) else { return .done }
        media = Media(stream: stream, news: news, header: header)
        return .media
    }

    /// A packet of a conversation that nobody reads. A connection is followed all the same: its record says what was
    /// sent again, and what is missing.
    private mutating func pass(_ frame: borrowing Frame, _ lane: Lane) -> Answer {
        guard lane.connection >= 0 else {
            return packets.isCaptureDuplicate || lane.lookedUp == announcements ? .done : .packet
        }
        guard !packets.isCaptureDuplicate else { return .done }
        let range = packets.decoder.unit.payload
        let accepted: Acceptance
        if packets.decoder.unit.isReassembled {
            let datagram = packets.decoder.reassembled
            let payload = datagram.rawSpan.clamped(range.lowerBound, range.upperBound)
            accepted = accept(payload, packets.lookup.direction, lane.connection, frame.info)
        } else {
            let payload = frame.bytes.clamped(range.lowerBound, range.upperBound)
            accepted = accept(payload, packets.lookup.direction, lane.connection, frame.info)
        }
        if connections[lane.connection].takeFresh() == nil { while next(lane.connection) != nil {} }
        if !accepted.isDisjoint(with: [.closed, .reset]) { packets.table.close(packets.lookup.index) }
        return .done
    }
}

// MARK: - Messages in chunks, interleaved media

extension Intake {
    /// A segment of a connection whose messages come in chunks: passes over as much of it as is in the middle of one.
    private mutating func skip(_ frame: borrowing Frame, _ lane: Lane) -> Answer {
        guard !packets.isCaptureDuplicate, packets.decoder.unit.missingOctets == 0,
            packets.decoder.unit.fragments == 0
        else { return .packet }
        let range = packets.decoder.unit.payload
        let payload = frame.bytes.clamped(range.lowerBound, range.upperBound)
        let direction = packets.lookup.direction
        accepted = accept(payload, direction, lane.connection, frame.info)
        guard accepted.isEmpty else { return .segment }
        guard let fresh = connections[lane.connection].takeFresh() else {
            return connections[lane.connection].isQuiet ? .done : .segment
        }
        let passed = chunkings[lane.chunks].pass(payload.clamped(fresh.lowerBound, fresh.upperBound), direction)
        rest = range.lowerBound &+ fresh.lowerBound &+ passed..<range.lowerBound &+ fresh.upperBound
        return rest.isEmpty ? .done : .chunks
    }

    /// A segment of a connection with interleaved media. What its connection has to say beyond "these octets are next",
    /// and what is no media of a known stream, goes the long way.
    private mutating func cut(_ frame: borrowing Frame, _ lane: Lane) -> Answer {
        guard !showsPackets, !packets.isCaptureDuplicate, packets.decoder.unit.missingOctets == 0,
            packets.decoder.unit.fragments == 0
        else { return .packet }
        let range = packets.decoder.unit.payload
        let payload = frame.bytes.clamped(range.lowerBound, range.upperBound)
        accepted = accept(payload, packets.lookup.direction, lane.connection, frame.info)
        guard accepted.isEmpty else { return .segment }
        guard let fresh = connections[lane.connection].takeFresh() else {
            return connections[lane.connection].isQuiet ? .done : .segment
        }
        rest = range.lowerBound &+ fresh.lowerBound..<range.lowerBound &+ fresh.upperBound
        framing = lane.framing
        return resume(frame)
    }

    /// Goes on with the frame behind the media packet that changed its stream.
    mutating func resume(_ frame: borrowing Frame) -> Answer {
        guard framing >= 0 else { return .done }
        let side = framings[framing].side(packets.lookup.direction)
        guard side.passesFrames else { return .rest }
        side.isAhead = true
        if side.buffer.isEmpty {
            side.waitingFrame = frame.info.number
        } else {
            let answer = complete(side, frame)
            guard answer == .done, side.buffer.isEmpty else { return answer }
        }
        while !rest.isEmpty {
            guard frame.bytes.byte(at: rest.lowerBound) == Framing.dollar else { return .rest }
            let bytes = frame.bytes.clamped(rest.lowerBound, rest.upperBound)
            guard let header = Framing.header(bytes) else { return keep(bytes, needed: 4, side) }
            guard header.length <= rest.count else { return keep(bytes, needed: header.length, side) }
            let start = rest.lowerBound
            rest = start &+ header.length..<rest.upperBound
            side.consumed &+= header.length
            let answer = follow(bytes.clamped(4, header.length), header.channel, frame.info)
            if answer == .rest {
                control = (start &+ 4..<start &+ header.length, Int(header.channel))
                return .control
            }
            if answer == .media { return .media }
        }
        return .done
    }

    /// Part of a frame waits: completes it.
    private mutating func complete(_ side: StreamSide, _ frame: borrowing Frame) -> Answer {
        while side.buffer.octets.byte(at: 0) == Framing.dollar {
            let header = Framing.header(side.buffer.octets)
            let needed = header?.length ?? 4
            let bytes = frame.bytes.clamped(rest.lowerBound, rest.upperBound)
            guard let taken = side.buffer.complete(needed, with: bytes, budget: &messageBudget) else { return .rest }
            rest = rest.lowerBound &+ taken..<rest.upperBound
            guard side.buffer.count == needed else { return .done }
            guard let header else { continue }
            let answer = follow(side.buffer.octets.clamped(4), header.channel, frame.info)
            guard answer != .rest else { return .rest }
            side.buffer.discard(&messageBudget)
            side.consumed &+= needed
            side.waitingFrame = frame.info.number
            return answer
        }
        return .rest
    }

    /// The beginning of a frame waits for the rest of it.
    private mutating func keep(_ beginning: RawSpan, needed: Int, _ side: StreamSide) -> Answer {
        side.buffer.complete(needed, with: beginning, budget: &messageBudget) == nil ? .rest : .done
    }

    /// The packet in a frame: of a known stream, or the dissector's.
    @inline(__always)
    private mutating func follow(_ packet: RawSpan, _ channel: Int32, _ info: FrameInfo) -> Answer {
        guard let header = Self.header(packet),
            let stream = framings[framing].stream(header.ssrc, channel, packets.lookup.direction)
        else { return .rest }
        return observe(header, packet, stream, info)
    }
}

// MARK: - TCP connections

extension Intake {
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

    /// Forgets a connection.
    mutating func remove(_ connection: Int32) {
        discard(connection)
        connections.remove(connection)
    }
}
