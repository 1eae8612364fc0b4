import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirTesting

/// The capture clock follows the packets' times, whatever they are.
@Suite("Capture clock")
struct ClockTests {
    private static let caller = Endpoint(address: IPAddress(ipv4: 0xC000_0201), port: 40_000)
    private static let callee = Endpoint(address: IPAddress(ipv4: 0xC000_0202), port: 50_000)

    @Test("jumps over centuries take no time to process", .timeLimit(.minutes(1)))
    func leaps() {
        let times: [Int64] = [.max, 1_422_527_998_578_402_281, .max - 1, 5, .min, .max, 1, 2_000_000_000_000_000_000]
        let frames = times.enumerated().map { index, time in
            KeptFrame(
                packet: PacketBuilder.udp(
                    [1, 2, 3, 4], from: Self.caller, to: Self.callee, identification: 100 + index),
                number: index + 1, time: Timestamp(nanoseconds: time))
        }
        #expect(AnalyzedTimeline.emit(frames).lines.isEmpty)
    }
}
