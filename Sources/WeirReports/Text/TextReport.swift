public import WeirEngine
import WeirPackets

/// The text report: an overview of the capture, the timelines of its sessions, and a summary.
///
/// For a file, the overview comes first, and the steps of sessions wait until it is known which timelines are shown; if
/// there are many, they are written to a spool. Live and piped captures are printed during the analysis, with the overview
/// at the end; the latest steps are buffered briefly. In both cases late events, such as a gap, are printed in their place.
public final class TextReport: Report {
    /// A session that ended, and whose timeline may be shown.
    struct Ended {
        var id: Int
        var reference: SessionReference
        /// Heading, outcome and peers.
        var head: [UInt8]
        /// Its streams, unless the overview lists them.
        var streams: [UInt8]
        /// Its findings by rule, and those not in the overview.
        var findings: [UInt8]
        var folded: [UInt8]
        var isWanted: Bool
    }

    private static let blockSize = 64 * 1024
    /// The maximum number of flows whose session is kept.
    private static let maxRememberedFlows = 10_000
    /// The maximum number of sessions whose timelines are all shown.
    static let few = 4
    /// The maximum number of timelines, unless all are requested.
    private static let mostTimelines = 100
    /// The maximum number of lines outside of sessions, if there are many sessions.
    static let mostLooseLines = 40
    /// The group of steps without a session.
    static let loose = 0

    let options: ReportOptions
    let page: Page
    let output: any ReportOutput
    let store: TimelineStore
    var writer: TimelineWriter
    var held = StepReorderBuffer()
    /// The steps of sessions that wait, and by flow those of none.
    private var waiting = Lent(WaitingSteps())
    var waitingLoose = WaitingSteps()
    var capture: CaptureRecord?
    /// Whether output is live, during the analysis.
    var isLive = false
    var start: Timestamp?
    var overview = Overview()
    var findings = Lent(RuleFindings())
    /// The groups by session.
    var groups = Lent(TimelineGroups())
    /// The current group, or for steps without a session also the flow.
    var current: (group: Int, flow: Int)?
    /// Open sessions with printed steps, and their findings.
    var open = NumberedObjects<SessionDigest>()
    var sessionsSeen = 0
    var ended: [Ended] = []
    /// Signatures of sessions that were shown, by outcome and findings.
    private var known: Set<Int> = []
    /// The first session of each flow: earlier steps on the flow belong to it, too.
    private var sessionsByFlow: [Int: SessionReference] = [:]
    private var settled = Lent(SettledFlows())
    var flowCount = 0
    var shown = 0
    /// The number of captures, which are separated by a blank line.
    private var captures = 0

    /// Creates a report that writes to `output`. `spool` creates the spool of timelines.
    public init(
        _ options: ReportOptions, page: Page = Page(), output: any ReportOutput,
        spool: @escaping () -> any ReportSpool = { MemorySpool() }
    ) {
        self.options = options
        self.page = page
        self.output = output
        store = TimelineStore(spool)
        writer = TimelineWriter(options, page)
    }

    /// None: members of sessions are not shown.
    public var factPolicies: Set<SecretPolicy> { [] }

    /// False: flows are only counted.
    public var listsFlows: Bool { false }

    /// Writes out everything so far, in live output.
    public func flush() {
        guard isLive else { return }
        release()
        writer.text.take(output)
    }

    /// Writes the remainder after the last capture.
    public func finish() {
        flush()
        writer.text.take(output)
    }

    /// Starts a capture.
    public func begin(_ capture: CaptureRecord) {
        self.capture = capture
        isLive = capture.isStreamed && page.extent != .overview
        var live = page
        live.extent = isLive ? .whole : page.extent
        writer = TimelineWriter(options, live, isLive: isLive)
        store.clear()
        held = StepReorderBuffer()
        (waiting, waitingLoose) = (Lent(WaitingSteps()), WaitingSteps())
        (start, overview, current, open, sessionsSeen) = (nil, Overview(), nil, NumberedObjects(), 0)
        (findings, groups) = (Lent(RuleFindings()), Lent(TimelineGroups()))
        (ended, known, sessionsByFlow, flowCount, shown) = ([], [], [:], 0, 0)
        settled = Lent(SettledFlows())
        if captures > 0 { writer.text.line() }
        captures += 1
        if isLive { writer.text.heading(capture, nil) }
    }

    // MARK: - Steps

