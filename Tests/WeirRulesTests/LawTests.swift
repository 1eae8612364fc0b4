import CaptureTesting
import Testing
import WeirEngine
import WeirPackets

/// A reduced capture may make Weir report less, never something different. `Scripts/law` tests all captures in every
/// way; these are some of them.
@Suite("Reduced captures")
struct LawTests {
    /// Short captures of sessions that succeeded, and some that failed.
    private static let captures = [
        "rtsp/article-dialogue", "rtsp/rtsp-basic", "rtsp/rtsp-digest", "rtsp/rtsp-not-found",
        "rtsp/rtsp-record-hung-up", "rtsp/rtsp-wrong-password", "rtmp/article-publish", "rtmp/rtmp-play-nothing",
        "rtmp/rtmp-publish-denied", "rtmp/rtmp-no-application", "rtmp/rtmp-enhanced-play",
        "webrtc/whip", "webrtc/webrtc-data-channel", "webrtc/article-signaling", "webrtc/signaling-websocket",
        "srt/srt-live", "srt/srt-wrong-passphrase", "srt/srt-encrypted",
        "webrtc/webrtc-ice-tcp", "rtp/rtp-tcp-framed", "rtp/rtp-telephone-event",
        "rtp/rtp-rist-librist", "rtp/rtp-rist",
    ]
    /// The frames that contain nearly all negotiation.
    private static let first = 36

    private static func variants(_ frames: [KeptFrame]) -> [Less] {
        let count = min(first, frames.count)
        var variants = (0..<count).map { Less.without($0, of: frames) }
        for place in stride(from: 1, to: count, by: 5) {
            variants.append(.begun(behind: place, of: frames))
            variants.append(.ended(at: place, of: frames))
        }
        variants += [60, 96, 200].map { Less.cut(to: $0, of: frames) }
        variants += [true, false].map { Less.oneSide(isFirst: $0, of: frames) }
        return variants + [.swapped(frames), .doubled(frames)]
    }

    @Test("report less, and nothing different", arguments: captures)
    func holds(_ name: String) throws {
        let frames = Array(try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap")).prefix(160))
        let whole = TimelineCounts(frames)
        for less in Self.variants(frames) {
            let part = TimelineCounts(less.frames, origins: less.origins)
            #expect(whole.breaches(less, part) == [], "\(less.name)")
        }
    }
}
