import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols

@testable import WeirKit

/// Recorded calls with modifications.
enum EditedCalls {
    /// The frames of a recorded call.
    static func frames(_ name: String) throws -> [KeptFrame] {
        try KeptFrame.read(RecordedCaptures.path("Captures/webrtc/\(name).pcap"))
    }

    /// Analyzes a recorded call.
    static func recorded(_ name: String) throws -> AnalysisResult {
        try Analysis(RecordedCaptures.path("Captures/webrtc/\(name).pcap")).run()
    }

    /// Analyzes a recorded call and returns its only session.
    static func recordedCall(_ name: String) throws -> (AnalysisResult, AnalysisResult.SessionResult) {
        let result = try recorded(name)
        #expect(result.sessions.map(\.record.kind) == ["webrtc"])
        return (result, try #require(result.sessions.first))
    }

    /// Analyzes frames with the built-in protocols and all rules.
    static func analyzed(_ frames: [KeptFrame], _ options: AnalyzerOptions = AnalyzerOptions()) -> AnalysisResult {
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
    /// The WebRTC sessions.
    var calls: [SessionResult] { sessions.filter { $0.record.kind == "webrtc" } }

    /// Returns the sentences of a rule's findings.
    func sentences(_ rule: String) -> [String] { findings.filter { $0.rule == rule }.map { sentence($0.message) } }

    /// Returns the kinds of a protocol's steps.
    func kinds(_ name: String) -> [String] {
        events.filter { $0.message.protocolName == name }.map(\.message.kind)
    }
}

extension AnalysisResult.SessionResult {
    /// The ids of the causes in effect.
    var heldCauses: [String] { causes.filter(\.isHeld).map(\.id) }
}
