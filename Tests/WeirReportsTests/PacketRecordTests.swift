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
}
