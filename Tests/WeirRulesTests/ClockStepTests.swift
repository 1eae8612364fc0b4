import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// The capture's clock steps back: verdicts that depend on it are undecided.
@Suite("A capture clock that steps back")
struct ClockStepTests {
    private static let captures = [
        "rtsp/rtsp-udp", "rtsp/rtsp-tcp-interleaved", "rtsp/rtsp-record-udp", "rtsp/rtsp-digest", "rtsp/rtsp-rtx",
        "rtsp/rtsp-h265-opus", "rtp/rtp-static", "rtp/mpegts-udp", "rtp/rtp-mpegts", "rtmp/rtmp-publish",
        "rtmp/rtmp-play", "rtmp/article-publish",
    ]

    private static func moved(_ frames: [KeptFrame], _ delay: (Int) -> Double) -> [KeptFrame] {
        frames.enumerated().map { index, frame in
            var frame = frame
            let nanoseconds = frame.info.time.nanoseconds + Int64(delay(index) * 1_000_000_000)
            frame.info.time = Timestamp(nanoseconds: nanoseconds)
            return frame
        }
    }

    @Test("is nobody's fault", arguments: captures, [-1.0, 1, -3_600])
    func single(_ name: String, seconds: Double) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        let whole = TimelineCounts(frames)
        for start in [7, 49] {
            let part = TimelineCounts(Self.moved(frames) { $0 % 50 == start ? seconds : 0 })
            for (rule, count) in part.faults { #expect(count <= whole.faults[rule] ?? 0, "\(rule), \(start)") }
        }
    }

    /// The findings in FFmpeg's recording depend on times.
    @Test("makes pending verdicts undecided, and no later ones")
    func later() throws {
        let name = "Captures/rtsp/rtsp-record-mp4v-latm.pcap"
        let frames = try KeptFrame.read(RecordedCaptures.path(name))
        let before = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-digest.pcap"))
        #expect(TimelineCounts(frames).faults["RTP-JITTER"] == 1 && TimelineCounts(before).faults == [:])
        #expect(TimelineCounts(Self.moved(frames) { $0 == 100 ? -1 : 0 }).faults["RTP-JITTER"] == nil)
        let start = try #require(frames.first).info.time.seconds(since: try #require(before.first).info.time)
        let back = Self.moved(frames) { _ in -start - 100 }
        #expect(TimelineCounts((before + back).numbered).faults == TimelineCounts(frames).faults)
    }

    @Test("and ahead by minutes: a stream that continues after it does not start with a late key frame")
    func silence() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp.pcap"))
        let collector = Collector.of(Self.moved(frames) { $0 < 173 ? 0 : 130 })
        #expect(collector.said("H264-FIRST-IDR") == [] && collector.tally("H264-FIRST-IDR").pass == 1)
    }

    private static func exchanged(_ frames: [KeptFrame]) -> [KeptFrame] {
        let half = frames.count / 2
        return (Array(frames.dropFirst(half)) + Array(frames.prefix(half))).numbered
    }

    /// A capture in several files, merged in the wrong order.
    @Test(
        "the second half before the first is nobody's fault",
        arguments: captures + [
            "webrtc/browser-ice-restart", "webrtc/webrtc-call", "webrtc/webrtc-turn-udp", "rtsp/rtsp-multicast",
            "rtp/mpegts-udp-multicast", "rtsp/rtsp-srtp-sdes", "http/rtsp-websocket", "webrtc/webrtc-wrong-fingerprint",
            "rtp/rtp-twins",
            "rtsp/rtsp-srtp",
        ])
    func halves(_ name: String) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        let whole = TimelineCounts(frames)
        let part = TimelineCounts(Self.exchanged(frames))
        // The step may split a session into two, each with the session's fault.
        #expect(Set(part.faults.keys).subtracting(whole.faults.keys) == [])
    }

    @Test("a session after the step is reported neither as incomplete nor as open")
    func outcome() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp.pcap"))
        let part = TimelineCounts(Self.exchanged(frames))
        #expect(part.summary?.stepsBack == 1 && part.summary?.firstStepBack == frames.count - frames.count / 2 + 1)
        #expect(TimelineCounts(frames).summary?.stepsBack == 0)
        #expect(part.outcomes["outcome.acceptedDisordered"] == 1 && part.outcomes["outcome.endUnseen"] == 1)
        #expect(part.outcomes["outcome.open"] == nil)
    }
}
