import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirReports

/// A selection of a capture limits the verdict to that selection.
@Suite("The verdict on a selection")
struct SelectedFindingsTests {
    private final class Counter: ReportSink {
        var findings: [Finding] = []
        var counts = FindingCounts()
        func begin(_ capture: CaptureRecord) {}
        func event(_ event: Event, session: SessionReference?, findings: [Finding]) { self.findings += findings }
        func finding(_ finding: Finding, session: SessionReference?) { findings.append(finding) }
        func flow(_ flow: FlowRecord) {}
        func stream(_ stream: StreamRecord, session: SessionReference?) {}
        func session(_ record: SessionRecord) {}
        var tallies: [RuleTally] = []
        func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
            counts = findings
            self.tallies = tallies
        }
    }

    private func judged(
        _ capture: String = "rtsp/article-dialogue", _ change: (inout Selection) -> Void
    ) throws -> (Counter, Set<Int>) {
        var selection = Selection()
        change(&selection)
        let counter = Counter()
        let selected = SelectedFindings(selection, sink: counter)
        var judging = RuleEngine.Options()
        judging.selection = selection
        try WholeAnalysis.run(RecordedCaptures.path("Captures/\(capture).pcap"), judging: judging, into: selected)
        return (counter, selected.missingFlows)
    }

    @Test("contains what is shown, and counts that")
    func counts() throws {
        let (all, _) = try judged { _ in }
        #expect(all.counts.errors == 3)
        for (from, to) in [(0, 40_000_000), (40_000_000, 51_000_000), (51_000_000, 10_000_000_000)] as [(Int64, Int64)]
        {
            let (part, _) = try judged {
                $0.from = .offset(from)
                $0.to = .offset(to)
            }
            #expect(part.findings.count < all.findings.count)
            #expect(part.counts.errors == part.findings.count { $0.verdict == .fail && $0.severity == .error })
        }
        let (media, _) = try judged { $0.protocols = ["rtp"] }
        #expect(media.findings.allSatisfy { $0.plugin == "rtp" })
        // A finding about a step of another protocol is reported without it.
        #expect(media.findings.map(\.rule) == ["RTP-NOT-ARRIVED"])
        #expect(media.counts.notes == 1)
    }

    @Test("counts rules as passed if they pass in the selection")
    func kept() throws {
        func kept(_ change: (inout Selection) -> Void) throws -> Int {
            try judged("rtsp/article-dialogue", change).0.tallies.count { $0.pass > 0 }
        }
        let all = try kept { _ in }
        #expect(try kept { $0.flows = [77] } == 0)
        #expect(try 0..<all ~= kept { $0.flows = [2] })
        #expect(try 0..<all ~= kept { $0.protocols = ["rtp"] })
        #expect(try 0..<all ~= kept { $0.from = .offset(1_000_000_000) })
        // The capture takes 6.4 seconds.
        #expect(try kept { $0.from = .offset(100_000_000_000) } == 0)
        #expect(try kept { $0.to = .offset(-1) } == 0)
    }

    @Test("a rule broken by other steps is not passed by the selection", arguments: ["dtls", "webrtc", "rtsp"])
    func tallies(_ name: String) throws {
        let (part, _) = try judged("webrtc/webrtc-wrong-fingerprint") { $0.protocols = [name] }
        let tally = try #require(part.tallies.first { $0.rule == "DTLS-FP" })
        #expect(tally.fail == (name == "rtsp" ? 0 : 1))
        #expect(part.counts.errors == tally.fail)
        #expect(name != "rtsp" || tally.pass == 0)
    }

    @Test("names missing flows")
    func flows() throws {
        #expect(try judged { $0.flows = [1, 77] }.1 == [77])
        #expect(try judged { $0.flows = [2] }.0.counts.errors == 0)
        #expect(try judged { $0.flows = [1] }.0.counts.errors == 3)
    }

    @Test("a time span that ends before it starts is empty")
    func empty() {
        var selection = Selection()
        selection.from = .offset(3)
        #expect(!selection.isEmpty)
        selection.to = .offset(1)
        #expect(selection.isEmpty)
    }
}
