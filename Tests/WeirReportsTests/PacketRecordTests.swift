import CaptureTesting
import Foundation
import Testing
import WeirPackets

@testable import WeirReports
import WeirEngine
import WeirProtocols

@Suite("Records of RTP packets, RTMP messages and interleaved frames")
struct PacketRecordTests {
    @Test(
        "copied records equal those written member by member",
        arguments: [
            "Captures/rtsp/rtsp-udp.pcap", "Captures/rtsp/rtsp-tcp-interleaved.pcap",
            "Captures/rtsp/rtsp-loss-udp.pcap",
            "Captures/rtsp/rtsp-2.0-tcp.pcap", "Captures/rtmp/rtmp-publish.pcap", "Captures/rtmp/rtmp-several.pcap",
            "Captures/rtmp/rtmp-extended.pcap", "Captures/rtmp/rtmp-hevc-codec-12.pcap", "Captures/rtmp/rtmp-loss.pcap",
        ])
    func sameRecords(capture: String) throws {
        var analysis = AnalyzerOptions()
        analysis.packets = true
        let lines = MemoryOutput()
        let document = MemoryOutput()
        let both = BothReports(
            NDJSONReport(ReportOptions(), output: lines),
            JSONReport(ReportOptions(), version: "0", output: document))
        try WholeAnalysis.run(RecordedCaptures.path(capture), options: analysis, into: both)
        both.finish()
        let head = #"{"record":"event","#
        let records = lines.text.split(separator: "\n").filter { $0.hasPrefix(head) }
            .map { "{" + $0.dropFirst(head.count) }
        #expect(records.count { $0.contains(#""kind":"packet""#) || $0.contains(#""type":"audio""#) } > 30)
        let events = Data((#""events":["# + records.joined(separator: ",") + "]").utf8)
        #expect(Data(document.octets).range(of: events) != nil)
    }

    /// A selection of everything, with which each packet becomes an event.
    private static let everything: Selection = {
        var selection = Selection()
        selection.from = .offset(.min)
        return selection
    }()

    private static func records(_ capture: String, _ selection: Selection, first: Int) throws -> String {
        var analysis = AnalyzerOptions()
        analysis.packets = true
        var options = ReportOptions()
        options.selection = selection
        let output = SharedOutput()
        let report = BackgroundReport(NDJSONReport(options, output: output), processors: 2, first: first, batch: 8)
        try WholeAnalysis.run(RecordedCaptures.path(capture), options: analysis, into: report)
        report.finish()
        return String(decoding: output.octets, as: UTF8.self)
    }

    @Test(
        "records copied without their events equal those of events",
        arguments: [
            "Captures/rtsp/rtsp-udp.pcap", "Captures/rtsp/rtsp-tcp-interleaved.pcap",
            "Captures/rtsp/rtsp-loss-udp.pcap", "Captures/rtp/rtp-red.pcap", "Captures/rtp/rtp-static.pcap",
            "Captures/webrtc/whip.pcap",
        ])
    func withoutEvents(capture: String) throws {
        let events = try Self.records(capture, Self.everything, first: .max)
        #expect(try Self.records(capture, Selection(), first: .max) == events)
        // The second thread has started before the first packet, and is told which records it copies.
        #expect(try Self.records(capture, Selection(), first: 3) == events)
    }
}
