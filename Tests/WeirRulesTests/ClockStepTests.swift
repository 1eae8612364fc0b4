import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// The times of a capture's frames go back: its clock is not to be believed, and what rests on it is undecided.
@Suite("A clock of the capture that goes back")
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

    @Test("makes no fault of anybody", arguments: captures, [-1.0, 1, -3_600])
    func single(_ name: String, seconds: Double) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        let whole = Telling(frames)
        for start in [7, 49] {
            let part = Telling(Self.moved(frames) { $0 % 50 == start ? seconds : 0 })
            for (rule, count) in part.faults { #expect(count <= whole.faults[rule] ?? 0, "\(rule), \(start)") }
        }
    }

    /// The second half of the file before the first one: what came first cannot be told.
    @Test(
        "leaves the order of packets undecided",
        arguments: [
            "webrtc/webrtc-call", "webrtc/webrtc-turn-udp", "webrtc/webrtc-wrong-fingerprint", "rtp/mpegts-udp",
            "rtp/rtp-twins", "rtsp/rtsp-udp", "rtsp/rtsp-srtp",
        ])
    func halves(_ name: String) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        let turned = Array(frames[(frames.count / 2)...] + frames[..<(frames.count / 2)]).numbered
        let (whole, part) = (Telling(frames), Telling(turned))
        for rule in ["SRTP-ROC", "RTP-SEQ-REORDER", "TS-CC"] {
            #expect(part.faults[rule] ?? 0 <= whole.faults[rule] ?? 0, "\(rule)")
        }
    }

    /// What FFmpeg's recording is found with rests on times.
    @Test("puts in doubt what was open then, and nothing that begins later")
    func later() throws {
        let name = "Captures/rtsp/rtsp-record-mp4v-latm.pcap"
        let frames = try KeptFrame.read(RecordedCaptures.path(name))
        let before = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-digest.pcap"))
        #expect(Telling(frames).faults["RTP-JITTER"] == 1 && Telling(before).faults == [:])
        #expect(Telling(Self.moved(frames) { $0 == 100 ? -1 : 0 }).faults["RTP-JITTER"] == nil)
        let start = try #require(frames.first).info.time.seconds(since: try #require(before.first).info.time)
        let back = Self.moved(frames) { _ in -start - 100 }
        #expect(Telling((before + back).numbered).faults == Telling(frames).faults)
    }
}
