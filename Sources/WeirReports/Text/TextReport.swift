public import WeirEngine
import WeirPackets

/// The report for people: an overview of the capture, then the timelines of its sessions, then a summary.
///
/// Of a file the overview comes first, and the timelines wait in a spool until it is known which of them are shown. What comes
/// as it happens, from an interface or through a pipe, is shown as it happens, and the overview comes at the end. Either way
/// the latest steps are held back a little: what is found out late, such as a gap, stands in its place.
public final class TextReport: Report {
    /// A session that ended and whose timeline may be shown.
    struct Ended {
        var id: Int
        /// Its name, what became of it, and its peers.
        var head: [UInt8]
        /// Its streams, which the overview may list already.
        var streams: [UInt8]
        /// What was found, rule by rule, and what of that is not in the overview.
        var findings: [UInt8]
        var folded: [UInt8]
        var isFaulty: Bool
    }

    private static let blockSize = 64 * 1024
    /// Flows whose session is remembered.
    private static let mostAdopted = 10_000
    /// Sessions whose timelines are all shown.
    static let few = 4
    /// Timelines that are shown at most, unless all are asked for.
    private static let mostTimelines = 100
    /// Lines outside of sessions that are shown beside many sessions.
    static let mostLooseLines = 40
    /// The group of what belongs to no session.
    static let loose = 0

    let options: ReportOptions
    let page: Page
    let output: any ReportOutput
    let store: TimelineStore
    var writer: TimelineWriter
    var held = StepReorderBuffer()
    var capture: CaptureRecord?
    /// Whether it is shown as it happens.
    var isLive = false
    var start: Timestamp?
    var overview = Overview()
    var groups: [Int: TimelineGroup] = [:]
    /// The group, or of what is outside of sessions the flow, whose lines come now.
    var current: (group: Int, flow: Int)?
    /// Sessions of which something was shown and that are open, with what was found in each.
    var open: [Int: SessionDigest] = [:]
    var sessionsSeen = 0
    var ended: [Ended] = []
    /// The first session with the same outcome and the same findings.
    private var known: Set<Int> = []
    /// The first session that each flow turned out to carry: what happened on the flow before belongs to it, too.
    private var adopted: [Int: SessionReference] = [:]
    var flowCount = 0
    var shown = 0
    /// Captures that began, so that a line parts one from the next.
    private var captures = 0

    /// Creates a report that writes to `output`. `spool` makes what timelines wait in.
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

    /// Members of sessions are not shown.
    public var factPolicies: Set<SecretPolicy> { [] }

    /// Writes out what was gathered, if it is shown as it happens.
    public func flush() {
        guard isLive else { return }
        release()
        writer.text.take(output)
    }

    /// All captures are written.
    public func finish() {
        flush()
        writer.text.take(output)
    }

    /// A capture begins.
    public func begin(_ capture: CaptureRecord) {
        self.capture = capture
        isLive = capture.isStreamed && page.extent != .overview
        var live = page
        live.extent = isLive ? .whole : page.extent
        writer = TimelineWriter(options, live)
        store.clear()
        held = StepReorderBuffer()
        (start, overview, groups, current, open, sessionsSeen) = (nil, Overview(), [:], nil, [:], 0)
        (ended, known, adopted, flowCount, shown) = ([], [], [:], 0, 0)
        if captures > 0 { writer.text.line() }
        captures += 1
        if isLive { writer.text.heading(capture, nil) }
    }

    // MARK: - Steps

    /// A step and what was found about it.
    public func event(_ event: Event, session: SessionReference?, findings found: [Finding]) {
        guard options.selection.includes(event) else { return }
        shown += 1
        if start == nil { start = Timestamp(nanoseconds: event.time.nanoseconds &- event.offset) }
        if let session, adopted.count < Self.mostAdopted, adopted[event.flow] == nil { adopted[event.flow] = session }
        introduce(session)
        for finding in found { count(finding, session) }
        guard page.extent != .overview else { return }
        held.hold(.event(event, session, found), octets: event.message.keptOctets, at: event.time)
        while let first = held.due() { show(first, next: held.first) }
    }

    /// Something that is about no single step.
    public func finding(_ finding: Finding, session: SessionReference?) {
        guard options.selection.includes(protocolName: finding.plugin) else { return }
        if let session {
            guard options.selection.includes(anyOf: session.flows), options.selection.includes(session: session.id)
            else { return }
        }
        introduce(session)
        count(finding, session)
        guard page.extent != .overview else { return }
        held.hold(.finding(finding, session))
        while let first = held.due() { show(first, next: held.first) }
    }

    /// Prints what is held back.
    func release() {
        while let step = held.next() { show(step, next: held.first) }
    }

    private func show(_ step: StepReorderBuffer.Step, next: StepReorderBuffer.Step?) {
        switch step {
        case .event(let event, let session, let found):
            // What only brings another message is left out.
            if event.message.isEnvelope, event.remarks.isEmpty, !found.contains(where: \.isFault),
                next?.isInside(event) == true
            {
                return
            }
            show(event, session, found)
        case .finding(let finding, let session):
            let group = enter(session, flow: nil)
            writer.finding(finding, in: &groups[group, default: TimelineGroup()])
            store(group)
        }
    }