    /// Adds a step and its findings.
    public func event(_ event: Event, session: SessionReference?, findings found: [Finding]) {
        guard options.selection.includes(event) else { return }
        shown += 1
        if start == nil { start = Timestamp(nanoseconds: event.time.nanoseconds &- event.offset) }
        if let session, !settled.current.contains(event.flow, session.id) {
            if sessionsByFlow.count < Self.maxRememberedFlows, sessionsByFlow[event.flow] == nil {
                sessionsByFlow[event.flow] = session
                let earlier = waitingLoose.remove(event.flow)
                updateWaiting { $0.insert(earlier, to: session.id) }
            }
            introduce(session)
            var taken = settled.take()
            taken.insert(event.flow, session.id)
            settled.put(consume taken)
        }
        if !found.isEmpty { count(found, session) }
        guard page.extent != .overview else { return }
        let octets = event.message.keptOctets
        if isLive {
            held.hold(.event(event, session, found), octets: octets, at: event.time)
            while let first = held.due() { show(first, of: owner(of: first), next: held.first) }
        } else {
            wait(event, session, found, octets: octets)
        }
    }

    /// Adds a finding without a step.
    public func finding(_ finding: Finding, session: SessionReference?) {
        guard options.selection.includes(protocolName: finding.plugin) else { return }
        if let session {
            guard options.selection.includes(anyOf: session.flows), options.selection.includes(session: session.id)
            else { return }
        }
        introduce(session)
        count([finding], session)
        guard page.extent != .overview else { return }
        guard isLive else { return wait(.finding(finding, session), of: session) }
        held.hold(.finding(finding, session))
        while let first = held.due() { show(first, of: owner(of: first), next: held.first) }
    }

    /// Prints the buffered steps of live output.
    func release() {
        while let step = held.next() { show(step, of: owner(of: step), next: held.first) }
    }

    /// Adds a step to those of its session or flow.
    private func wait(_ event: Event, _ session: SessionReference?, _ found: [Finding], octets: Int) {
        guard let owner = session ?? sessionsByFlow[event.flow] else {
            waitingLoose.insert(event, session, found, to: event.flow, octets: octets)
            if waitingLoose.isFull { printLoose() }
            return
        }
        let isFull = updateWaiting { waiting in
            // A step inside another of its frame decides whether that is printed.
            if waiting.lastFrame(of: owner.id) != event.frame, countsAtOnce(event, found, owner.id) { return false }
            waiting.insert(event, session, found, to: owner.id, octets: octets)
            return waiting.isFull
        }
        if isFull { printWaiting(owner.id, of: owner) }
    }

    /// Adds a finding without a step to those of its session.
    private func wait(_ step: StepReorderBuffer.Step, of owner: SessionReference?) {
        guard let owner else {
            waitingLoose.insert(step, to: Self.loose)
            if waitingLoose.isFull { printLoose() }
            return
        }
        let isFull = updateWaiting {
            $0.insert(step, to: owner.id)
            return $0.isFull
        }
        if isFull { printWaiting(owner.id, of: owner) }
    }

    /// Prints the steps of a session that wait.
    func printWaiting(_ session: Int, of owner: SessionReference?) {
        show(updateWaiting { $0.take(session) }, of: owner)
    }

    @inline(__always)
    private func updateWaiting<Result>(_ body: (inout WaitingSteps) -> Result) -> Result {
        var taken = waiting.take()
        let result = body(&taken)
        waiting.put(consume taken)
        return result
    }

    /// Counts a step with the lines of its session, if that is all that it would do.
    private func countsAtOnce(_ event: Event, _ found: [Finding], _ session: Int) -> Bool {
        writer.countsAtOnce(event, found, in: group(session))
    }

    /// Prints the steps without a session that wait.
    func printLoose() { show(waitingLoose.takeAll(), of: nil) }

    private func show(_ entries: [WaitingSteps.Entry], of owner: SessionReference?) {
        for index in entries.indices {
            let next = index + 1
            show(entries[index].step, of: owner, next: next < entries.count ? entries[next].step : nil)
        }
    }

    private func show(
        _ step: StepReorderBuffer.Step, of owner: SessionReference?, next: @autoclosure () -> StepReorderBuffer.Step?
    ) {
        // Messages that only encapsulate another are omitted.
        if case .event(let event, _, let found) = step, event.message.isEnvelope, event.remarks.isEmpty,
            !found.contains(where: \.isFault), next()?.isInside(event) == true
        {
            return
        }
        print(step, of: owner)
    }

