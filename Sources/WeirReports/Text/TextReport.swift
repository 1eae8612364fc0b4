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
    /// The maximum number of sessions whose timelines are all shown.
    static let few = 4
    /// The maximum number of timelines, unless all are requested.
    private static let mostTimelines = 100
    /// The maximum number of lines outside of sessions, if there are many sessions.
    static let mostLooseLines = 40
    /// The group of steps without a session.
    static let loose = 0

    let options: ReportOptions
    /// Whether all steps are selected.
    private let selectsAll: Bool
    let page: Page
    let output: any ReportOutput
    let store: TimelineStore
    var writer: TimelineWriter
    var held = StepReorderBuffer()
    private var loose = Lent(LooseSteps())
    /// The waiting steps of all sessions.
    private var waiting = WaitingTotal()
    var capture: CaptureRecord?
    /// Whether output is live, during the analysis.
    var isLive = false
    var start: Timestamp?
    var overview = Lent(Overview())
    var findings = Lent(RuleFindings())
    /// The groups by session: those that are open, or whose timeline may be shown.
    var groups = Lent(NumberTable<TimelineGroup>())
    /// The current group, or for steps without a session also the flow.
    var current: (group: Int, flow: Int)?
    var sessionsSeen = 0
    var ended: [Ended] = []
    /// Signatures of sessions that were shown, by outcome and findings.
    private var known: Set<Int> = []
    private var sessionFlows = Lent(SessionFlows())
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
        selectsAll = options.selection.isAll
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
        (loose, waiting, sessionFlows) = (Lent(LooseSteps()), WaitingTotal(), Lent(SessionFlows()))
        (overview, findings, groups) = (Lent(Overview()), Lent(RuleFindings()), Lent(NumberTable()))
        (start, current, sessionsSeen, ended, known, flowCount, shown) = (nil, nil, 0, [], [], 0, 0)
        if captures > 0 { writer.text.line() }
        captures += 1
        if isLive { writer.text.heading(capture, nil) }
    }

    // MARK: - Steps

    /// Adds a step and its findings.
    public func event(_ event: Event, session: SessionReference?, findings found: [Finding]) {
        guard selectsAll || options.selection.includes(event) else { return }
        noteShown(at: event.time, offset: event.offset)
        let group = session.map { self.group(of: $0, on: event.flow) }
        if !found.isEmpty { count(found, in: group) }
        guard page.extent != .overview else { return }
        let octets = event.message.keptOctets
        if isLive {
            held.hold(.event(event, session, found), octets: octets, at: event.time)
            while let first = held.due() { show(first, of: owner(of: first), next: held.first) }
        } else {
            wait(event, session, found, in: group, octets: octets)
        }
    }

    /// Whether steps are counted without their event: if the timeline is condensed, and they wait.
    public var countsSteps: Bool { selectsAll && !isLive && !page.isWhole }

    /// Counts a step of a session.
    public func count(_ step: CountedStep, session: SessionReference) -> Bool {
        let group = group(of: session, on: step.flow)
        guard group.lastFrame != step.frame else { return false }
        noteShown(1 + step.others.count, at: step.time, offset: step.offset)
        guard page.extent != .overview else { return true }
        group.count(step.protocolName, frame: step.frame, step.name, isAnswer: false)
        for name in step.others { group.count(step.protocolName, frame: step.frame, name, isAnswer: false) }
        return true
    }

    /// Counts selected steps; `offset` is the nanoseconds since the first packet of the capture.
    private func noteShown(_ steps: Int = 1, at time: Timestamp, offset: Int64) {
        shown += steps
        if start == nil { start = Timestamp(nanoseconds: time.nanoseconds &- offset) }
    }

    /// Returns the group of a session that has a step on a flow; earlier steps on the flow are moved to it.
    private func group(of session: SessionReference, on flow: Int) -> TimelineGroup {
        let known = group(session.id)
        if known.owns(flow) { return known }
        let group = opened(session)
        var taken = sessionFlows.take()
        let first = taken[flow]
        let isFirst = first == nil && taken.add(session, to: flow)
        sessionFlows.put(consume taken)
        if isFirst || first?.id == session.id { group.own(flow) }
        if isFirst, let earlier = updateLoose({ $0.remove(flow) }) {
            waiting.add(earlier)
            group.insert(earlier)
        }
        return group
    }

    /// Adds a finding without a step.
    public func finding(_ finding: Finding, session: SessionReference?) {
        guard options.selection.includes(protocolName: finding.plugin) else { return }
        if let session {
            guard options.selection.includes(anyOf: session.flows), options.selection.includes(session: session.id)
            else { return }
        }
        count([finding], in: session.map { opened($0) })
        guard page.extent != .overview else { return }
        guard isLive else { return wait(finding, of: session) }
        held.hold(.finding(finding, session))
        while let first = held.due() { show(first, of: owner(of: first), next: held.first) }
    }

    /// Prints the buffered steps of live output.
    func release() {
        while let step = held.next() { show(step, of: owner(of: step), next: held.first) }
    }

    /// Adds a step to those of its session or flow.
    private func wait(
        _ event: Event, _ session: SessionReference?, _ found: [Finding], in known: TimelineGroup?, octets: Int
    ) {
        guard let group = known ?? sessionFlows.current[event.flow].map({ self.group($0.id) }) else {
            updateLoose {
                $0.insert(
                    .event(event, session, found), to: event.flow, at: event.time.nanoseconds, frame: event.frame,
                    octets: octets)
            }
            return printLooseIfFull()
        }
        // A step inside another of its frame decides whether that is printed.
        if group.lastFrame != event.frame, writer.countsAtOnce(event, found, in: group) { return }
        group.insert(
            waiting.entry(.event(event, session, found), at: event.time.nanoseconds, octets: octets),
            frame: event.frame, octets: octets)
        if waiting.isFull { printWaiting(of: group, session ?? sessionFlows.current[event.flow]) }
    }

    /// Adds a finding without a step to those of its session.
    private func wait(_ finding: Finding, of owner: SessionReference?) {
        guard let owner else {
            updateLoose { $0.insert(.finding(finding, owner), to: Self.loose, at: nil, frame: nil) }
            return printLooseIfFull()
        }
        let group = group(owner.id)
        group.insert(waiting.entry(.finding(finding, owner), at: nil), frame: nil)
        if waiting.isFull { printWaiting(of: group, owner) }
    }

    /// Prints the steps of a session that wait.
    func printWaiting(of group: TimelineGroup, _ owner: SessionReference?) {
        let steps = group.takeWaiting()
        waiting.remove(steps)
        let order = steps.order
        for index in order.indices {
            let next = index + 1
            show(steps[order[index]].step, of: owner, next: next < order.count ? steps[order[next]].step : nil)
        }
    }

    @inline(__always)
    @discardableResult
    private func updateLoose<Result>(_ body: (inout LooseSteps) -> Result) -> Result {
        var taken = loose.take()
        let result = body(&taken)
        loose.put(consume taken)
        return result
    }

    /// Prints the steps without a session that wait.
    func printLoose() { show(updateLoose { $0.takeAll() }, of: nil) }

    private func printLooseIfFull() {
        if loose.current.isFull { printLoose() }
    }

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
        case .event(let event, let session, _): session ?? sessionFlows.current[event.flow]
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
        guard
            selectsAll
                || options.selection.includes(flow: stream.flow)
                    && options.selection.includes(protocolName: stream.kind)
                    && options.selection.includes(session: stream.session)
        else { return }
        updateOverview { $0.add(stream, of: session) }
        if let session { known(session.id)?.digest?.add(stream) }
    }

    @inline(__always)
    private func updateOverview(_ body: (inout Overview) -> Void) {
        var taken = overview.take()
        body(&taken)
        overview.put(consume taken)
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
        if let group = known(record.id), let session = group.digest {
            end(record, session, group)
        } else {
            discard(record.id)
        }
        var taken = sessionFlows.take()
        taken.end(record.id, of: record.flows)
        sessionFlows.put(consume taken)
    }

    private func end(_ record: SessionRecord, _ session: SessionDigest, _ group: TimelineGroup) {
        count(record.repeatedFindings, session)
        updateOverview {
            $0.add(session.row(record, writer.text, options.secrets))
            for stream in session.streams { $0.note(directionOf: stream, in: record.reference) }
        }
        if isLive {
            writer.close(group)
            if current?.group != record.id { _ = enter(record.reference, flow: nil) }
            writer.text.line()
            session.describe(record, on: &writer.text)
            session.listStreams(record, on: &writer.text, options.secrets)
            writer.text.findings(session.findings, named: writer.text.label("findings"), names: false)
            current = nil
            removeGroup(record.id)
        } else if page.extent == .overview {
            removeGroup(record.id)
        } else {
            keep(record, session)
            group.end()
        }
    }

    /// Removes the steps of a session without printing them.
    private func discard(_ session: Int) {
        if let group = removeGroup(session) { waiting.remove(group.waiting) }
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
