import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// Two captures of one time that were put together: all packets are there again, so much later.
@Suite("A second copy of all packets")
struct SecondCopyTests {
    private static func packets(_ frames: [KeptFrame]) -> [String] {
        Story.tell(frames).streams.compactMap { stream in
            (stream.details as? RTPStreamDetails).map {
                "\($0.stream.ssrc) \($0.stream.packets) \($0.stream.sequence.restarts) \($0.stream.sequence.missing)"
            }
        }.sorted()
    }

    @Test(
        "counts nowhere, and is nobody's fault",
        arguments: ["rtsp/rtsp-udp", "rtsp/rtsp-udp-gst", "rtsp/rtsp-loss-udp", "rtsp/rtsp-tcp-interleaved"],
        [0.05, 0.5, 2])
    func again(_ name: String, seconds: Double) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        let twice = frames.merged(with: frames, after: seconds)
        #expect(Self.packets(twice) == Self.packets(frames))
        let (whole, part) = (Telling(frames), Telling(twice))
        for (rule, count) in part.faults { #expect(count <= whole.faults[rule] ?? 0, "\(rule)") }
        #expect(part.outcomes == whole.outcomes && part.sessions == whole.sessions)
    }

    /// Only the datagrams are there again, or seen at another tap, with a smaller hop count.
    @Test("of datagrams makes no source count anew", arguments: [0.5, 2], [false, true])
    func datagrams(seconds: Double, isElsewhere: Bool) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp.pcap"))
        let datagrams = frames.filter { $0.datagram != nil }.map { frame in
            var frame = frame
            // The checksum of IP is adjusted as a router would.
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
        #expect(Telling(twice).faults == Telling(frames).faults)
    }
}
