import CaptureTesting
import Testing
@testable import WeirEngine
@testable import WeirProtocols

/// A fault that recurs in a session is one finding for each side.
@Suite("Recurring faults") struct OnceTests {
    private final class Findings: ReportSink {
        var keys: [String] = []
        func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
            for finding in findings { add(finding, "\(event.direction)") }
        }
        func finding(_ finding: Finding, session: SessionReference?) { add(finding, "stream \(finding.stream ?? 0)") }

        private func add(_ finding: Finding, _ side: String) {
            guard let session = finding.session else { return }
            let (expected, actual) = (finding.expected.map { "\($0)" } ?? "", finding.actual.map { "\($0)" } ?? "")
            keys.append(
                "session \(session) \(finding.rule) \(finding.verdict) \(finding.message) \(expected) \(actual) \(side)"
            )
        }
    }

    @Test("no two findings of a session differ only in their place", arguments: RecordedCaptures.all)
    func once(_ path: String) {
        let findings = Findings()
        // A damaged capture is judged up to the damage.
        try? WholeAnalysis.run(RecordedCaptures.path(path), into: findings)
        let repeated = Dictionary(grouping: findings.keys) { $0 }.filter { $0.value.count > 1 }.map(\.key)
        #expect(repeated == [])
    }
}
