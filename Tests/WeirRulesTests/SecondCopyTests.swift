import CaptureTesting
import Testing
import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

/// Two captures of the same traffic, merged: all packets occur again with an offset.
@Suite("A second copy of all packets")
struct SecondCopyTests {
    private static func packets(_ frames: [KeptFrame]) -> [String] {
        AnalyzedTimeline.emit(frames).streams.compactMap { stream in
            (stream.details as? RTPStreamDetails).map {
                "\($0.stream.ssrc) \($0.stream.packets) \($0.stream.sequence.restarts) \($0.stream.sequence.missing)"
            }
        }.sorted()
    }

    @Test(
        "is not counted, and is nobody's fault",
        arguments: ["rtsp/rtsp-udp", "rtsp/rtsp-udp-gst", "rtsp/rtsp-loss-udp", "rtsp/rtsp-tcp-interleaved"],
        [0.05, 0.5, 2])
    func again(_ name: String, seconds: Double) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        let twice = frames.merged(with: frames, after: seconds)
        #expect(Self.packets(twice) == Self.packets(frames))
        let (whole, part) = (TimelineCounts(frames), TimelineCounts(twice))
        for (rule, count) in part.faults { #expect(count <= whole.faults[rule] ?? 0, "\(rule)") }
        #expect(part.outcomes == whole.outcomes && part.sessions == whole.sessions)
    }

    /// A mirror port for both directions, whose copies are between the packets that follow their originals.
    @Test(
        "shortly after the original and out of order is not counted",
        arguments: [
            "rtsp/rtsp-udp", "rtsp/rtsp-ipv6", "rtsp/rtsp-multicast", "rtp/rtp-static", "rtp/rtp-mpegts",
            "rtp/mpegts-udp",
        ], [1, 2] as [UInt64])
    func interleaved(_ name: String, seed: UInt64) throws {
        var random = SeededGenerator(seed)
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        let copies = frames.map { frame in
            var frame = frame
            let delay = Int64.random(in: 50_000...500_000, using: &random)
            frame.info.time = Timestamp(nanoseconds: frame.info.time.nanoseconds + delay)
            return frame
        }
        let twice = (frames + copies).sorted { $0.info.time < $1.info.time }.numbered
        #expect(Self.packets(twice) == Self.packets(frames))
        #expect(TimelineCounts(twice).faults == TimelineCounts(frames).faults)
    }

    /// IPv6 has no identification: the copies are reported as duplicates, and jitter is computed from the first copies
    /// only.
    @Test("of IPv6 causes no jitter", arguments: [0.05, 0.5, 2])
    func unidentified(seconds: Double) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-ipv6.pcap"))
        let twice = frames.merged(with: frames, after: seconds)
        #expect(TimelineCounts(twice).faults["RTP-JITTER"] == nil)
    }

    /// Only the datagrams occur again, or were captured at another tap, with a smaller hop count.
    @Test("of datagrams causes no sequence restart", arguments: [0.5, 2], [false, true])
    func datagrams(seconds: Double, isElsewhere: Bool) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp.pcap"))
        let datagrams = frames.filter { $0.datagram != nil }.map { frame in
            var frame = frame
            // The IP checksum is adjusted as by a router.
            if isElsewhere {
                frame.octets[22] -= 1
                frame.octets[24] += frame.octets[24] < 255 ? 1 : 0
            }
            return frame
        }
        let first = try #require(frames.first).info.time
        let delay = try #require(datagrams.first).info.time.seconds(since: first) + seconds
        let twice = frames.merged(with: datagrams, after: delay)
        let (whole, part) = (Self.packets(frames), Self.packets(twice))
        #expect(part.count == whole.count && part.allSatisfy { $0.contains(" 0 0") })
        #expect(TimelineCounts(twice).faults == TimelineCounts(frames).faults)
    }
}
