import CaptureTesting
import Testing
import WeirPackets

/// ICE checks of which only one direction is captured.
@Suite("ICE checks captured in one direction")
struct OneSidedChecksTests {
    /// In this capture, checks of 10.77.0.1 have no response because a firewall drops them.
    private static let name = "webrtc/webrtc-blocked-port"

    @Test("show nothing about responses")
    func oneSide() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(Self.name).pcap"))
        let answerer: [UInt8] = [10, 77, 0, 2]
        let said = Collector.of(
            frames.filter { $0.datagram == nil || !($0.ports?.source.elementsEqual(answerer) ?? false) }.numbered)
        #expect(said.said("ICE-PAIR") == ["inconclusive ICE-PAIR.oneSided"])
        #expect(said.outcomes.allSatisfy { !$0.contains("webrtc.outcome.noPair") })
    }

    @Test("show a failure if the other direction is captured")
    func bothSides() throws {
        let said = Collector.of(try KeptFrame.read(RecordedCaptures.path("Captures/\(Self.name).pcap")))
        #expect(said.said("ICE-PAIR") == ["error ICE-PAIR.none"])
    }
}
