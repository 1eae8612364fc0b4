import CaptureTesting
import Testing
import WeirEngine
import WeirReports

@Suite("Reports written by a background thread")
struct BackgroundReportTests {
    private enum Format: CaseIterable {
        case text, json, ndjson

        func report(_ output: SharedOutput) -> sending any Report {
            switch self {
            case .text: TextReport(ReportOptions(), output: output)
            case .json: JSONReport(ReportOptions(), version: "0", output: output)
            case .ndjson: NDJSONReport(ReportOptions(), output: output)
            }
        }
    }

    /// Returns the report when the background thread starts after `first` steps.
    private func written(_ captures: [String], _ format: Format, processors: Int, first: Int) throws -> [UInt8] {
        let output = SharedOutput()
        let report = BackgroundReport(format.report(output), processors: processors, first: first)
        var options = AnalyzerOptions()
        options.packets = true
        for capture in captures {
            try WholeAnalysis.run(RecordedCaptures.path(capture), name: capture, options: options, into: report)
        }
        report.finish()
        #expect(output.failed == 0)
        return output.octets
    }

    @Test(
        "the same octets as without it, wherever it starts",
        arguments: [
            ["Captures/rtsp/rtsp-udp.pcap"], ["Captures/rtsp/rtsp-loss-udp.pcap"], ["Captures/rtmp/rtmp-several.pcap"],
            ["Captures/webrtc/signaling-websocket.pcap"],
            ["Captures/rtsp/rtsp-tcp-interleaved.pcap", "Captures/rtmp/rtmp-publish.pcap"],
        ])
    func sameOctets(captures: [String]) throws {
        for format in Format.allCases {
            let direct = try written(captures, format, processors: 1, first: 0)
            #expect(direct.count > 10_000)
            for first in [0, 1, 300] {
                #expect(try written(captures, format, processors: 2, first: first) == direct, "\(format) \(first)")
            }
        }
    }

    @Test("a flush writes everything before it returns")
    func flushes() throws {
        let output = SharedOutput()
        let report = BackgroundReport(Format.ndjson.report(output), processors: 2, first: 0)
        let capture = RecordedCaptures.path("Captures/rtsp/rtsp-udp.pcap")
        try WholeAnalysis.run(capture, into: report)
        report.flush()
        let flushed = output.octets
        #expect(flushed.suffix(2).elementsEqual([0x7D, 0x0A]))
        report.finish()
        #expect(output.octets == flushed)
    }
}
