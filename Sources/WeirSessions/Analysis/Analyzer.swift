public import WeirDissectors
public import WeirPackets

/// Turns frames into a timeline: the only loop, and the owner of everything that is open.
///
/// The same frames give the same timeline. Memory follows what is open now, not how long the capture is; every table
/// and buffer keeps to `Limits`.
public final class Analyzer {
    let options: AnalyzerOptions
    let dissectors: [any Dissector.Type]
    /// Those that look at TCP streams, and those that look at datagrams.
    let streamDissectors: [any Dissector.Type]
    let datagramDissectors: [any Dissector.Type]
    let timeline: Timeline
    let outlet = Outlet()

    private let limits: SharedLimits
    private var intake: Intake
    /// The open flows.
    var table: FlowTable {
        _read { yield intake.table }
        _modify { yield &intake.table }
    }
    /// State of the flow at the same index of `table`.
    var states: [FlowState?] = []
    var gapBudget: OctetBudget
    var messageBudget: OctetBudget
    /// For conversations that several flows carry: their buffers fill while a flow's own are being read.
    var joinedBudget: OctetBudget
    var expectations: Expectations
    var joined: [String: JoinedConversation] = [:]
    var sessions: [Session] = []
    var sessionCount = 0
    /// Open streams by source, for RTCP, which speaks of sources.
    var bySSRC: [UInt32: [MediaEntry]] = [:]
    var streamCount = 0
    /// Connection attempts that failed, to ports of which nothing is known.
    var failedConnections = 0
    var summary = SummaryRecord()
    private var latestTime = Timestamp(nanoseconds: .min)
    /// How often a limit was reached, in the order of first times.
    private var reached: [(key: String, count: Int)] = []
    /// When to look again for what is over: always a full second.
    var nextTick = Timestamp(nanoseconds: .min)
    /// When packets were last found to have been dropped.
    var latestDrop: Timestamp?

    /// Creates an analyzer that hands the timeline to `sink`.
    ///
    /// - Parameter dissectors: the protocols to look for; add your own to `BuiltIn.dissectors`.
    public init(
        options: AnalyzerOptions = AnalyzerOptions(),
        dissectors: [any Dissector.Type] = BuiltIn.dissectors,
        sink: any TimelineSink
    ) {
        self.options = options
        self.dissectors = dissectors
        streamDissectors = dissectors.filter { $0.descriptor.carriers.contains(.tcp) }
        datagramDissectors = dissectors.filter { $0.descriptor.carriers.contains(.udp) && !($0 is RTPDissector.Type) }
        timeline = Timeline(sink: sink)
        limits = SharedLimits(options.limits)
        intake = Intake(options)
        gapBudget = .gaps(options.limits)
        messageBudget = .messages(options.limits)
        joinedBudget = .messages(options.limits)
        expectations = Expectations(limit: options.limits.expectations)
    }

    /// Begins a capture.
    public func begin(_ capture: CaptureRecord) {
        // Of a file it is not known, unless the file says so.
        if capture.format == "live" { summary.droppedPackets = 0 }
        timeline.begin(capture)
    }

    /// Analyses one frame.
    public func process(_ frame: borrowing Frame) {
        let info = frame.info
        let untilTick = nextTick.nanoseconds &- info.time.nanoseconds
        if UInt64(bitPattern: untilTick &- 1) >= Self.clockTolerance { keepTime(info.time) }
        summary.packets &+= 1
        summary.bytes &+= info.originalLength
        if info.isCut { summary.truncatedPackets &+= 1 }
        timeline.observe(info.time)
        if info.time > latestTime { latestTime = info.time }
        if let packet = intake.take(frame) {
            if packet.unit.isReassembled {
                let datagram = intake.reassembled
                transport(packet, datagram.rawSpan, info)
            } else {
                transport(packet, frame.bytes, info)
            }
        } else {
            other(intake.answer, info)
        }
    }

    /// A frame in which there is no TCP segment and no UDP datagram.
    private func other(_ answer: Decoded, _ info: FrameInfo) {
        switch answer {
        case .icmp(let message): icmp(message, info)
        case .failed, .cut, .other(.linkType): summary.undecodedPackets &+= 1
        case .transport, .fragment, .other: break
        }
    }

    /// Ends the capture: what is still open ends with it.
    public func finish(damage: Damage? = nil) {
        let last = lastFrame
        for session in sessions where session.closedBy == nil && !session.isTornDown {
            session.evidence.endsEarly = true
        }
        for index in table.remaining() where states[index]?.transport == .tcp { endFlow(index, at: last) }
        for session in sessions { endSession(session, at: last) }
        sessions = []
        for index in table.remaining() { endFlow(index, at: last) }
        summary.startTime = timeline.start
        if timeline.start != nil { summary.endTime = latestTime }
        summary.events = timeline.eventCount
        summary.damage = damage
        if intake.evictedDatagrams > 0 { reach("limit.fragments", times: intake.evictedDatagrams) }
        if expectations.dropped > 0 { reach("limit.expectations", times: expectations.dropped) }
        summary.limitsReached = reached.map { Text($0.key, .integer($0.count)) }
        timeline.end(summary)
    }

    /// Stands for the frame at hand where there is none.
    var lastFrame: FrameInfo {
        FrameInfo(
            number: max(1, summary.packets), time: latestTime, capturedLength: 0, originalLength: 0, linkType: .raw)
    }

    /// Counts that a limit was reached; `key` is one of the string catalogue.
    func reach(_ key: String, times: Int = 1) {
        if let index = reached.firstIndex(where: { $0.key == key }) {
            reached[index].count += times
        } else {
            reached.append((key, times))
        }
    }
}

// MARK: - Flows

