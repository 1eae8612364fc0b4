import WeirPackets

/// Turns frames into a timeline, and owns all open state.
///
/// The result is deterministic. Memory depends on what is open, not on the length of the capture; every table and
/// buffer is bounded by `Limits`.
package final class Analyzer {
    let options: AnalyzerOptions
    let dissectors: [any Dissector.Type]
    /// The first dissector of each name.
    let dissectorsByName: [String: any Dissector.Type]
    /// Dissectors for TCP streams and for datagrams.
    let streamDissectors: Candidates
    let datagramDissectors: Candidates
    /// Dissectors for messages carried by another protocol.
    let messageDissectors: [any Dissector.Type]
    /// Dissectors that need several datagrams to recognize their protocol.
    let recognizers: [(dissector: any Dissector.Type, recognizer: any Recognizer.Type)]
    let timeline: Timeline
    /// The outlet of dissectors.
    let outlet = Outlet()
    /// The outlet of stories.
    let sessionOutlet: SessionOutlet

    let limits: SharedLimits
    // In an array, since the value is large: taking it out and putting it back moves a reference.
    private var storedPaths: Lent<[FastPaths]>
    var fastPaths: FastPaths {
        @inline(__always) _read {
            let list = storedPaths.current
            yield list.span[0]
        }
        @inline(__always) _modify {
            var taken = storedPaths.take()
            defer { storedPaths.put(taken) }
            yield &taken[0]
        }
    }
    /// Tracks capture clock irregularities.
    let captureClock: CaptureClock
    /// The open flows.
    var table: FlowTable {
        @inline(__always) _read { yield fastPaths.table }
        @inline(__always) _modify { yield &fastPaths.table }
    }
    /// The number of flows with a state.
    var openStates = 0
    /// The number of open streams at the last memory check.
    var watchedStreams = 0
    /// The state of the flow at the same index of `table`; nil for ignored flows.
    let states = FlowStates()
    /// The budget of nested conversations, whose buffers fill while a flow's own buffers are being read.
    var innerBudget: OctetBudget {
        get { storedBudget }
        set { storedBudget = newValue }
    }
    private var storedBudget: OctetBudget
    var conversations: [String: Conversation] = [:]
    var sessions = SessionList()
    /// The number of open sessions; here, since asking the list takes longer and every flow does.
    var openSessions = 0
    var attempts = RepeatedAttempts()
    /// Flows that started undecided, oldest first; some may be decided by now.
    var undecided = Lent<[FlowHandle]>([])
    /// Ports at which a connection attempt counts as a session even if it fails.
    let sessionPorts: [UInt16]
    /// The ports of the protocols that run over datagrams.
    let servicePorts: [UInt16]
    /// The number of failed connection attempts to ports of no known protocol.
    var failedConnections = 0
    var summary = SummaryRecord()
    /// The time of the next expiry check; always a full second.
    var nextTick = Timestamp(nanoseconds: .min)
    /// Encrypted connections of unknown purpose.
    var hidden = Lent(HiddenFlows())
    /// Connections that wait for data that the capture may not contain.
    var held: PendingConnections
    /// The time of the latest detected packet drop.
    var latestDrop: Timestamp?
    /// Whether a captured interface has disappeared.
    var lacksInterface = false
    /// Whether the capture has ended.
    var isFinishing = false
    /// Whether any UDP datagram was seen.
    var sawDatagrams = false
    /// Keeps what is open at the end of the capture, if the process ends with it.
    private(set) var remains: Remains?
    /// Further notes about the capture for the summary.
    var remarks: [Text] = []

    /// Returns the state that a protocol keeps for the whole analysis.
    package func shared<State: SharedState>(_ type: State.Type) -> State { sessionOutlet.shared(type) }

    /// Creates an analyzer that emits the timeline to `sink`.
    ///
    /// - Parameter plugins: The protocols to detect.
    package init(
        options: AnalyzerOptions = AnalyzerOptions(),
        plugins: [any Plugin.Type],
        sink: any TimelineSink
    ) {
        self.options = options
        dissectors = plugins.flatMap { $0.dissectors }
        dissectorsByName = Dictionary(dissectors.map { ($0.descriptor.name, $0) }) { first, _ in first }
        streamDissectors = Candidates(dissectors.filter { $0.descriptor.carriers.contains(.tcp) })
        datagramDissectors = Candidates(
            dissectors.filter { $0.descriptor.carriers.contains(.udp) && $0.recognizer?.isAlone != true })
        messageDissectors = dissectors.filter { $0.descriptor.carriers.contains(.message) }
        var recognizers: [(dissector: any Dissector.Type, recognizer: any Recognizer.Type)] = []
        var sessionPorts: [UInt16] = []
        var servicePorts: [UInt16] = []
        for type in dissectors {
            if let recognizer = type.recognizer { recognizers.append((type, recognizer)) }
            let descriptor = type.descriptor
            if type.sessionType != nil, descriptor.carriers.contains(.tcp) { sessionPorts += descriptor.ports }
            if descriptor.carriers.contains(.udp) { servicePorts += descriptor.ports }
        }
        self.recognizers = recognizers
        self.sessionPorts = sessionPorts
        self.servicePorts = servicePorts
        timeline = Timeline(sink: sink)
        sessionOutlet = SessionOutlet(options, timeline)
        limits = SharedLimits(options)
        let types = plugins.flatMap { $0.fastPaths }
        let paths = FastPaths(
            options, types.map { [sessionOutlet] in sessionOutlet.path($0) }, listsFlows: timeline.listsFlows)
        storedPaths = Lent([paths])
        captureClock = paths.clock
        storedBudget = .messages(options.limits)
        held = PendingConnections(limit: options.limits.waitingConnections)
        sessionOutlet.attach(to: self)
        sessionOutlet.clock = captureClock
    }

    deinit {
        sessionOutlet.close()
    }

    /// Starts a capture.
    package func begin(_ capture: CaptureRecord) {
        // For files the number is unknown unless the file contains it.
        if capture.format == "live" { summary.droppedPackets = 0 }
        timeline.begin(capture)
    }

    /// The reason why `process` returned before the end of the source.
    package enum Pause {
        /// The requested number of frames was processed.
        case count
        /// Packets were dropped before the latest frame, which has this time.
        case drops(Timestamp)
    }

    /// Processes up to `count` frames of a source.
    ///
    /// - Returns: Why there may be more frames, or nil at the end of the source.
    /// - Throws: The source's error, after processing the frames before it.
    package func process<Source: FrameSource & ~Copyable>(
        _ source: inout Source, atMost count: Int
    ) throws(Source.Failure) -> Pause? {
        let last = fastPaths.frames &+ max(1, count)
        while true {
            let hadRecords = processRecords(&source, until: last)
            if fastPaths.frames >= last { return .count }
            let next = hadRecords ? fastPaths.frames &+ 1 : last
            guard let remainder = try fastPaths.skim(&source, until: next) else { return nil }
            process(remainder.frame, remainder.answer)
            if remainder.frame.info.followsDrops { return .drops(remainder.frame.info.time) }
        }
    }

    /// Processes the frames of a source that are in memory, up to frame number `last`. Returns false if there are none.
    private func processRecords<Source: FrameSource & ~Copyable>(_ source: inout Source, until last: Int) -> Bool {
        guard let progress = processBlock(source.records(), until: last) else { return false }
        source.skip(progress)
        return true
    }

    private func processBlock(_ records: consuming RecordBlock?, until last: Int) -> RecordBlock.Progress? {
        guard var block = records else { return nil }
        while let remainder = fastPaths.skim(&block, until: last) {
            process(remainder.frame, remainder.answer)
            if remainder.isLast { break }
        }
        return block.progress
    }

    /// Processes one frame.
    package func process(_ frame: borrowing Frame) {
        process(frame, fastPaths.take(frame.info, frame.bytes))
    }

    private func process(_ frame: borrowing Frame, _ taken: FastPaths.Answer) {
        var answer = taken
        if answer == .clock {
            moveClock(frame.info)
            answer = fastPaths.takeNow(frame.info, frame.bytes)
        }
        switch answer {
        case .done, .clock: return
        case .packet, .segment: packet(frame, isAccepted: answer == .segment)
        case .rest: rest(frame)
        case .other: other(fastPaths.other, frame.info)
        }
        if sessionOutlet.hasPathChanges { changePaths() }
    }

    private func packet(_ frame: borrowing Frame, isAccepted: Bool) {
        let packet = fastPaths.packet(of: frame)
        if packet.unit.isReassembled {
            let datagram = fastPaths.reassembled
            transport(packet, datagram.rawSpan, frame.info, isAccepted: isAccepted)
        } else {
            transport(packet, frame.bytes, frame.info, isAccepted: isAccepted)
        }
    }

    /// Handles a frame without a TCP segment or UDP datagram.
    private func other(_ answer: Decoded, _ info: FrameInfo) {
        switch answer {
        case .icmp(let message): icmp(message, info)
        case .failed(let error): note(UndecodedPackets(error, isCut: false, frame: info.number))
        case .cut(let error): note(UndecodedPackets(error, isCut: true, frame: info.number))
        case .other(.linkType(let type)): note(UndecodedPackets(type, frame: info.number))
        case .other(.tooManyLayers): reach("limit.encapsulations")
        // A filter for TCP would exclude these as well as UDP.
        case .other(.etherType), .other(.ipProtocol): sawDatagrams = true
        case .transport, .fragment, .other: break
        }
    }

    /// Counts a packet that could not be decoded, and keeps the first for each layer and reason.
    private func note(_ packet: UndecodedPackets) {
        summary.undecodedPackets &+= 1
        if let known = summary.undecoded.firstIndex(where: { $0.isAlike(packet) }) {
            summary.undecoded[known].packets &+= 1
        } else {
            summary.undecoded.append(packet)
        }
    }

    /// The number of flows that are kept: of more, the memory is needed for their records.
    private static let mostKept = 8_192

    /// Ends the capture and everything that is still open.
    ///
    /// - Parameter remains: Keeps what was open, instead of destroying it.
    package func finish(damage: Damage? = nil, keeping remains: Remains? = nil) {
        let last = lastFrame
        isFinishing = true
        if openStates <= Self.mostKept { self.remains = remains }
        for session in sessions.all where isOpen(session) { session.completeness.endsEarly = true }
        for index in table.remaining() where table[index].transport == .tcp { endFlow(index, at: last) }
        let open = sessions.all
        for session in open { endSession(session, at: last) }
        forgetAll(open)
        for index in table.remaining() { endFlow(index, at: last) }
        // No more packets arrive, so path changes are irrelevant.
        _ = sessionOutlet.takePathChanges()
        summary.packets = fastPaths.frames
        summary.bytes = fastPaths.octets
        summary.truncatedPackets = fastPaths.cutFrames
        summary.checksumErrors = fastPaths.checksumErrors
        summary.captureDuplicates = fastPaths.captureDuplicates
        summary.stepsBack = fastPaths.stepsBack.count
        summary.firstStepBack = summary.stepsBack > 0 ? fastPaths.stepsBack.first : nil
        summary.startTime = timeline.start
        if timeline.start != nil { summary.endTime = fastPaths.latestTime }
        summary.events = timeline.eventCount
        summary.damage = damage
        if fastPaths.evictedDatagrams > 0 { reach("limit.fragments", times: fastPaths.evictedDatagrams) }
        if fastPaths.forcedGaps > 0 { reach("limit.gaps", times: fastPaths.forcedGaps) }
        let dropped = sessionOutlet.claims.dropped
        if dropped.all > 0 { reach("limit.expectations", times: dropped.all) }
        if dropped.alike > 0 { reach("limit.expectationsAlike", times: dropped.alike) }
        summary.limitsReached = remarks + sessionOutlet.reached.map { Text($0.key, .integer($0.count)) }
        timeline.end(summary)
        self.remains?.keep(self)
    }

    /// A placeholder for the current frame where there is none.
    var lastFrame: FrameInfo {
        FrameInfo(
            number: max(1, fastPaths.frames), time: fastPaths.latestTime, capturedLength: 0, originalLength: 0,
            linkType: .raw
        )
    }

    /// The time of the latest frame.
    var now: Timestamp { fastPaths.latestTime }
    /// The number of frames so far.
    package var frames: Int { fastPaths.frames }

    /// Counts that a limit was reached; `key` is a string catalog key.
    func reach(_ key: String, times: Int = 1) { sessionOutlet.reach(key, times: times) }
}
