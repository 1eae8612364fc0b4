import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine

/// Media whose port changes, for example after a NAT rebinding.
@Suite("Media that continues on another port")
struct MovedMediaTests {
    /// Returns the capture with other ports after two seconds.
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
        let isOfClient = ports.keys.contains { $0 < 34400 }
        #expect(said.outcomes == [isOfClient ? ["outcome.played", "outcome.unagreed"] : ["outcome.played"]])
        #expect(said.sessions.first?.streams.count == 2 + ports.count)
    }

    /// The sequence numbers continue with another SSRC: the sender is unknown.
    @Test("belongs to another sender with another SSRC")
    func otherSource() throws {
        let frames = try Self.moved([34370: 40002, 34368: 40000]).map { frame in
            guard frame.portNumbers.map({ [40000, 40002].contains($0.destination) }) ?? false else { return frame }
            var other = frame
            for place in 50..<54 where other.octets.indices.contains(place) { other.octets[place] ^= 0x55 }
            return other
        }
        #expect(Collector.of(frames).sessions.first?.streams.count == 2)
    }

    /// The video packets, with another client port where `isMoved` returns true.
    private static func pictures(where isMoved: ((source: UInt16, destination: UInt16)) -> Bool) throws -> Collector {
        Collector.of(
            try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp.pcap")).map { frame in
                guard frame.datagram != nil, let ports = frame.portNumbers, isMoved(ports) else { return frame }
                return frame.replacingPorts([34368: 40000, 34369: 40001])
            })
    }

    @Test("breaks RTP-ENDPOINT if the port was not negotiated, and is not missing")
    func unagreed() throws {
        let said = try Self.pictures { $0.destination == 34368 }
        #expect(said.said("RTP-ENDPOINT") == ["error RTP-ENDPOINT.destination"])
        #expect(said.said("RTP-NOT-ARRIVED").isEmpty)
        #expect(said.outcomes == [["outcome.played", "outcome.unagreed"]])
        #expect(said.sessions.first?.streams.count == 2)
    }

    @Test("breaks no rule if the client has sent from the port")
    func sentFrom() throws {
        let said = try Self.pictures { [$0.source, $0.destination].contains(34368) }
        #expect(said.said("RTP-ENDPOINT").isEmpty)
        #expect(said.sessions.first?.streams.count == 2)
    }

    @Test("breaks no rule if all of the client's ports may be translated")
    func translated() throws {
        let said = try Self.pictures { ports in
            [34368, 34369].contains { [ports.source, ports.destination].contains($0) }
        }
        #expect(said.said("RTP-ENDPOINT").isEmpty)
        #expect(said.sessions.first?.streams.count == 2)
    }

    @Test("breaks no rule for certain if part of the signaling is missing")
    func lacking() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp.pcap")).filter {
            $0.info.number != 14
        }
        let said = Collector.of(
            frames.map {
                $0.datagram != nil && $0.portNumbers?.destination == 34368 ? $0.replacingPorts([34368: 40000]) : $0
            })
        #expect(said.said("RTP-ENDPOINT") == ["inconclusive RTP-ENDPOINT.destination"])
    }
}
