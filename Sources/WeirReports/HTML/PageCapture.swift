import WeirEngine
import WeirPackets

/// What a page shows of a capture, bounded.
struct PageCapture {
    /// A session that ended.
    struct Ended {
        var record: SessionRecord
        var row: Overview.Session
        var outcome: PageText
        var counts: FindingCounts
    }

    /// The maximum numbers of sessions with a section of their own, of flows and of findings.
    private static let (mostSessions, mostFlows, mostFindings) = (1_000, 2_000, 10_000)
    /// The maximum number of flows whose session is remembered, and of points of a curve.
    private static let (mostRemembered, mostPoints) = (10_000, 2_000)

    let record: CaptureRecord
    let options: ReportOptions
    private let words: PageWords
    private let records: PageRecords

    private(set) var kept: KeptSteps
    /// The session table, in both languages.
    private(set) var overview = Overview()
    private(set) var ended: [Ended] = []
    private(set) var endedCount = 0
    private(set) var streams: [StreamRecord] = []
    private(set) var flows: [FlowRecord] = []
    private(set) var flowCount = 0
    private(set) var checked: CheckedCapture
    private(set) var findingRecords: [[UInt8]] = []
    /// The sessions of flows: earlier steps on them belong there, too.
    private(set) var sessionsByFlow: [Int: Int] = [:]
    private(set) var curves = PageCurves()
    private var open: [Int: SessionDigest] = [:]
    private var attempts: [Int: Int] = [:]
    /// The time of the first packet.
    private(set) var start: Timestamp?
    var verdict = CaptureVerdict()

    init(
        _ record: CaptureRecord, _ options: ReportOptions, _ words: PageWords, _ records: PageRecords,
        most: (events: Int, octets: Int)
    ) {
        self.record = record
        self.options = options
        self.words = words
        self.records = records
        kept = KeptSteps(most: most.events, octets: most.octets)
        checked = CheckedCapture(record: record)
    }

    // MARK: - Steps

    mutating func add(_ event: Event, _ session: SessionReference?, _ findings: [Finding]) {
        if start == nil { start = Timestamp(nanoseconds: event.time.nanoseconds &- event.offset) }
        note(session, flow: event.flow)
        for finding in findings { count(finding, session, event) }
        let text = words.summary(event.message)
        var step = PageStep(offset: event.offset)
        (step.event, step.frame, step.flow, step.session) = (event.id, event.frame, event.flow, session?.id)
        (step.stream, step.direction) = (event.stream, event.direction)
        step.ends = (event.source, event.destination)
        step.isForward =
            session?.isForward(event.direction, from: event.source, to: event.destination)
            ?? (event.direction == .clientToServer)
        (step.protocolName, step.kind, step.text) = (event.message.protocolName, event.message.kind, text)
        step.latency = event.answers?.latency
        step.phase = event.phase
        step.fold = Self.fold(event)
        step.remarks = event.remarks.filter { !$0.isEvidence }.map { words.sentence($0.text) }
        step.findings = findings.map(found)
        step.record = records.event(event, findings, summary: text)
        kept.add(step)
        curves.add(event, session?.id, isForward: step.isForward, options.secrets)
    }

    mutating func add(_ finding: Finding, _ session: SessionReference?) {
        note(session, flow: finding.flow)
        count(finding, session, nil)
        var step = PageStep(offset: 0)
        (step.frame, step.flow, step.session, step.stream) = (
            finding.frame, finding.flow, finding.session, finding.stream
        )
        if let time = finding.time, let start {
            step.offset = time.nanoseconds &- start.nanoseconds
        } else {
            step.offset = .max
        }
        step.findings = [found(finding)]
        kept.add(step)
    }

