import CaptureTesting
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirReports

/// A marked secret, and everything written about a capture that contains it.
enum Canary {
    static let word = "CANARY7F3A"

    /// Returns each report in each language, with all secrets masked.
    static func reports(
        _ policy: SecretPolicy = .masked, _ play: (any TimelineSink, AnalyzerOptions) -> Void
    ) -> [(name: String, text: String)] {
        Language.allCases.flatMap { reports($0, policy, play) }
    }

    private static func reports(
        _ language: Language, _ policy: SecretPolicy, _ play: (any TimelineSink, AnalyzerOptions) -> Void
    ) -> [(name: String, text: String)] {
        var options = ReportOptions()
        options.language = language
        options.secrets = policy
        var outputs: [(name: String, output: MemoryOutput)] = []
        func output(_ name: String) -> MemoryOutput {
            let output = MemoryOutput()
            outputs.append(("\(name) (\(language))", output))
            return output
        }
        var reports: [any Report] = [
            TextReport(options, page: TextReport.Page(), output: output("text")),
            NDJSONReport(options, withTallies: true, output: output("ndjson")),
            JSONReport(options, version: "1", withTallies: true, withCoverage: true, output: output("json")),
        ]
        for format in [VerdictReport.Format.text, .junit, .sarif, .markdown, .github] {
            reports.append(VerdictReport(format, options, VerdictOptions(), output: output("check \(format)")))
        }
        let group = ReportGroup(reports)
        let profile = Profile()
        let gate = Gate(
            profile, rules: BuiltIn.rules.map { $0.info }, baseline: nil, day: "2026-11-22", sink: group)
        var analysis = AnalyzerOptions()
        analysis.packets = true
        play(
            RuleEngine(
                rules: BuiltIn.rules, of: BuiltIn.plugins, options: profile.judging(BuiltIn.rules), sink: gate),
            analysis)
        gate.finish()
        group.finish()
        return outputs.map { ($0.name, $0.output.text) }
    }

    /// Returns the lines of all reports that contain the secret.
    static func shown(in reports: [(name: String, text: String)]) -> [String] {
        reports.flatMap { report in
            report.text.split(separator: "\n").filter { $0.contains(word) }.map { line in
                let start = line.firstRange(of: word)?.lowerBound ?? line.startIndex
                let from = line.index(start, offsetBy: -60, limitedBy: line.startIndex) ?? line.startIndex
                return "\(report.name): \(line[from...].prefix(120))"
            }
        }
    }
}

extension Transcript {
    /// Analyzes the script's frames.
    func play(into sink: any TimelineSink, options: AnalyzerOptions) {
        let analyzer = Analyzer(options: options, sink: sink)
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.raw], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
    }
}
