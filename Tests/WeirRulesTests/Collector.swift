import CaptureTesting
import WeirEngine
import WeirPackets
import WeirProtocols

/// Records the findings and sessions of a judged capture.
final class Collector: ReportSink {
    private(set) var findings: [Finding] = []
    private(set) var tallies: [RuleTally] = []
    private(set) var errors = 0
    private(set) var limitsReached: [Text] = []
    private(set) var sessions: [SessionRecord] = []
    /// The outcomes of the sessions, as keys, without causes.
    var outcomes: [[String]] { sessions.map { $0.outcomeBeforeCauses.map(\.key) } }
    /// Verdict and identifier of the causes of all sessions.
    var causes: [String] { sessions.flatMap(\.causeLines) }

    func begin(_ capture: CaptureRecord) {}
    func event(_ event: Event, session: SessionReference?, findings: [Finding]) { self.findings += findings }
    func finding(_ finding: Finding, session: SessionReference?) { findings.append(finding) }
    func flow(_ flow: FlowRecord) {}
    func stream(_ stream: StreamRecord, session: SessionReference?) {}
    func session(_ record: SessionRecord) { sessions.append(record) }
    func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        self.tallies = tallies
        errors = findings.errors
        limitsReached = summary.limitsReached
    }

    /// Returns the findings of a rule: `verdict severity key`, with the quirk.
    func said(_ rule: String) -> [String] {
        findings.filter { $0.rule == rule }.map(Self.line)
    }

    func tally(_ rule: String) -> RuleTally { tallies.first { $0.rule == rule } ?? RuleTally(rule: rule) }

    static func line(_ finding: Finding) -> String {
        let quirk = finding.quirk.map { " \($0)" } ?? ""
        let severity = finding.verdict == .fail ? finding.severity.rawValue : "inconclusive"
        return "\(severity) \(finding.message.key)\(quirk)"
    }
}

extension Collector {
    /// Judges frames with all rules.
    static func of(_ frames: [KeptFrame]) -> Collector {
        let collector = Collector()
        let analyzer = Analyzer(sink: RuleEngine(rules: BuiltIn.rules, sink: collector))
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return collector
    }
}

extension Transcript {
    /// Judges the conversation.
    func judged(by rules: [any Rule.Type] = BuiltIn.rules, strict: Bool = false) -> Collector {
        let collector = Collector()
        var options = RuleEngine.Options()
        options.strict = strict
        let analyzer = Analyzer(sink: RuleEngine(rules: rules, options: options, sink: collector))
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.raw], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return collector
    }
}