    /// Returns under which name a step may be counted: as the condensed timeline of the text report does.
    private static func fold(_ event: Event) -> PageStep.Fold? {
        var condensed = event.message.condensed
        var isAnswer = false
        if case .step = condensed, let request = event.answers?.request, case .firstOnly = request.condensed {
            (condensed, isAnswer) = (request.condensed, true)
        }
        return switch condensed {
        case .counted(let name): PageStep.Fold(name: name, isAnswer: isAnswer, sparesFirst: false)
        case .firstOnly(let name): PageStep.Fold(name: name, isAnswer: isAnswer, sparesFirst: true)
        case .step, .brief, .omitted: nil
        }
    }

    private func found(_ finding: Finding) -> PageStep.Found {
        PageStep.Found(
            rule: finding.rule, look: Self.look(finding), severity: words.aboutFindings { $0.severity(finding) },
            text: words.aboutFindings { $0.sentence(finding) })
    }

    /// Returns how a finding is shown: its severity, or that it is undecided or accepted.
    static func look(_ finding: Finding) -> String {
        finding.verdict != .fail ? "inconclusive" : finding.waivedBy != nil ? "accepted" : finding.severity.rawValue
    }

    private mutating func note(_ session: SessionReference?, flow: Int?) {
        guard let session else { return }
        if let known = open[session.id] {
            known.reference = session
        } else {
            open[session.id] = SessionDigest(reference: session)
        }
        if let flow, sessionsByFlow[flow] == nil, sessionsByFlow.count < Self.mostRemembered {
            sessionsByFlow[flow] = session.id
        }
    }

    private mutating func count(_ finding: Finding, _ session: SessionReference?, _ event: Event?) {
        if let session { open[session.id]?.add([finding]) }
        guard checked.findings.count < Self.mostFindings else {
            checked.unlisted += 1
            return
        }
        checked.findings.append(.init(finding: finding, step: nil))
        findingRecords.append(records.finding(finding))
    }

    // MARK: - Ends

    mutating func add(_ flow: FlowRecord) {
        flowCount += 1
        checked.count(flow.repeatedFindings)
        if flows.count < Self.mostFlows { flows.append(flow) }
    }

    mutating func add(_ stream: StreamRecord) {
        overview.add(stream, of: nil)
        if streams.count < Self.mostFlows { streams.append(stream) }
    }

    mutating func add(_ record: SessionRecord) {
        checked.count(record.repeatedFindings)
        let digest = open.removeValue(forKey: record.id) ?? SessionDigest(reference: record.reference)
        let session = digest.row(record, words.main, options.secrets)
        let outcome = words.both { digest.row(record, $0, options.secrets).outcome ?? "" }
        overview.add(session)
        if let attempt = record.attempt { attempts[attempt.series] = attempt.number }
        endedCount += 1
        guard ended.count < Self.mostSessions else { return }
        ended.append(Ended(record: record, row: session, outcome: outcome, counts: digest.counts))
    }

    mutating func finish(_ summary: SummaryRecord, _ tallies: [RuleTally], _ findings: FindingCounts) {
        kept.finish()
        checked.tallies = tallies
        checked.counts = findings
        checked.summary = summary
        checked.verdict = verdict
        start = summary.startTime ?? start
    }

    /// Returns the session of a step: that of its flow, if it precedes the session; 0 for none.
    func session(of step: PageStep) -> Int { step.session ?? step.flow.flatMap { sessionsByFlow[$0] } ?? 0 }

    /// Writes the records of the page, one in a line; those of events only where `includes` a step.
    func writeRecords(to page: inout HTMLWriter, includes: (PageStep) -> Bool) {
        page.raw(records.capture(record))
        for flow in flows { page.raw(records.flow(flow)) }
        for session in ended {
            page.raw(
                records.session(session.record, attempts: session.record.attempt.flatMap { attempts[$0.series] }))
        }
        for stream in streams { page.raw(records.stream(stream)) }
        for step in kept.steps where includes(step) { page.raw(step.record) }
        for finding in findingRecords { page.raw(finding) }
        page.raw(records.summary(checked.summary, checked.counts))
    }
}
