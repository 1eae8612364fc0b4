import CaptureTesting
import Testing
import WeirPackets

/// A conversation inside HTTP bodies, over one connection or two, whose directions are apart in the file: messages that
/// become readable later are reported in their original frames and on their original connections.
@Suite("Locations of content carried in HTTP")
struct CarriedPlaceTests {
    private static let captures = [
        "rtsp/rtsp-http-tunnel", "rtsp/rtsp-http-tunnel-gst", "rtmp/rtmpt-play", "rtmp/rtmpt-publish",
    ]

    @Test("whichever side is late", arguments: captures, [30, 1_000])
    func late(_ name: String, milliseconds: Int64) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        let whole = TimelineCounts(frames)
        for isFirst in [true, false] {
            let less = Less.late(isFirst: isFirst, by: milliseconds * 1_000_000, frames)
            let part = TimelineCounts(less.frames, origins: less.origins)
            #expect(whole.breaches(less, part) == [], "\(less.name)")
            #expect(part.said.count > whole.said.count / 2, "\(less.name)")
        }
    }

    /// The capture may start inside a body, which contains RTMP and is followed by HTTP.
    @Test("wherever the capture begins", arguments: ["rtmp/rtmpt-play", "rtmp/rtmpt-publish"])
    func begun(_ name: String) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        let whole = TimelineCounts(frames)
        for count in 1...40 {
            let less = Less.begun(behind: count, of: frames)
            let part = TimelineCounts(less.frames, origins: less.origins)
            #expect(whole.breaches(less, part) == [], "\(less.name)")
        }
    }
}
