public import WeirEngine
import WeirPackets

/// The timeline for people: who talks to whom, in phases, one line for each step, what the step does under it, and
/// then what was wrong. Written as it happens, the latest steps held back a little: what is told later than it was, such as
/// a gap, stands in its place.
public final class TextReport: Report {
    /// How the page looks.
    public struct Page: Sendable {
        /// Columns of the display.
        public var width = 120
        /// Whether to colour it.
        public var color = false
        /// Whether steps have date and time of day in UTC, instead of the seconds since the first packet.
        public var showsTimeOfDay = false

        /// 120 columns, no colour.
        public init() {}
    }

    /// The column at which a step's text begins.
    private let textColumn: Int
    private let indent: String
    private static let blockSize = 64 * 1024
    /// Lines of one kind that are shown for a flow; the capture of a long session would bury the rest under them.
    private static let mostRepeats = 12
    /// Streams outside of sessions that are kept to be listed together.
    private static let mostLooseStreams = 1_000
    /// Flows whose session is remembered.
    private static let mostAdopted = 10_000

    /// Different notes of one session that are remembered.
    private static let mostNotes = 1_000
    /// Sessions that are listed at the end.
    private static let mostEndings = 1_000

    /// What the lines now being printed belong to.
    private enum Group: Hashable {
        case none
        case session(Int)
        case flow(Int)
    }

    private let options: ReportOptions
    private let output: any ReportOutput
    private var text: TextPage
    private var group = Group.none
    private var phase: Phase?
    private lazy var continued = text.label("continued")
    private var phaseHeadings: [Phase: String] = [:]
    /// The sessions that were introduced, each with its name as headings have it.
    private var introduced: [Int: String] = [:]
    private var explained: Set<String> = []
    private var streams: [Int: [StreamRecord]] = [:]
    private var looseStreams: [StreamRecord] = []
    private var findings: [Int: FindingCounts] = [:]
    private var flowCount = 0
    private var sessionCount = 0
    private var shown = 0
    private var held = StepReorderBuffer()
    /// The first session that each flow turned out to carry: what was said on the flow before stands with it, too.
    private var adopted: [Int: SessionReference] = [:]
    /// The notes that a session has had: the same one again says nothing new.
    private var noted: [Int: Set<Int>] = [:]
    /// What became of each session, for the list at the end.
    private var endings: [(name: String, outcome: String)] = []
    /// Sessions beyond those that are listed there.
    private var unlisted = 0
    private var repeats = StepRepeats()

    /// Creates a report that writes to `output`.
    public init(_ options: ReportOptions, page: Page = Page(), output: any ReportOutput) {
        self.options = options
        self.output = output
        text = TextPage(options, page)
        textColumn = page.showsTimeOfDay ? 44 : 30
        indent = TextLayout.spaces(textColumn)
    }

    /// Writes out what was gathered.
    public func flush() {
        release()
        text.take(output)
    }

    /// All lines are out already.
    public func finish() {
        flush()
    }

    /// The heading of a capture.
    public func begin(_ capture: CaptureRecord) {
        group = .none
        phase = nil
        introduced = [:]
        explained = []
        streams = [:]
        looseStreams = []
        findings = [:]
        flowCount = 0
        sessionCount = 0
        shown = 0
        repeats = StepRepeats()
        held = StepReorderBuffer()
        adopted = [:]
        noted = [:]
        endings = []
        unlisted = 0
        var facts = [capture.format] + capture.linkTypes.map(\.name)
        if let length = capture.snapLength, length > 0, length < 65_535 {
            facts.append(text.label("snapLength", .integer(length)))
        }
        text.line(
            text.style(Printable.clean(capture.file), .heading) + "  " + facts.joined(separator: text.catalogue.comma))
    }

    /// Members of sessions are not shown.
    public var factPolicies: Set<SecretPolicy> { [] }

    /// A step, its explanation and what was wrong with it.
    public func event(_ event: Event, session: SessionReference?, findings found: [Finding]) {
        count(found, session)
        guard options.selection.includes(event) else { return }
        shown += 1
        if let session, adopted.count < Self.mostAdopted, adopted[event.flow] == nil { adopted[event.flow] = session }
        held.hold(.event(event, session, found), octets: event.message.keptOctets, at: event.time)
        while let first = held.due() { show(first) }
    }

