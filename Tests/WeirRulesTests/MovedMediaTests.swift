import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine

/// Media whose port changes on the way, as when a router that translates addresses has forgotten the former one.
@Suite("Media that goes on at another port")
struct MovedMediaTests {
    /// The capture with other ports from two seconds on.
    private static func moved(_ ports: [UInt16: UInt16]) throws -> [KeptFrame] {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp.pcap"))
        let start = try #require(frames.first).info.time
        return frames.map {
            $0.datagram != nil && $0.info.time.seconds(since: start) > 2 ? $0.replacingPorts(ports) : $0
        }
    }

    @Test(
        "stays in its session",
        arguments: [[34368: 40000, 34370: 40002], [34370: 40002], [34698: 41000, 53858: 41002]] as [[UInt16: UInt16]])
    func sameSession(_ ports: [UInt16: UInt16]) throws {
        let said = Collector.of(try Self.moved(ports))
        #expect(said.outcomes == [["outcome.played"]])
        #expect(said.sessions.first?.streams.count == 2 + ports.count)
    }

    /// The numbers go on with another source: who that is, nobody knows.
    @Test("is another's with another source")
    func otherSource() throws {
        let frames = try Self.moved([34370: 40002, 34368: 40000]).map { frame in
            guard frame.portNumbers.map({ [40000, 40002].contains($0.destination) }) ?? false else { return frame }
            var other = frame
            for place in 50..<54 where other.octets.indices.contains(place) { other.octets[place] ^= 0x55 }
            return other
        }
        #expect(Collector.of(frames).sessions.first?.streams.count == 2)
    }
}
