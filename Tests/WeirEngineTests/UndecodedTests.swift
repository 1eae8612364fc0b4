import CaptureTesting
import Testing
import WeirEngine
import WeirPackets

@Suite("Packets that cannot be decoded") struct UndecodedTests {
    /// Returns the summary of some IP packets.
    private func summary(_ packets: [[UInt8]]) -> SummaryRecord? {
        let frames = packets.enumerated().map { index, packet in
            KeptFrame(packet: packet, number: index + 1, time: Timestamp(nanoseconds: Int64(index)))
        }
        return AnalyzedTimeline.emit(frames).summary
    }

    @Test("are counted by layer, and the first of each is reported with its location")
    func byLayer() throws {
        // An IPv4 header with a length of 8 octets; and one of which only 6 octets are present.
        let short: [UInt8] = [0x42] + Array(repeating: 0, count: 19)
        let cut: [UInt8] = [0x45, 0, 0, 40, 0, 0]
        let reported = summary([short, cut, short])
        let summary = try #require(reported)
        #expect(summary.undecodedPackets == 3)
        let malformed = try #require(summary.undecoded.first { $0.fault != nil })
        #expect(malformed.layer == "IPv4" && malformed.packets == 2 && malformed.frame == 1)
        let missing = try #require(summary.undecoded.first { $0.octets != nil })
        #expect(missing.packets == 1 && missing.frame == 2 && missing.octets?.available == 6)
        #expect((missing.octets?.needed ?? 0) > 6)
    }

    @Test("are not reported for valid captures")
    func none() {
        #expect(summary([])?.undecoded.isEmpty == true)
    }
}
