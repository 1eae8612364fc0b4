import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// A tap loses a frame that the peers got: whatever it held, the peers are not to blame.
@Suite("One frame that the capture lacks")
struct MissingFrameTests {
    /// Frames of the beginning, where nearly all is negotiated.
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

    /// Errors and warnings.
    private static func faults(_ frames: [KeptFrame]) -> [String] {
        let collector = Collector()
        let analyzer = Analyzer(sink: RuleEngine(rules: BuiltIn.rules, sink: collector))
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return collector.findings.filter { $0.verdict == .fail && $0.severity != .note }.map(Collector.line)
    }

    /// Ethernet with IPv4 and TCP.
    private static func isTCP(_ frame: KeptFrame) -> Bool {
        frame.octets.count > 34 && frame.octets[12] == 8 && frame.octets[13] == 0 && frame.octets[23] == 6
    }
}
