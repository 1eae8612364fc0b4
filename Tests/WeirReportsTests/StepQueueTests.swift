import CaptureTesting
import Dispatch
import Testing
import WeirEngine
import WeirReports

@Suite("Steps of an analysis on another thread")
struct StepQueueTests {
    /// Keeps the names of captures.
    private final class Names: ReportSink {
        var names: [String] = []
        func begin(_ capture: CaptureRecord) { names.append(capture.file) }
    }

    private static func capture(_ number: Int) -> CaptureRecord {
        CaptureRecord(file: "\(number)", format: "pcap", linkTypes: [], snapLength: nil, isStreamed: false)
    }

    @Test("arrive in order, also when far more are produced than the queue holds")
    func order() {
        let queue = StepQueue<Int>()
        let count = 200_000
        DispatchQueue.global().async {
            let collector = StepCollector(queue, factPolicies: [])
            for number in 0..<count { collector.begin(Self.capture(number)) }
            collector.end(7)
        }
        let names = Names()
        #expect(queue.deliver(to: names) {} == 7)
        #expect(names.names.elementsEqual((0..<count).lazy.map(String.init)))
    }

    @Test("are flushed when asked for")
    func flushes() {
        let queue = StepQueue<Int>()
        let collector = StepCollector(queue, factPolicies: [])
        for number in 0..<3 {
            collector.begin(Self.capture(number))
            collector.flush()
        }
        collector.end(0)
        let names = Names()
        var counts: [Int] = []
        _ = queue.deliver(to: names) { counts.append(names.names.count) }
        #expect(counts == [1, 2, 3])
    }

    @Test(
        "give the same report", arguments: ["Captures/rtsp/rtsp-udp.pcap", "Captures/webrtc/signaling-websocket.pcap"])
    func sameReport(capture: String) throws {
        let (direct, queued) = (MemoryOutput(), MemoryOutput())
        var options = AnalyzerOptions()
        options.packets = true
        let report = NDJSONReport(ReportOptions(), output: direct)
        try WholeAnalysis.run(RecordedCaptures.path(capture), name: capture, options: options, into: report)
        report.finish()
        let queue = StepQueue<Int>()
        let other = NDJSONReport(ReportOptions(), output: queued)
        DispatchQueue.global().async { [options, policies = other.factPolicies] in
            let collector = StepCollector(queue, factPolicies: policies)
            try? WholeAnalysis.run(RecordedCaptures.path(capture), name: capture, options: options, into: collector)
            collector.end(1)
        }
        #expect(queue.deliver(to: other) {} == 1)
        other.finish()
        #expect(queued.octets.count > 10_000)
        #expect(queued.octets == direct.octets)
    }
}
