import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// State attached to a flow is released with it: a capture may have very many flows in sequence.
@Suite("Lifetime of flows")
struct FlowLifetimeTests {
    private final class Weak {
        weak var state: FlowState?
        init(_ state: FlowState) { self.state = state }
    }

    @Test(
        "no state of an ended flow is left",
        arguments: RecordedCaptures.all.filter { !$0.hasSuffix("cut-short.pcap") })
    func gone(_ path: String) throws {
        let left = try Self.flows(of: path).compactMap { flow in
            flow.state.map { "\($0.transport) \($0.client) \($0.server) \($0.protocolNames)" }
        }
        #expect(left == [])
    }

    /// Analyzes a capture and returns the flows that were open at its end.
    private static func flows(of path: String) throws -> [Weak] {
        let analyzer = Analyzer(options: AnalyzerOptions(), sink: AnalyzedTimeline())
        analyzer.begin(CaptureRecord(file: path, format: "pcap", linkTypes: [], snapLength: nil))
        for frame in try KeptFrame.read(RecordedCaptures.path(path)) { frame.use { analyzer.process($0) } }
        let flows = analyzer.states.compactMap { $0 }.map { Weak($0) }
        analyzer.finish()
        return flows
    }
}
