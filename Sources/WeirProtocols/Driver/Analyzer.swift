public import WeirEngine
public import WeirPackets

/// Turns frames into a timeline: the only loop, and the owner of everything that is open.
///
/// The same frames give the same timeline. Memory follows what is open now, not how long the capture is; every table
/// and buffer keeps to `Limits`.
public final class Analyzer {
    let options: AnalyzerOptions
    let dissectors: [any Dissector.Type]
    /// Those that look at TCP streams, and those that look at datagrams.
    let streamDissectors: [Candidate]
    let datagramDissectors: [Candidate]
    let timeline: Timeline
    let outlet = Outlet()

    let limits: SharedLimits
    var intake: Intake
    /// The open flows.
    var table: FlowTable {
        _read { yield intake.table }
        _modify { yield &intake.table }
    }
    /// State of the flow at the same index of `table`; nil for those that nobody reads.
    var states: [FlowState?] = []
    /// The open media stream of each number.
    var entries: [MediaEntry?] = []
    /// For conversations that several flows carry: their buffers fill while a flow's own are being read.
    var joinedBudget: OctetBudget
    var expectations: Expectations
    var joined: [String: JoinedConversation] = [:]
    var sessions: [Session] = []
    var sessionCount = 0
    /// Open streams by source, for RTCP, which speaks of sources.
    var bySSRC: [UInt32: [MediaEntry]] = [:]
    var streamCount = 0
    /// Flows that were undecided when they began, the first one first; some of them are decided by now.
    var undecided: [FlowPlace] = []
    /// Ports at which an attempt to connect is a session, even when nothing comes of it.
    let sessionPorts = Set(RTSPDissector.descriptor.ports + RTMPDissector.descriptor.ports)
    /// Connection attempts that failed, to ports of which nothing is known.
    var failedConnections = 0
    var summary = SummaryRecord()
    /// How often a limit was reached, in the order of first times.
    private var reached: [(key: String, count: Int)] = []
    /// When to look again for what is over: always a full second.
    var nextTick = Timestamp(nanoseconds: .min)
    /// Connections that wait for what the capture may lack.
    var held = HeldConnections()
    /// When packets were last found to have been dropped.
    var latestDrop: Timestamp?
    /// Whether one of the interfaces that were captured on is gone.
    var lacksInterface = false
    /// What else the summary says of the capture.
    var remarks: [Text] = []

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
        streamDissectors = dissectors.filter { $0.descriptor.carriers.contains(.tcp) }.map { Candidate($0) }
        datagramDissectors =
            dissectors.filter { $0.descriptor.carriers.contains(.udp) && !($0 is RTPDissector.Type) }
            .map { Candidate($0) }
        timeline = Timeline(sink: sink)
        limits = SharedLimits(options.limits)
        intake = Intake(options)
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
        let time = frame.info.time
        let untilTick = nextTick.nanoseconds &- time.nanoseconds
        if UInt64(bitPattern: untilTick &- 1) >= Self.clockTolerance { keepTime(time) }
        timeline.observe(time)
        if time >= held.until { releaseHeld(frame.info) }
        var answer = intake.take(frame)
        while answer == .media || answer == .control {
            if answer == .media { media(frame) } else { control(frame) }
            answer = intake.resume(frame)
        }
        switch answer {
        case .done, .media, .control: break
        case .packet, .segment: packet(frame, isAccepted: answer == .segment)
        case .rest: rest(frame)
        case .chunks: chunks(frame)
        case .other: other(intake.other, frame.info)
        }
    }

    private func packet(_ frame: borrowing Frame, isAccepted: Bool) {
        let unit = intake.unit
        if unit.isReassembled {
            let datagram = intake.reassembled
            transport(unit, datagram.rawSpan, frame.info, isAccepted: isAccepted)
        } else {
            transport(unit, frame.bytes, frame.info, isAccepted: isAccepted)
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
        for index in table.remaining() where table[index].transport == .tcp { endFlow(index, at: last) }
        for session in sessions { endSession(session, at: last) }
        forget(sessions)
        sessions = []
        for index in table.remaining() { endFlow(index, at: last) }
        summary.packets = intake.frames
        summary.bytes = intake.octets
        summary.truncatedPackets = intake.cutFrames
        summary.checksumErrors = intake.checksumErrors
        summary.captureDuplicates = intake.captureDuplicates
        summary.startTime = timeline.start
        if timeline.start != nil { summary.endTime = intake.latestTime }
        summary.events = timeline.eventCount
        summary.damage = damage
        if intake.evictedDatagrams > 0 { reach("limit.fragments", times: intake.evictedDatagrams) }
        if expectations.dropped > 0 { reach("limit.expectations", times: expectations.dropped) }
        summary.limitsReached = remarks + reached.map { Text($0.key, .integer($0.count)) }
        timeline.end(summary)
    }

    /// Stands for the frame at hand where there is none.
    var lastFrame: FrameInfo {
        FrameInfo(
            number: max(1, intake.frames), time: intake.latestTime, capturedLength: 0, originalLength: 0, linkType: .raw
        )
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
    private func transport(_ unit: TransportUnit, _ bytes: RawSpan, _ info: FrameInfo, isAccepted: Bool) {
        let lookup = intake.lookup
        if let ended = lookup.ended {
            if lookup.endReason == .limit { reach("limit.flows") }
            endFlow(ended, at: info, isEvicted: lookup.endReason == .limit)
        }
        let index = lookup.index
        if isHeld(unit, lookup, info) { return }
        guard let state = lookup.isNew ? begin(index, unit) : existing(index) else { return }
        settle(state)
        let payload = bytes.clamped(unit.payload.lowerBound, unit.payload.upperBound)
        let direction = state.isTurned ? lookup.direction.opposite : lookup.direction
        if intake.isCaptureDuplicate {
            countDuplicate(state, payload, direction)
            return
        }
        if unit.missingOctets > 0 { markCut(state, direction, unit.missingOctets) }
        let moment = state.moment(direction, frame: info.number, time: info.time)
        if unit.transport == .tcp {
            let accepted =
                isAccepted ? intake.accepted : intake.accept(payload, direction, state.connection, info)
            segment(unit, payload, state, moment, accepted)
        } else {
            datagram(payload, unit, state, moment, info)
        }
    }

    /// An interleaved packet that the short way did not take.
    private func control(_ frame: borrowing Frame) {
        let lookup = intake.lookup
        guard let state = states[lookup.index] else { return }
        let (octets, channel) = intake.control
        media(
            frame.bytes.clamped(octets.lowerBound, octets.upperBound), wireLength: octets.count, channel: channel,
            state,
            state.moment(lookup.direction, frame: frame.info.number, time: frame.info.time))
    }

    /// Octets of a stream that the short way did not take.
    private func rest(_ frame: borrowing Frame) {
        let lookup = intake.lookup
        guard let state = states[lookup.index] else { return }
        let rest = intake.rest
        offer(
            frame.bytes.clamped(rest.lowerBound, rest.upperBound), state,
            state.moment(lookup.direction, frame: frame.info.number, time: frame.info.time), place: rest.lowerBound,
            frame: frame.info.number)
    }

    private func begin(_ index: Int, _ unit: TransportUnit) -> FlowState {
        let isTCP = unit.transport == .tcp
        return begin(
            index, startsLate: isTCP && !unit.tcp.flags.contains(.syn), connection: isTCP ? TCPConnection() : nil)
    }

    /// Makes the state of a flow.
    func begin(_ index: Int, startsLate: Bool, connection: TCPConnection?) -> FlowState {
        let state = FlowState(table[index], index: index, startsLate: startsLate, shared: limits)
        makeRoom(index)
        states[index] = state
        if let connection {
            state.connection = intake.connections.insert(connection)
            table[index].lane.connection = state.connection
        }
        if let chosen = forced(state.context) { adopt(chosen, state) }
        if state.role == .undecided { noteUndecided(state) }
        return state
    }

    /// The state of a known flow. One that nobody read gets it back when it was announced meanwhile; else it is nil.
    @inline(__always)
    private func existing(_ index: Int) -> FlowState? {
        states[index] ?? reopen(index)
    }

    private func reopen(_ index: Int) -> FlowState? {
        let flow = table[index]
        table[index].lane.lookedUp = intake.announcements
        guard flow.transport == .udp, expectations.match(flow.client, flow.server) != nil else { return nil }
        let state = FlowState(flow, index: index, startsLate: false, shared: limits)
        state.role = .opaque
        states[index] = state
        table[index].lane.turn(to: .open)
        return state
    }

    /// The TCP connection of a flow.
    subscript(connection state: FlowState) -> TCPConnection {
        @inline(__always) _read { yield intake.connections[state.connection] }
        @inline(__always) _modify { yield &intake.connections[state.connection] }
    }

    /// Announces a flow.
    func expect(_ expectation: Expectation, link: MediaLink?) {
        expectations.add(expectation, link: link)
        intake.announcements = Int32(truncatingIfNeeded: expectations.generation)
        if let link { reclaim(expectation.endpoint, for: link.session) }
    }

    /// Ports of a session that is over, and that another announces, are that one's from now on.
    private func reclaim(_ endpoint: Endpoint, for session: RTSPSession) {
        for case let other as RTSPSession in sessions
        where other !== session && (other.isTornDown || other.closedAt != nil) {
            for index in other.mediaFlows {
                guard let state = states[index], state.link?.session === other,
                    state.client == endpoint || state.server == endpoint
                else { continue }
                endStreams(of: state, at: lastFrame)
                state.forgetMedia()
                table[index].lane.turn(to: .open)
            }
        }
    }

    /// Announces the server's end of a flow.
    func expectOpen(_ expectation: Expectation, link: MediaLink) {
        expectations.addOpen(expectation, link: link)
        intake.announcements = Int32(truncatingIfNeeded: expectations.generation)
    }

    /// Nobody reads the flow: from now on its packets are counted, and nothing is kept but its place in the table.
    func pass(_ state: FlowState) {
        state.role = .opaque
        guard state.protocolNames.isEmpty, state.session == nil, state.joined == nil else { return }
        states[state.index] = nil
        table[state.index].lane.turn(to: .passed)
        table[state.index].lane.lookedUp = intake.announcements
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
        var context = state.context
        context.isOneSided = isOneSided(state)
        state.dissector = type.init(flow: context)
        if type is RTMPDissector.Type { takeShortWay(state) }
        if state.transport == .tcp, state.startsLate, !type.findsStarts {
            state.fromClient.isLost = true
            state.fromServer.isLost = true
        }
    }

    private func countDuplicate(_ state: FlowState, _ payload: RawSpan, _ direction: Direction) {
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
    ///
    /// - Parameter isEvicted: it had to give way to others.
    func endFlow(_ index: Int, at info: FrameInfo, isEvicted: Bool = false) {
        if table[index].lane.kind == .held { endHeld(index, isEvicted: isEvicted) }
        let connection = table[index].lane.connection
        if let state = states[index] {
            settle(state)
            if state.transport == .tcp { finishStream(state, at: info) }
            endStreams(of: state, at: info)
            // A media flow may end because a message of another flow, which still is in the outlet, began a session that
            // its own had to make room for.
            if state.dissector != nil {
                let nothing = [UInt8]()
                state.dissector?.finish(outlet)
                drain(
                    state, nothing.rawSpan, state.moment(.clientToServer, frame: info.number, time: info.time), at: nil)
            }
            timeline.flow(record(table[index], state))
            states[index] = nil
            leave(state, at: info)
        } else {
            if connection >= 0 {
                intake.connections[connection].finish()
                while intake.next(connection) != nil {}
            }
            timeline.flow(record(table[index], nil))
        }
        if connection >= 0 { intake.remove(connection) }
        if table[index].lane.framing >= 0 { intake.framings.remove(table[index].lane.framing) }
        if table[index].lane.chunks >= 0 { intake.chunkings.remove(table[index].lane.chunks) }
        table.remove(index)
    }

    /// What a flow's record says; without a state there was nothing but packets.
    private func record(_ flow: Flow, _ state: FlowState?) -> FlowRecord {
        var record = FlowRecord(
            id: flow.id, transport: flow.transport, client: state?.client ?? flow.client,
            server: state?.server ?? flow.server, carriers: flow.protocols, found: state?.protocolNames ?? [],
            startTime: flow.startTime, endTime: flow.endTime, packets: flow.packets, bytes: flow.octets,
            captureDuplicates: Int(flow.captureDuplicates), tcp: nil)
        if let state, state.isTurned {
            swap(&record.packets.clientToServer, &record.packets.serverToClient)
            swap(&record.bytes.clientToServer, &record.bytes.serverToClient)
        }
        if flow.lane.kind == .held, flow.transport == .tcp {
            record.tcp = FlowRecord.TCPRecord(
                TCPConnection(openedWith: flow.openingSequence, at: flow.lane.openingTime))
        }
        guard flow.lane.connection >= 0 else { return record }
        record.tcp = FlowRecord.TCPRecord(intake.connections[flow.lane.connection])
        return record
    }
}