    private func show(_ event: Event, _ session: SessionReference?, _ found: [Finding]) {
        let owner = session ?? adopted[event.flow]
        let isForward =
            owner?.isForward(event.direction, on: event.flow, from: event.source, to: event.destination)
            ?? (event.direction == .clientToServer)
        let group = enter(owner, flow: event)
        var step = event
        // What came before the session was known is a part of its beginning.
        if owner == nil {
            step.phase = nil
        } else if session == nil {
            step.phase = groups[group]?.phase ?? .connect
        }
        writer.step(step, isForward: isForward, found, in: &groups[group, default: TimelineGroup()])
        store(group)
    }

    /// Moves the lines that were written to their group.
    func store(_ group: Int) {
        guard !isLive else {
            if writer.text.octets.count >= Self.blockSize { writer.text.take(output) }
            return
        }
        store.append(writer.text.takeLines(), to: group)
    }

    // MARK: - Groups

    /// Notes that something of a session is shown.
    private func introduce(_ session: SessionReference?) {
        guard let session, open[session.id] == nil else { return }
        sessionsSeen += 1
        open[session.id] = SessionDigest(reference: session)
    }

    /// Begins or resumes the group of a session, or of a flow that belongs to none.
    private func enter(_ session: SessionReference?, flow event: Event?) -> Int {
        guard let session else {
            if let event, current?.group != Self.loose || current?.flow != event.flow { headFlow(event) }
            return Self.loose
        }
        let isNew = open[session.id]?.isHeaded != true
        open[session.id]?.reference = session
        // What a session is about is known from its first steps on.
        if groups[session.id]?.subject == nil, let subject = session.subject(options.secrets) {
            groups[session.id, default: TimelineGroup()].subject = Printable.clean(options.secrets.apply(text: subject))
        }
        if isLive, current?.group != session.id {
            leave()
            current = (session.id, 0)
            groups[session.id]?.phase = nil
            open[session.id]?.isHeaded = true
            writer.text.line()
            writer.text.line(name(session) + (isNew ? "" : "  " + writer.text.label("continued")))
        }
        return session.id
    }

    private func headFlow(_ event: Event) {
        leave()
        if !isLive, var group = groups[Self.loose] {
            writer.close(&group)
            groups[Self.loose] = group
        }
        current = (Self.loose, event.flow)
        groups[Self.loose]?.phase = nil
        let isForward = event.direction == .clientToServer
        let (source, destination) = event.flowEnds
        let ends = isForward ? (source, destination) : (destination, source)
        let text = writer.text
        writer.text.line()
        writer.text.line(text.style(text.label("flow", .integer(event.flow)), .heading) + "  \(ends.0) → \(ends.1)")
    }

    /// Prints what waits in the group whose lines come now, before those of another.
    func leave() {
        guard isLive, let current, var group = groups[current.group] else { return }
        writer.close(&group)
        groups[current.group] = group
    }

    /// The first line of a session: its number, kind, ends, and what it is about.
    private func name(_ session: SessionReference) -> String {
        let number = writer.text.style(writer.text.label("session", .integer(session.id)), .heading)
        let title = options.secrets.apply(text: session.title(options.secrets))
        return "\(number)  \(session.kind.uppercased())  \(Printable.clean(title))"
    }

    private func count(_ finding: Finding, _ session: SessionReference?) {
        overview.add(finding)
        if let session { open[session.id]?.add(finding) }
    }

    // MARK: - Ends

    /// Flows are only counted: their steps were shown.
    public func flow(_ flow: FlowRecord) {
        flowCount += 1
    }

    /// Kept until the session's streams are listed.
    public func stream(_ stream: StreamRecord, session: SessionReference?) {
        guard options.selection.includes(flow: stream.flow), options.selection.includes(protocolName: stream.kind),
            options.selection.includes(session: stream.session)
        else { return }
        overview.add(stream)
        if let session { open[session.id]?.streams.append(stream) }
    }

    /// Prints what is held back of a session that ends.
    func release(_ session: Int) {
        guard !isLive else { return release() }
        let steps = held.take { step in
            switch step {
            case .event(let event, let reference, _): (reference ?? adopted[event.flow])?.id == session
            case .finding(_, let reference): reference?.id == session
            }
        }
        for (index, step) in steps.enumerated() {
            show(step, next: index + 1 < steps.count ? steps[index + 1] : nil)
        }
    }

    /// What became of a session.
    public func session(_ record: SessionRecord) {
        release(record.id)
        defer {
            groups[record.id] = nil
            open[record.id] = nil
            for flow in record.reference.flows where adopted[flow]?.id == record.id { adopted[flow] = nil }
        }
        guard let session = open[record.id] else { return }
        overview.add(session.row(record, writer.text, options.secrets))
        if var group = groups[record.id] {
            writer.close(&group)
            store(record.id)
        }
        if isLive {
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

    /// Keeps what is printed of a session, unless it is known by now that it is not.
    private func keep(_ record: SessionRecord, _ session: SessionDigest) {
        let isFaulty = session.counts.errors + session.counts.warnings > 0 || record.attempt != nil
        let isShown =
            page.isWhole || sessionsSeen <= Self.few
            || isFaulty && record.attempt?.number ?? 1 == 1 && ended.count < Self.mostTimelines
                && known.insert(session.signature(record)).inserted
        guard isShown else { return store.discard(record.id) }
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
                id: record.id, head: head, streams: streams, findings: writer.text.takeLines(), folded: folded,
                isFaulty: isFaulty))
    }
}
