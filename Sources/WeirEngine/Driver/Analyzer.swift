import WeirPackets

/// Turns frames into a timeline, one at a time, and owns everything that is open.
///
/// The same frames give the same timeline. Memory follows what is open now, not how long the capture is; every table
/// and buffer keeps to `Limits`.
package final class Analyzer {
    let options: AnalyzerOptions
    let dissectors: [any Dissector.Type]
    /// Those that look at TCP streams, and those that look at datagrams.
    let streamDissectors: [Candidate]
    let datagramDissectors: [Candidate]
    /// Those that look at messages which another protocol carries.
    let messageDissectors: [any Dissector.Type]
    /// Those of which a single datagram proves nothing.
    let recognisers: [(dissector: any Dissector.Type, recogniser: any Recogniser.Type)]
    let timeline: Timeline
    /// What dissectors say.
    let outlet = Outlet()
    /// What stories say.
    let storyOutlet: StoryOutlet

    let limits: SharedLimits
    var fastPaths: FastPaths
    /// What is to be held of the frames' times.
    let captureClock: CaptureClock
    /// The open flows.
    var table: FlowTable {
        _read { yield fastPaths.table }
        _modify { yield &fastPaths.table }
    }
    /// How many flows have a state.
    var openStates = 0
    /// How many streams were open when memory was looked at for them.
    var watchedStreams = 0
    /// State of the flow at the same index of `table`; nil for those that nobody reads.
    var states: [FlowState?] = []
    /// For conversations inside others: their buffers fill while a flow's own are being read.
    var innerBudget: OctetBudget
    var conversations: [String: Conversation] = [:]
    var sessions = SessionList()
    var attempts = RepeatedAttempts()
    /// Flows that were undecided when they began, the first one first; some of them are decided by now.
    var undecided: [FlowHandle] = []
    /// Ports at which an attempt to connect is a session, even when nothing comes of it.
    let sessionPorts: Set<UInt16>
    /// Ports at which protocols in datagrams are asked.
    let servicePorts: Set<UInt16>
    /// Connection attempts that failed, to ports of which nothing is known.
    var failedConnections = 0
    var summary = SummaryRecord()
    /// When to look again for what is over: always a full second.
    var nextTick = Timestamp(nanoseconds: .min)
    /// Connections that wait for what the capture may lack.
    var held: HeldConnections
    /// When packets were last found to have been dropped.
    var latestDrop: Timestamp?
    /// Whether one of the interfaces that were captured on is gone.
    var lacksInterface = false
    /// Whether the capture has ended.
    var isFinishing = false
    /// Whether any UDP datagram was seen.
    var sawDatagrams = false
    /// What else the summary says of the capture.
    var remarks: [Text] = []

    /// What a protocol keeps for the whole analysis.
    package func shared<State: SharedState>(_ type: State.Type) -> State { storyOutlet.shared(type) }

    /// Creates an analyzer that hands the timeline to `sink`.
    ///
    /// - Parameter plugins: the protocols to look for.
    package init(
        options: AnalyzerOptions = AnalyzerOptions(),
        plugins: [any Plugin.Type],
        sink: any TimelineSink
    ) {
        self.options = options
        dissectors = plugins.flatMap { $0.dissectors }
        streamDissectors = dissectors.filter { $0.descriptor.carriers.contains(.tcp) }.map { Candidate($0) }
        datagramDissectors =
            dissectors.filter { $0.descriptor.carriers.contains(.udp) && $0.recogniser?.isAlone != true }
            .map { Candidate($0) }
        messageDissectors = dissectors.filter { $0.descriptor.carriers.contains(.message) }
        var recognisers: [(dissector: any Dissector.Type, recogniser: any Recogniser.Type)] = []
        var sessionPorts: Set<UInt16> = []
        var servicePorts: Set<UInt16> = []
        for type in dissectors {
            if let recogniser = type.recogniser { recognisers.append((type, recogniser)) }
            let descriptor = type.descriptor
            if type.story != nil, descriptor.carriers.contains(.tcp) { sessionPorts.formUnion(descriptor.ports) }
            if descriptor.carriers.contains(.udp) { servicePorts.formUnion(descriptor.ports) }
        }
        self.recognisers = recognisers
        self.sessionPorts = sessionPorts
        self.servicePorts = servicePorts
        timeline = Timeline(sink: sink)
        storyOutlet = StoryOutlet(options, timeline)
        limits = SharedLimits(options)
        let types = plugins.flatMap { $0.fastPaths }
        fastPaths = FastPaths(options, types.map { [storyOutlet] in storyOutlet.path($0) })
        captureClock = fastPaths.clock
        innerBudget = .messages(options.limits)
        held = HeldConnections(limit: options.limits.waitingConnections)
        storyOutlet.driver = self
    }

    deinit {
        storyOutlet.close()
    }

    /// Begins a capture.
    package func begin(_ capture: CaptureRecord) {
        // Of a file it is not known, unless the file says so.
        if capture.format == "live" { summary.droppedPackets = 0 }
        timeline.begin(capture)
    }

    /// Why `process` returned before the source ended.
    package enum Pause {
        /// There are so many frames as were asked for.
        case count
        /// Packets were dropped before the latest frame, which has this time.
        case drops(Timestamp)
    }

    /// Analyses the frames of a source, at most `count` of them.
    ///
    /// - Returns: why there may be more; nil at the end of the source.
    /// - Throws: what the source throws; the frames before are analysed.
    package func process<Source: FrameSource & ~Copyable>(
        _ source: inout Source, atMost count: Int
    ) throws(Source.Failure) -> Pause? {
        let last = fastPaths.frames &+ max(1, count)
        while let remainder = try fastPaths.skim(&source, until: last) {
            process(remainder.frame, remainder.answer)
            if remainder.frame.info.followsDrops { return .drops(remainder.frame.info.time) }
            if fastPaths.frames >= last { return .count }
        }
        return nil
    }

    /// Analyses one frame.
    package func process(_ frame: borrowing Frame) {
        process(frame, fastPaths.take(frame))
    }

    private func process(_ frame: borrowing Frame, _ taken: FastPaths.Answer) {
        var answer = taken
        if answer == .clock {
            moveClock(frame.info)
            answer = fastPaths.takeNow(frame)
        }
        switch answer {
        case .done, .clock: return
        case .packet, .segment: packet(frame, isAccepted: answer == .segment)
        case .rest: rest(frame)
        case .other: other(fastPaths.other, frame.info)
        }
        if !storyOutlet.pathChanges.isEmpty { changePaths() }
    }

    private func packet(_ frame: borrowing Frame, isAccepted: Bool) {
        let packet = fastPaths.packet
        if packet.unit.isReassembled {
            let datagram = fastPaths.reassembled
            transport(packet, datagram.rawSpan, frame.info, isAccepted: isAccepted)
        } else {
            transport(packet, frame.bytes, frame.info, isAccepted: isAccepted)
        }
    }

    /// A frame in which there is no TCP segment and no UDP datagram.
    private func other(_ answer: Decoded, _ info: FrameInfo) {
        switch answer {
        case .icmp(let message): icmp(message, info)
        case .failed(let error): note(UndecodedPackets(error, isCut: false, frame: info.number))
        case .cut(let error): note(UndecodedPackets(error, isCut: true, frame: info.number))
        case .other(.linkType(let type)): note(UndecodedPackets(type, frame: info.number))
        case .other(.tooManyLayers): reach("limit.encapsulations")
        case .transport, .fragment, .other: break
        }
    }

    /// Counts a packet that could not be decoded; of each layer and reason the first is kept.
    private func note(_ packet: UndecodedPackets) {
        summary.undecodedPackets &+= 1
        if let known = summary.undecoded.firstIndex(where: { $0.isAlike(packet) }) {
            summary.undecoded[known].packets &+= 1
        } else {
            summary.undecoded.append(packet)
        }
    }

    /// Ends the capture: what is still open ends with it.
    package func finish(damage: Damage? = nil) {
        let last = lastFrame
        isFinishing = true
        for session in sessions.all where isOpen(session) { session.completeness.endsEarly = true }
        for index in table.remaining() where table[index].transport == .tcp { endFlow(index, at: last) }
        let open = sessions.all
        for session in open { endSession(session, at: last) }
        forgetAll(open)
        for index in table.remaining() { endFlow(index, at: last) }
        // No packet comes any more that could take another way.
        storyOutlet.pathChanges = []
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
        let dropped = storyOutlet.claims.dropped
        if dropped.all > 0 { reach("limit.expectations", times: dropped.all) }
        if dropped.alike > 0 { reach("limit.expectationsAlike", times: dropped.alike) }
        summary.limitsReached = remarks + storyOutlet.reached.map { Text($0.key, .integer($0.count)) }
        timeline.end(summary)
    }

    /// Stands for the frame at hand where there is none.
    var lastFrame: FrameInfo {
        FrameInfo(
            number: max(1, fastPaths.frames), time: fastPaths.latestTime, capturedLength: 0, originalLength: 0,
            linkType: .raw
        )
    }

    /// When the latest frame came.
    var now: Timestamp { fastPaths.latestTime }
    /// Frames so far.
    package var frames: Int { fastPaths.frames }

    /// Counts that a limit was reached; `key` is one of the string catalogue.
    func reach(_ key: String, times: Int = 1) { storyOutlet.reach(key, times: times) }
}
