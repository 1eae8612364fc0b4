import WeirEngine

/// A conformance report: collects the findings of each capture, and writes them in one of the formats of `check`.
package final class VerdictReport: Report, VerdictSink {
    /// The format.
    package enum Format: String, Sendable, CaseIterable {
        /// Text.
        case text
        /// JUnit XML, for CI servers.
        case junit
        /// SARIF 2.1.0, for code scanning.
        case sarif
        /// Markdown, for a pull request comment.
        case markdown
        /// Annotations of a GitHub workflow.
        case github
    }

    /// The maximum number of findings per capture; a live capture may run for days.
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

    /// Starts a capture.
    package func begin(_ capture: CaptureRecord) {
        self.capture = CheckedCapture(record: capture)
    }

    /// None: members of sessions are not shown.
    package var factPolicies: Set<SecretPolicy> { [] }

    /// Adds the findings of a step.
    package func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        guard !findings.isEmpty, options.selection.includes(event) else { return }
        let step = "\(event.message.protocolName.uppercased())  \(catalogue.summary(event.message))"
        for finding in findings { keep(finding, step, session) }
    }

    /// Adds a finding.
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

    /// False: only the repeated findings of flows are counted.
    package var listsFlows: Bool { false }

    /// Counts its repeated findings.
    package func flow(_ flow: FlowRecord) { capture?.count(flow.repeatedFindings) }
    /// Does nothing: findings about streams are reported separately.
    package func stream(_ stream: StreamRecord, session: SessionReference?) {}
    /// Records the heading of a session; its findings are reported separately.
    package func session(_ record: SessionRecord) {
        capture?.count(record.repeatedFindings)
        guard capture?.sessions[record.id] != nil else { return }
        // The heading is most complete at the end.
        capture?.sessions[record.id] =
            "\(record.kind.uppercased())  \(options.secrets.apply(text: record.reference.title(options.secrets)))"
    }

    /// Adds the verdict of a check on the capture.
    package func verdict(_ verdict: CaptureVerdict) {
        capture?.verdict = verdict
    }

    /// Ends the capture.
    package func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        guard var capture else { return }
        self.capture = nil
        capture.summary = summary
        capture.tallies = tallies
        capture.counts = findings
        page.add(capture)
        flush()
    }

    /// Ends the report after the last capture.
    package func conclude(_ run: RunVerdict) {
        page.conclude(run)
        flush()
    }

    /// Writes out everything so far.
    package func flush() {
        let octets = page.take()
        if !octets.isEmpty { output.write(octets) }
    }

    /// Writes the remainder.
    package func finish() { flush() }
}

/// Forwards everything to several reports, in order.
package final class ReportGroup: Report, VerdictSink {
    private let reports: [any Report]

    /// Creates a group.
    package init(_ reports: [any Report]) {
        self.reports = reports
    }

    /// Whether one of them lists flows.
    package var listsFlows: Bool { reports.contains(where: \.listsFlows) }
    /// The policies of all reports.
    package var factPolicies: Set<SecretPolicy> { reports.reduce(into: []) { $0.formUnion($1.factPolicies) } }

    /// Starts a capture.
    package func begin(_ capture: CaptureRecord) { for report in reports { report.begin(capture) } }
    /// Adds a step.
    package func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        for report in reports { report.event(event, session: session, findings: findings) }
    }
    /// Adds a finding.
    package func finding(_ finding: Finding, session: SessionReference?) {
        for report in reports { report.finding(finding, session: session) }
    }
    /// Adds a flow.
    package func flow(_ flow: FlowRecord) { for report in reports { report.flow(flow) } }
    /// Adds a stream.
    package func stream(_ stream: StreamRecord, session: SessionReference?) {
        for report in reports { report.stream(stream, session: session) }
    }
    /// Adds a session.
    package func session(_ record: SessionRecord) {
        for report in reports { report.session(record) }
    }
    /// Adds a verdict.
    package func verdict(_ verdict: CaptureVerdict) { for report in reports { report.pass(verdict) } }
    /// Ends the capture.
    package func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        for report in reports {
            report.end(summary, tallies: tallies, findings: findings)
            // Reports with the same output follow each other.
            report.flush()
        }
    }
    /// Ends the check.
    package func conclude(_ run: RunVerdict) { for report in reports { report.pass(run) } }
    /// Writes out everything so far.
    package func flush() { for report in reports { report.flush() } }
    /// Writes an overview of everything so far.
    package func showOverview() { for report in reports { report.showOverview() } }
    /// Writes the remainder after the last capture.
    package func finish() { for report in reports { report.finish() } }
}