    /// Prints what is held back.
    private func release() {
        while let step = held.next() { show(step) }
    }

    private func show(_ step: StepReorderBuffer.Step) {
        switch step {
        case .event(let event, let session, let found): show(event, session, found)
        case .finding(let finding, let session):
            if let session { enter(session) }
            text.finding(finding, column: textColumn)
        }
    }

    private func show(_ event: Event, _ session: SessionReference?, _ found: [Finding]) {
        if event.message.isEnvelope, found.isEmpty, event.remarks.isEmpty, held.nextIsInside(event) { return }
        let times = found.isEmpty ? repeats.count(event) : 0
        guard times <= Self.mostRepeats else { return }
        enter(event, session)
        let isForward =
            (session ?? adopted[event.flow])?.isForward(
                event.direction, on: event.flow, from: event.source, to: event.destination)
            ?? (event.direction == .clientToServer)
        text.step(event, isForward: isForward, options.secrets, column: textColumn)
        explain(event)
        if times == Self.mostRepeats {
            text.hanging(indent, text.label("repeats"), column: textColumn, style: .explanation)
        }
        for remark in event.remarks {
            text.hanging(indent, text.catalogue.remark(remark), column: textColumn)
        }
        // Why each rule cannot be judged needs no words where all have the same reason.
        for finding in found where !(event.isCut && finding.verdict == .inconclusive) && isNews(finding, session) {
            text.finding(finding, column: textColumn)
        }
        if event.isCut { text.cut(found.filter { $0.verdict == .inconclusive }, column: textColumn) }
        if text.octets.count >= Self.blockSize { text.take(output) }
    }

    /// Whether a finding was not told of the session before. Only notes are told once.
    private func isNews(_ finding: Finding, _ session: SessionReference?) -> Bool {
        guard let session, finding.verdict == .fail, finding.severity == .note else { return true }
        var hasher = Hasher()
        hasher.combine(finding.rule)
        hasher.combine(finding.message)
        let known = noted[session.id]?.count ?? 0
        guard known < Self.mostNotes else { return true }
        return noted[session.id, default: []].insert(hasher.finalize()).inserted
    }

    /// Something that is about no single step.
    public func finding(_ finding: Finding, session: SessionReference?) {
        count([finding], session)
        guard options.selection.includes(protocolName: finding.plugin) else { return }
        if let session {
            guard options.selection.includes(anyOf: session.flows) else { return }
        }
        held.hold(.finding(finding, session))
        while let first = held.due() { show(first) }
    }

    /// Flows are only counted: their steps were shown.
    public func flow(_ flow: FlowRecord) {
        flowCount += 1
    }

    /// Kept until the session's streams are listed.
    public func stream(_ stream: StreamRecord, session: SessionReference?) {
        guard options.selection.includes(flow: stream.flow), options.selection.includes(protocolName: stream.kind)
        else { return }
        if let session {
            streams[session.id, default: []].append(stream)
        } else {
            looseStreams.append(stream)
            if looseStreams.count >= Self.mostLooseStreams {
                release()
                list(looseStreams, under: "looseStreams")
                looseStreams = []
                group = .none
            }
        }
    }

    /// The streams of a session, and what happened in the end.
    public func session(_ record: SessionRecord) {
        sessionCount += 1
        release()
        defer {
            streams[record.id] = nil
            findings[record.id] = nil
            introduced[record.id] = nil
            noted[record.id] = nil
            for flow in record.reference.flows where adopted[flow]?.id == record.id { adopted[flow] = nil }
        }
        guard introduced[record.id] != nil else { return }
        enter(record.reference)
        list(streams[record.id] ?? [], under: "streams", record.reference)
        var outcome = text.catalogue.list(record.outcome)
        if let counts = findings[record.id], let words = text.tally(counts) {
            outcome += text.catalogue.semicolon + words
        }
        if !record.peers.isEmpty {
            text.block(text.label("peers"), Printable.clean(text.catalogue.list(record.peers)))
        }
        text.block(text.label("outcome"), Printable.clean(outcome))
        group = .none
        if endings.count < Self.mostEndings {
            let title = Printable.clean(record.reference.title(options.secrets))
            let name = "\(text.label("session", .integer(record.id)))  \(record.kind.uppercased())  \(title)"
            endings.append((name, Printable.clean(outcome)))
        } else {
            unlisted += 1
        }
    }

