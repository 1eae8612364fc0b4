import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols

@testable import WeirKit

/// Recorded calls that a test has changed.
enum EditedCalls {
    /// The frames of a recorded call.
    static func frames(_ name: String) throws -> [KeptFrame] {
        try KeptFrame.read(RecordedCaptures.path("Captures/webrtc/\(name).pcap"))
    }

    /// What an analysis makes of a recorded call.
    static func recorded(_ name: String) throws -> AnalysisResult {
        try Analysis(RecordedCaptures.path("Captures/webrtc/\(name).pcap")).run()
    }

    /// The same, and its one session.
    static func recordedCall(_ name: String) throws -> (AnalysisResult, AnalysisResult.SessionResult) {
        let result = try recorded(name)
        #expect(result.sessions.map(\.record.kind) == ["webrtc"])
        return (result, try #require(result.sessions.first))
    }

    /// What an analysis with the built-in protocols makes of frames, judged by all rules.
    static func analysed(_ frames: [KeptFrame], _ options: AnalyzerOptions = AnalyzerOptions()) -> AnalysisResult {
        var options = options
        options.verifiesChecksums = false
        let collector = ResultCollector(plugins: BuiltIn.plugins)
        let judge = RuleEngine(rules: BuiltIn.rules, of: BuiltIn.plugins, sink: collector)
        let analyzer = Analyzer(options: options, sink: judge)
        analyzer.begin(CaptureRecord(file: "edited", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in frames.numbered { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return collector.result
    }
}

extension AnalysisResult {
    /// Its calls.
    var calls: [SessionResult] { sessions.filter { $0.record.kind == "webrtc" } }

    /// Findings of a rule, each as its sentence.
    func sentences(_ rule: String) -> [String] { findings.filter { $0.rule == rule }.map { sentence($0.message) } }

    /// The kinds of steps of a protocol.
    func kinds(_ name: String) -> [String] {
        events.filter { $0.message.protocolName == name }.map(\.message.kind)
    }
}

extension AnalysisResult.SessionResult {
    /// The causes that explain the outcome.
    var heldCauses: [String] { causes.filter(\.isHeld).map(\.id) }
}
