import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// Frame and time of a finding belong to the same packet.
@Suite("Times of findings")
struct FindingTimeTests {
    @Test(
        "equal those of their frames",
        arguments: [
            "rtsp/rtsp-loss-udp", "rtsp/rtsp-port-unreachable", "rtsp/article-dialogue",
            "rtsp/rtsp-client-gone", "rtsp/rtsp-tcp-interleaved", "rtmp/rtmp-publish", "rtmp/rtmp-several",
        ])
    func ofFrames(_ name: String) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        let collector = Collector()
        let analyzer = Analyzer(sink: RuleEngine(rules: BuiltIn.rules, sink: collector))
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
        let times = Dictionary(uniqueKeysWithValues: frames.map { ($0.info.number, $0.info.time) })
        let placed = collector.findings.filter { $0.frame != nil }
        #expect(!placed.isEmpty)
        for finding in placed {
            #expect(finding.time == finding.frame.flatMap { times[$0] }, "\(finding.rule) \(finding.message.key)")
        }
    }

    @Test("the latest frames are known, and old ones are dropped")
    func bounded() {
        var times = FrameTimes()
        for frame in 1...100_000 { times.note(frame, Timestamp(nanoseconds: Int64(frame))) }
        #expect(times[1] == nil)
        #expect(times[100_000 - 32_768] == Timestamp(nanoseconds: 100_000 - 32_768))
        #expect(times[100_000] == Timestamp(nanoseconds: 100_000))
    }

    @Test("steps out of frame order are known, too")
    func disordered() {
        var times = FrameTimes()
        for frame in [5, 9, 7, 9, 2, 7, 11, 1] { times.note(frame, Timestamp(nanoseconds: Int64(frame * 10))) }
        times.note(7, Timestamp(nanoseconds: 71))
        let known = (0...12).map { times[$0]?.nanoseconds }
        #expect(known == [nil, 10, 20, nil, nil, 50, nil, 71, nil, 90, nil, 110, nil])
    }
}
