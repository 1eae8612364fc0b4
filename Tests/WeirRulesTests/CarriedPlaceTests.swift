import CaptureTesting
import Testing
import WeirPackets

/// A conversation that travels in bodies of HTTP, over one connection or two, whose sides are apart in the file: what was said
/// before it could be read is told in the frame that brought it, on the connection that carried it.
@Suite("Places of what travels in HTTP")
struct CarriedPlaceTests {
    private static let captures = [
        "rtsp/rtsp-http-tunnel", "rtsp/rtsp-http-tunnel-gst", "rtmp/rtmpt-play", "rtmp/rtmpt-publish",
    ]

    @Test("whichever side is late", arguments: captures, [30, 1_000])
    func late(_ name: String, milliseconds: Int64) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        let whole = Telling(frames)
        for isFirst in [true, false] {
            let less = Less.late(isFirst: isFirst, by: milliseconds * 1_000_000, frames)
            let part = Telling(less.frames, origins: less.origins)
            #expect(whole.breaches(less, part) == [], "\(less.name)")
            #expect(part.said.count > whole.said.count / 2, "\(less.name)")
        }
    }

    /// The capture may begin in the middle of a body: what stands there is RTMP, and behind it comes HTTP.
    @Test("wherever the capture begins", arguments: ["rtmp/rtmpt-play", "rtmp/rtmpt-publish"])
    func begun(_ name: String) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        let whole = Telling(frames)
        for count in 1...40 {
            let less = Less.begun(behind: count, of: frames)
            let part = Telling(less.frames, origins: less.origins)
            #expect(whole.breaches(less, part) == [], "\(less.name)")
        }
    }
}
