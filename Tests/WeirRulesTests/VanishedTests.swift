import CaptureTesting
import Testing
import WeirPackets

/// A connection that disappears from the capture although it continues.
@Suite("Connections that vanish from the capture")
struct VanishedTests {
    @Test(
        "leave nothing unanswered if the last octets were neither acknowledged nor retransmitted",
        arguments: [
            "rtmp/rtmp-publish", "rtmp/rtmp-play", "rtmp/article-publish", "rtsp/rtsp-tcp-interleaved",
            "rtsp/rtsp-record-tcp", "rtsp/rtsp-not-found",
        ])
    func vanished(_ name: String) throws {
        try vanished(name) { frames, place in frames[place].segmentOctets > 0 }
    }

    /// Whether a response was sent is unknown.
    @Test(
        "leave nothing unanswered if the last octets were acknowledged before the silence",
        arguments: [
            "rtmp/rtmp-publish", "rtmp/rtmp-play", "rtmp/article-publish", "rtsp/rtsp-tcp-interleaved",
            "rtsp/rtsp-record-tcp", "rtsp/rtsp-basic", "rtsp/rtsp-tcp-odd-port",
        ])
    func acknowledged(_ name: String) throws {
        try vanished(name) { frames, place in
            place > 0 && frames[place].ports?.isTCP == true && frames[place].segmentOctets == 0
                && frames[place - 1].segmentOctets > 0
        }
    }

    private func vanished(_ name: String, where isEnd: ([KeptFrame], Int) -> Bool) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        let others = try KeptFrame.read(RecordedCaptures.path("Captures/rtp/rtp-static.pcap"))
        let whole = TimelineCounts(frames)
        let ends = frames.indices.prefix(60).filter { isEnd(frames, $0) }
        #expect(ends.count > 3)
        for end in ends {
            let less = Less.ended(at: end + 1, of: frames)
            for seconds in [30.0, 600] {
                let part = TimelineCounts(less.frames.merged(with: others, after: less.frames.seconds + seconds))
                let breaches = whole.breaches(less, part).filter { line in
                    ["(a) RTSP", "(a) RTMP", "(c)"].contains { line.hasPrefix($0) }
                }
                #expect(breaches == [], "\(less.name), \(seconds) s of others")
            }
        }
    }
}

extension KeptFrame {
    /// Payload octets of a TCP segment in Ethernet and IPv4; 0 for other frames.
    fileprivate var segmentOctets: Int {
        guard ports?.isTCP == true else { return 0 }
        let header = Int(octets[14] & 15) * 4
        guard octets.count > 14 + header + 12 else { return 0 }
        return (Int(octets[16]) << 8 | Int(octets[17])) - header - Int(octets[14 + header + 12] >> 4) * 4
    }
}