extension Analyzer {
    private func transport(_ packet: Intake.Packet, _ bytes: RawSpan, _ info: FrameInfo) {
        let unit = packet.unit
        let lookup = packet.lookup
        if unit.checksum == .invalid { summary.checksumErrors &+= 1 }
        if let ended = lookup.ended {
            if lookup.endReason == .limit { reach("limit.flows") }
            endFlow(ended, at: info)
        }
        let index = lookup.index
        let state = lookup.isNew ? begin(index, unit) : existing(index, unit)
        let payload = bytes.clamped(unit.payload.lowerBound, unit.payload.upperBound)
        let direction = state.isTurned ? lookup.direction.opposite : lookup.direction
        if packet.isCaptureDuplicate {
            countDuplicate(state, payload, direction)
            return
        }
        if unit.missingOctets > 0 { markCut(state, direction, unit.missingOctets) }
        let moment = state.moment(direction, frame: info.number, time: info.time)
        if unit.transport == .tcp {
            segment(unit, payload, state, moment)
        } else {
            datagram(payload, unit, state, moment, info)
        }
    }

    private func begin(_ index: Int, _ unit: TransportUnit) -> FlowState {
        let state = FlowState(
            table[index], index: index, stack: unit.protocols,
            startsLate: unit.transport == .tcp && !unit.tcp.flags.contains(.syn), shared: limits)
        while states.count <= index { states.append(nil) }
        states[index] = state
        if let chosen = forced(state.context) { adopt(chosen, state) }
        return state
    }

    @inline(__always)
    private func existing(_ index: Int, _ unit: TransportUnit) -> FlowState {
        if let state = states[index] { return state }
        return begin(index, unit)
    }

    /// The dissector that `--decode-as` names for the flow's ports.
    private func forced(_ context: FlowContext) -> (any Dissector.Type)? {
        guard !options.decodeAs.isEmpty else { return nil }
        let rule = options.decodeAs.first {
            $0.transport == context.transport && ($0.port == context.server.port || $0.port == context.client.port)
        }
        return rule.flatMap { rule in dissectors.first { $0.descriptor.name == rule.protocolName } }
    }

    /// Lets a dissector read the flow from now on.
    func adopt(_ type: any Dissector.Type, _ state: FlowState) {
        state.addProtocol(type.descriptor.name)
        if type is RTPDissector.Type || type is RTCPDissector.Type {
            state.role = .media
            if forced(state.context) != nil { state.because = Text("expect.decodeAs") }
            return
        }
        state.role = .dissected
        state.dissector = type.init(flow: state.context)
        if state.transport == .tcp, state.startsLate, !type.findsStarts {
            state.fromClient.isLost = true
            state.fromServer.isLost = true
        }
    }

    private func countDuplicate(_ state: FlowState, _ payload: RawSpan, _ direction: Direction) {
        state.captureDuplicates += 1
        summary.captureDuplicates += 1
        if state.role == .media { duplicateMedia(state, payload, direction) }
        if state.heuristics != nil, state.earlyDuplicates.count < EarlyReport.most, let ssrc = payload.uint32(at: 8) {
            state.earlyDuplicates.append((ssrc, direction))
        }
    }

    private func markCut(_ state: FlowState, _ direction: Direction, _ octets: Int) {
        state.isCut = true
        state.side(direction).cutOctets += octets
        state.session?.evidence.isCut = true
    }

    /// Reports a flow that ended, and forgets it.
    func endFlow(_ index: Int, at info: FrameInfo) {
        guard let state = states[index] else {
            table.remove(index)
            return
        }
        if state.transport == .tcp { finishStream(state, at: info) }
        endStreams(of: state, at: info)
        let nothing = [UInt8]()
        state.dissector?.finish(outlet)
        drain(state, nothing.rawSpan, state.moment(.clientToServer, frame: info.number, time: info.time), at: nil)
        timeline.flow(record(table[index], state))
        states[index] = nil
        table.remove(index)
        leave(state, at: info)
    }

    private func record(_ flow: Flow, _ state: FlowState) -> FlowRecord {
        var record = FlowRecord(
            id: flow.id, transport: flow.transport, client: state.client, server: state.server,
            protocols: state.stack.names + state.protocolNames, startTime: flow.startTime, endTime: flow.endTime,
            packets: flow.packets, bytes: flow.octets, captureDuplicates: state.captureDuplicates, tcp: nil)
        if state.isTurned {
            swap(&record.packets.clientToServer, &record.packets.serverToClient)
            swap(&record.bytes.clientToServer, &record.bytes.serverToClient)
        }
        guard flow.transport == .tcp else { return record }
        let tcp = state.tcp
        record.tcp = FlowRecord.TCPRecord(
            handshake: .init(tcp.handshake),
            handshakeRoundTrip: tcp.handshakeRTT.map { Int64(($0 * 1_000_000_000).rounded()) },
            retransmittedBytes: tcp.retransmittedOctets(.clientToServer) + tcp.retransmittedOctets(.serverToClient),
            outOfOrderSegments: tcp.outOfOrderSegments(.clientToServer) + tcp.outOfOrderSegments(.serverToClient),
            missingBytes: tcp.missingOctets(.clientToServer) + tcp.missingOctets(.serverToClient),
            closedBy: .init(tcp.closedBy))
        return record
    }
}

extension FlowRecord.TCPRecord.Handshake {
    init(_ handshake: TCPConnection.Handshake) {
        self =
            switch handshake {
            case .complete: .complete
            case .partial: .partial
            case .missing: .missing
            }
    }
}

extension FlowRecord.TCPRecord.Close {
    init(_ reason: TCPConnection.CloseReason) {
        self =
            switch reason {
            case .fin: .fin
            case .reset: .reset
            case .open: .open
            }
    }
}
