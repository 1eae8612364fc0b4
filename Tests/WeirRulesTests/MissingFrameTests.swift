import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// A tap drops a frame that the peers received: whatever its content, the peers are not at fault.
@Suite("One missing frame")
struct MissingFrameTests {
    /// The first frames, with nearly all negotiation.
    private static let tried = 40

    @Test(
        "is nobody's fault",
        arguments: [
            "rtsp/rtsp-udp", "rtsp/rtsp-tcp-interleaved", "rtsp/rtsp-digest",
            "rtsp/rtsp-record-tcp", "rtsp/rtsp-vlc", "rtmp/rtmp-publish", "rtmp/rtmp-play", "rtmp/rtmp-publish-gst",
        ])
    func blamesNobody(_ name: String) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        let whole = Set(Self.faults(frames))
        for index in frames.indices.prefix(Self.tried) where Self.isTCP(frames[index]) {
            var rest = frames
            rest.remove(at: index)
            let faults = Self.faults(rest).filter { !whole.contains($0) }
            #expect(faults == [], "without frame \(index + 1)")
        }
    }

    /// Returns errors and warnings.
    private static func faults(_ frames: [KeptFrame]) -> [String] {
        let collector = Collector()
        let analyzer = Analyzer(sink: RuleEngine(rules: BuiltIn.rules, sink: collector))
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return collector.findings.filter { $0.verdict == .fail && $0.severity != .note }.map(Collector.line)
    }

    /// Whether the frame is Ethernet with IPv4 and TCP.
    private static func isTCP(_ frame: KeptFrame) -> Bool {
        frame.octets.count > 34 && frame.octets[12] == 8 && frame.octets[13] == 0 && frame.octets[23] == 6
    }
}