    /// Returns the session of a step; steps before a session was known belong to the session of their flow.
    private func owner(of step: StepReorderBuffer.Step) -> SessionReference? {
        switch step {
        case .event(let event, let session, _): session ?? sessionsByFlow[event.flow]
        case .finding(_, let session): session
        }
    }

    private func print(_ step: StepReorderBuffer.Step, of owner: SessionReference?) {
        switch step {
        case .event(let event, let session, let found):
            let isForward =
                owner?.isForward(event.direction, from: event.source, to: event.destination)
                ?? (event.direction == .clientToServer)
            let group = enter(owner, flow: event)
            // Steps before the session was known belong to its start.
            let phase = owner == nil ? nil : session == nil ? known(group)?.phase ?? .connect : event.phase
            writer.step(event, in: phase, isForward: isForward, found, of: self.group(group))
            store(group)
        case .finding(let finding, _):
            let group = enter(owner, flow: nil)
            writer.finding(finding, in: self.group(group))
            store(group)
        }
    }

    /// Moves the printed lines to their group.
    func store(_ group: Int) {
        guard !isLive else {
            if writer.text.octets.count >= Self.blockSize { writer.text.take(output) }
            return
        }
        store.append(writer.text.takeLines(), to: group)
    }

    // MARK: - Ends

    /// Counts a flow; its steps were shown.
    public func flow(_ flow: FlowRecord) {
        flowCount += 1
        count(flow.repeatedFindings, nil)
    }

    /// Adds a stream, which is listed with its session.
    public func stream(_ stream: StreamRecord, session: SessionReference?) {
        guard options.selection.includes(flow: stream.flow), options.selection.includes(protocolName: stream.kind),
            options.selection.includes(session: stream.session)
        else { return }
        overview.add(stream, of: session)
        if let session { open[session.id]?.add(stream) }
    }

    /// Counts later occurrences of findings.
    private func count(_ repeated: [RepeatedFinding], _ session: SessionDigest?) {
        guard !repeated.isEmpty else { return }
        var taken = findings.take()
        let repeated = repeated.span
        for index in repeated.indices {
            taken.add(repeated[index])
            session?.add(repeated[index])
        }
        findings.put(consume taken)
    }

    /// Ends a session.
    public func session(_ record: SessionRecord) {
        if isLive { release() }
        defer {
            open.remove(record.id)
            settled = Lent(SettledFlows())
            for flow in record.reference.flows where sessionsByFlow[flow]?.id == record.id {
                sessionsByFlow[flow] = nil
            }
        }
        guard let session = open[record.id] else { return discard(record.id) }
        count(record.repeatedFindings, session)
        overview.add(session.row(record, writer.text, options.secrets))
        for stream in session.streams { overview.note(directionOf: stream, in: record.reference) }
        if isLive {
            if let group = removeGroup(record.id) { writer.close(group) }
            if current?.group != record.id { _ = enter(record.reference, flow: nil) }
            writer.text.line()
            session.describe(record, on: &writer.text)
            session.listStreams(record, on: &writer.text, options.secrets)
            writer.text.findings(session.findings, named: writer.text.label("findings"), names: false)
            current = nil
        } else if page.extent != .overview {
            keep(record, session)
        }
    }

    /// Removes the steps of a session without printing them.
    private func discard(_ session: Int) {
        removeGroup(session)
        _ = updateWaiting { $0.take(session) }
        store.discard(session)
    }

    /// Keeps the output of a session, unless it is already known not to be shown.
    private func keep(_ record: SessionRecord, _ session: SessionDigest) {
        let isFaulty = session.isFaulty(record)
        let isNew = record.attempt?.number ?? 1 == 1 && known.insert(session.signature(record)).inserted
        let isShown =
            page.isWhole || sessionsSeen <= Self.few
            || isFaulty && isNew && ended.count < Self.mostTimelines
        guard isShown else { return discard(record.id) }
        writer.text.line()
        writer.text.line(name(record.reference))
        session.describe(record, on: &writer.text)
        let head = writer.text.takeLines()
        session.listStreams(record, on: &writer.text, options.secrets)
        let streams = writer.text.takeLines()
        writer.text.folded(session.findings)
        let folded = writer.text.takeLines()
        writer.text.findings(session.findings, named: writer.text.label("findings"), names: false)
        ended.append(
            Ended(
                id: record.id, reference: record.reference, head: head, streams: streams,
                findings: writer.text.takeLines(), folded: folded,
                isWanted: isFaulty && isNew))
    }
}
