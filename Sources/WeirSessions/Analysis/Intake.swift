import WeirDissectors
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
        /// A media packet changed its stream: `media` says how.
        case media
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
    private var gapBudget: OctetBudget
    /// What the last packet of a known stream changed.
    private(set) var media = Media()
    /// State of the announcements: flows that nobody reads are looked up again when it changes.
    var announcements: Int32 = 0
    /// Media packets are events, too: each of them is for the analyzer.
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
        guard packets.take(frame) else { return .other }
        if packets.lookup.isNew { return .packet }
        let lane = packets.table[packets.lookup.index].lane
        switch lane.kind {
        case .open: return .packet
        case .media: return follow(frame, lane[packets.lookup.direction])
        case .passed: return pass(frame, lane)
        }
    }

    /// The index of a flow that has been idle for too long, if the clock hand is on one.
    @inline(__always)
    mutating func nextIdle(at time: Timestamp) -> Int? { packets.table.nextIdle(at: time) }

    /// A datagram of a flow that carries media: most belong to the stream of the one before.
    @inline(__always)
    private mutating func follow(_ frame: borrowing Frame, _ stream: Int32) -> Answer {
        let range = packets.decoder.unit.payload
        guard stream >= 0, !showsPackets, !packets.isCaptureDuplicate, packets.decoder.unit.missingOctets == 0,
            packets.decoder.unit.fragments == 0
        else { return .packet }
        let bytes = frame.bytes.clamped(range.lowerBound, range.upperBound)
        guard let second = bytes.byte(at: 1), !RTCPPacket.isRTCP(secondOctet: second),
            let header = try? RTPHeader(bytes), header.ssrc == streams[stream].ssrc
        else { return .packet }
        let payload = header.payloadRange
        let news = streams[stream].observe(
            header, payload: bytes.clamped(payload.lowerBound, payload.upperBound), time: frame.info.time,
            frame: frame.info.number)
        guard !news.isDisjoint(with: .events) else { return .done }
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
        while next(lane.connection) != nil {}
        if !accepted.isDisjoint(with: [.closed, .reset]) { packets.table.close(packets.lookup.index) }
        return .done
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
