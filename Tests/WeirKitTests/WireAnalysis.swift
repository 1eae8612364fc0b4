import CaptureTesting
import WeirEngine
import WeirPackets
import WeirProtocols

@testable import WeirKit

extension Wire {
    /// Analyzes the packets with the built-in protocols and `rules`.
    func analyzed(rules: [any Rule.Type] = [], options: AnalyzerOptions = AnalyzerOptions()) -> AnalysisResult {
        var options = options
        options.verifiesChecksums = false
        let collector = ResultCollector(plugins: BuiltIn.plugins)
        let judge = RuleEngine(rules: rules, of: BuiltIn.plugins, sink: collector)
        let analyzer = Analyzer(options: options, sink: judge)
        analyzer.begin(CaptureRecord(file: "wire", format: "made", linkTypes: [.raw], snapLength: nil))
        for (index, packet) in packets.enumerated() {
            KeptFrame(packet: packet.octets, number: index + 1, time: Timestamp(nanoseconds: packet.nanoseconds))
                .use { analyzer.process($0) }
        }
        analyzer.finish()
        return collector.result
    }

    /// Adds lines of text, each ending in CR LF.
    mutating func send(fromClient: Bool, lines: String...) {
        send(fromClient: fromClient, lines.flatMap { Array(($0 + "\r\n").utf8) })
    }
}