    /// Streams outside of sessions, and the capture in figures.
    public func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        release()
        list(looseStreams, under: "looseStreams")
        listEndings()
        text.line()
        text.block(
            text.label("summary"),
            text.totals(
                summary, flows: flowCount, sessions: sessionCount, shown: shown, findings))
        for caveat in text.caveats(summary) { text.hanging("  ", caveat, column: 2) }
        text.line()
        flush()
    }
}

// MARK: - Lines

extension TextReport {
    /// Begins or resumes the group that an event belongs to.
    private func enter(_ event: Event, _ session: SessionReference?) {
        if let session {
            enter(session)
            if phase != event.phase, let next = event.phase {
                phase = next
                text.line()
                text.line(heading(next))
            }
        } else if let session = adopted[event.flow] {
            enter(session)
            guard phase == nil else { return }
            phase = .connect
            text.line()
            text.line(heading(.connect))
        } else if group != .flow(event.flow) {
            group = .flow(event.flow)
            phase = nil
            let isForward = event.direction == .clientToServer
            let (source, destination) = event.flowEnds
            let ends = isForward ? (source, destination) : (destination, source)
            text.line()
            text.line(text.style(text.label("flow", .integer(event.flow)), .heading) + "  \(ends.0) → \(ends.1)")
        }
    }

    /// The line that a phase begins with.
    private func heading(_ phase: Phase) -> String {
        if let known = phaseHeadings[phase] { return known }
        let heading = "  " + text.style(text.catalogue.sentence(Text("phase.\(phase.name)")), .phase)
        phaseHeadings[phase] = heading
        return heading
    }

    private func enter(_ session: SessionReference) {
        guard group != .session(session.id) else { return }
        group = .session(session.id)
        phase = nil
        if let name = introduced[session.id] {
            text.resume(name, continued)
            return
        }
        text.line()
        let name = text.style(text.label("session", .integer(session.id)), .heading)
        introduced[session.id] = name
        let title = options.secrets.apply(text: session.title(options.secrets))
        text.line("\(name)  \(session.kind.uppercased())  \(Printable.clean(title))")
    }

    /// Explains a kind of step the first time that it occurs in a capture: once read, it need not be read again.
    private func explain(_ event: Event) {
        guard options.notes, let note = event.note ?? event.message.note, explained.insert(note.key).inserted,
            let sentence = text.catalogue.note(note)
        else { return }
        text.hanging(indent, sentence, column: textColumn, style: .explanation)
    }

    /// What became of the sessions, where there are several.
    private func listEndings() {
        guard endings.count > 1 else { return }
        text.line()
        text.line(text.style(text.label("endings"), .heading))
        for ending in endings {
            text.hanging("  ", ending.name, column: 4)
            text.hanging("      ", ending.outcome, column: 6)
        }
        if unlisted > 0 { text.line("  " + text.label("endings.more", .integer(unlisted))) }
    }

    private func list(_ streams: [StreamRecord], under heading: String, _ session: SessionReference? = nil) {
        guard !streams.isEmpty else { return }
        text.line()
        text.line(text.style(text.label(heading), .heading))
        for stream in streams {
            let isForward =
                session?.isForward(stream.direction, on: stream.flow, from: stream.source, to: stream.destination)
                ?? (stream.direction == .clientToServer)
            let arrow = isForward ? "→" : "←"
            let ends = stream.session == nil ? "\(stream.source) → \(stream.destination)  " : ""
            let summary = options.secrets.apply(text: text.catalogue.line(stream.details.wording))
            text.hanging("  \(arrow) ", ends + summary, column: 4)
        }
    }

    private func count(_ found: [Finding], _ session: SessionReference?) {
        guard let session else { return }
        for finding in found { findings[session.id, default: FindingCounts()].count(finding) }
    }
}
