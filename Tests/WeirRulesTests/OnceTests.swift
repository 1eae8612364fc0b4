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

    @Test("pings that a client never answers are one finding, with count, first and last frame")
    func pings() throws {
        let pings = (2...5).map { "+4\nS 4 0 00060000\($0)000\n" }.joined()
        let script = try #require(RTMPScript.publish.replacing([("C 4 0 000700001234\n", pings)]))
        let found = script.judged().findings.filter { $0.rule == "RTMP-PING" }
        let finding = try #require(found.first)
        #expect(found.count == 1 && finding.count == 5)
        #expect(try #require(finding.frame) < #require(finding.lastFrame))
    }

    @Test("a rule that a message breaks again is counted in the session")
    func again() throws {
        let twice = "C 18 0 FCPublish 3 null key\nC 18 0 FCPublish 4 null key\nC 18 0 FCPublish 5 null key"
        let script = try #require(RTMPScript.publish.replacing([("# behind createStream", twice)]))
        let collector = script.judged()
        let finding = try #require(collector.findings.first { $0.rule == "RTMP-CMD-TYPE" })
        #expect(collector.said("RTMP-CMD-TYPE") == ["warning RTMP-CMD-TYPE.data"])
        #expect(collector.tally("RTMP-CMD-TYPE").fail == 3)
        let repeated = try #require(collector.sessions.first?.repeatedFindings.first { $0.rule == "RTMP-CMD-TYPE" })
        #expect(repeated.count == 3 && repeated.event == finding.event && repeated.frame == finding.frame)
        #expect(try #require(repeated.lastFrame) > #require(repeated.frame))
        #expect(repeated.counted(finding).count == 3)
    }
}
