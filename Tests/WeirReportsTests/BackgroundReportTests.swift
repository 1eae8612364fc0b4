import CaptureTesting
import Testing
import WeirPackets

@testable import WeirEngine
@testable import WeirReports

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

    @Test("records of routine messages are copied in order once their kind is proven")
    func copies() {
        let (output, plain) = (SharedOutput(), SharedOutput())
        let report = BackgroundReport(NDJSONReport(ReportOptions(), output: output), processors: 2, first: 0, batch: 4)
        let direct = NDJSONReport(ReportOptions(), output: plain)
        let side = Endpoint(address: IPAddress(ipv4: 0xC000_0201), port: 5_004)
        var outline = RecordOutline(isLabeled: false)
        var copied = 0
        for number in 1..<400 {
            let message = Reading(
                sensor: UInt32(number), level: 7 * number, count: number, battery: number % 3 == 0 ? nil : 5,
                unit: number % 50 == 0 ? "\(number)" : "V")
            let event = Event(
                id: number, frame: number, time: Timestamp(nanoseconds: Int64(number) * 100_000_000),
                offset: number == 333 ? -1 : Int64(number) * 100_000_000, flow: 1, direction: .clientToServer,
                source: side, destination: side, message: message)
            direct.event(event, session: nil, findings: [])
            outline.clear()
            if message.outline(&outline), let routine = event.routine, report.routine(routine, outline) {
                copied += 1
            } else {
                report.event(event, session: nil, findings: [])
            }
            // Afterwards, the kinds are known.
            if number == 200 { report.flush() }
        }
        report.finish()
        direct.finish()
        #expect(output.octets == plain.octets)
        #expect(copied > 190)
    }
}
