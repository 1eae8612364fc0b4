import WeirEngine

/// A conformance report: gathers what was found in each capture, and has it written in one of the formats of `check`.
package final class VerdictReport: Report, VerdictSink {
    /// How to write it.
    package enum Format: String, Sendable, CaseIterable {
        /// For people.
        case text
        /// JUnit's XML, which CI servers read.
        case junit
        /// SARIF 2.1.0, which code scanning reads.
        case sarif
        /// For a comment on a pull request.
        case markdown
        /// Annotations of a GitHub workflow.
        case github
    }

    /// Findings that are kept of one capture; a live capture may run for days.
    private static let mostFindings = 10_000

    private let options: ReportOptions
    private let catalogue: Catalogue
    private let page: any VerdictPage
    private let output: any ReportOutput
    private var capture: CheckedCapture?

    /// Creates a report that writes to `output`.
    package init(
        _ format: Format, _ options: ReportOptions, _ details: VerdictOptions = VerdictOptions(),
        output: any ReportOutput
    ) {
        self.options = options
        self.output = output
        catalogue = Catalogue(options.language, options.secrets, options.plugins)
        page =
            switch format {
            case .text: VerdictText(options, details)
            case .junit: JUnitPage(options, details)
            case .sarif: SARIFPage(options, details)
            case .markdown: MarkdownPage(options, details)
            case .github: GitHubPage(options, details)
            }
    }

    /// A capture begins.
    package func begin(_ capture: CaptureRecord) {
        self.capture = CheckedCapture(record: capture)
    }

    /// Members of sessions are not shown.
    package var factPolicies: Set<SecretPolicy> { [] }

    /// Keeps what was found at a step.
    package func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        guard !findings.isEmpty, options.selection.includes(event) else { return }
        let step = "\(event.message.protocolName.uppercased())  \(catalogue.summary(event.message))"
        for finding in findings { keep(finding, step, session) }
    }

    /// Keeps what was found.
    package func finding(_ finding: Finding, session: SessionReference?) {
        guard options.selection.includes(protocolName: finding.plugin),
            options.selection.includes(session: finding.session)
        else { return }
        keep(finding, nil, session)
    }

    private func keep(_ finding: Finding, _ step: String?, _ session: SessionReference?) {
        guard capture?.findings.count ?? 0 < Self.mostFindings else {
            capture?.unlisted += 1
            return
        }
        capture?.findings.append(.init(finding: finding, step: step))
        if let session {
            capture?.sessions[session.id] =
                "\(session.kind.uppercased())  \(options.secrets.apply(text: session.title(options.secrets)))"
        }
    }

    /// Flows are not judged by themselves.
    package func flow(_ flow: FlowRecord) {}
    /// What was found about streams came as findings.
    package func stream(_ stream: StreamRecord, session: SessionReference?) {}
    /// What was found about sessions came as findings.
    package func session(_ record: SessionRecord) {
        guard capture?.sessions[record.id] != nil else { return }
        // A session is named best at its end.
        capture?.sessions[record.id] =
            "\(record.kind.uppercased())  \(options.secrets.apply(text: record.reference.title(options.secrets)))"
    }

    /// What the check makes of the capture.
    package func verdict(_ verdict: CaptureVerdict) {
        capture?.verdict = verdict
    }

    /// The capture is complete.
    package func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        guard var capture else { return }
        self.capture = nil
        capture.summary = summary
        capture.tallies = tallies
        capture.counts = findings
        page.add(capture)
        flush()
    }

    /// All captures are judged.
    package func conclude(_ run: RunVerdict) {
        page.conclude(run)
        flush()
    }

    /// Writes out what was gathered.
    package func flush() {
        let octets = page.take()
        if !octets.isEmpty { output.write(octets) }
    }

    /// All is out already.
    package func finish() { flush() }
}

/// Hands everything to several reports, in order.
package final class ReportGroup: Report, VerdictSink {
    private let reports: [any Report]

    /// Groups reports.
    package init(_ reports: [any Report]) {
        self.reports = reports
    }

    /// What any of them asks for.
    package var factPolicies: Set<SecretPolicy> { reports.reduce(into: []) { $0.formUnion($1.factPolicies) } }

    /// Begins all.
    package func begin(_ capture: CaptureRecord) { for report in reports { report.begin(capture) } }
    /// Gives all the step.
    package func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        for report in reports { report.event(event, session: session, findings: findings) }
    }
    /// Gives all the finding.
    package func finding(_ finding: Finding, session: SessionReference?) {
        for report in reports { report.finding(finding, session: session) }
    }
    /// Gives all the flow.
    package func flow(_ flow: FlowRecord) { for report in reports { report.flow(flow) } }
    /// Gives all the stream.
    package func stream(_ stream: StreamRecord, session: SessionReference?) {
        for report in reports { report.stream(stream, session: session) }
    }
    /// Gives all the session.
    package func session(_ record: SessionRecord) {
        for report in reports { report.session(record) }
    }
    /// Gives all the verdict.
    package func verdict(_ verdict: CaptureVerdict) { for report in reports { report.pass(verdict) } }
    /// Ends the capture in all.
    package func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        for report in reports {
            report.end(summary, tallies: tallies, findings: findings)
            // Two that write to one place follow each other there.
            report.flush()
        }
    }
    /// Ends the check in all.
    package func conclude(_ run: RunVerdict) { for report in reports { report.pass(run) } }
    /// Writes out what all have gathered.
    package func flush() { for report in reports { report.flush() } }
    /// Shows what all have seen so far.
    package func showOverview() { for report in reports { report.showOverview() } }
    /// Ends all.
    package func finish() { for report in reports { report.finish() } }
}
