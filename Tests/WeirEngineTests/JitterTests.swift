import Testing
import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

@Suite("Interarrival jitter")
struct JitterTests {
    /// The code of RFC 3550 §A.8, in whole ticks.
    private struct Reference {
        var transit = 0
        var jitter = 0.0
        var isFirst = true

        mutating func update(arrival: Int, timestamp: Int) {
            let now = arrival - timestamp
            var d = now - transit
            transit = now
            if isFirst {
                isFirst = false
                return
            }
            if d < 0 { d = -d }
            jitter += (1.0 / 16.0) * (Double(d) - jitter)
        }
    }

    @Test("equals the code of RFC 3550 §A.8, across the timestamp's wrap")
    func reference() throws {
        var random = SeededGenerator(38)
        var jitter = try #require(Jitter(clockRate: 8_000))
        var reference = Reference()
        var highest = 0.0
        for packet in 0..<5_000 {
            let timestamp = 4_294_000_000 + packet * 160
            // One tick is 125 µs: arrivals on whole ticks make both results equal.
            let arrival = packet * 160 + Int(random.next() % 80)
            _ = jitter.observe(
                UInt32(truncatingIfNeeded: timestamp),
                at: Timestamp(nanoseconds: 1_470_807_662_000_000_000 + Int64(arrival) * 125_000))
            reference.update(arrival: arrival, timestamp: timestamp)
            highest = max(highest, reference.jitter)
            #expect((jitter.ticks - reference.jitter).magnitude < 1e-6)
        }
        #expect((jitter.maximumMilliseconds - highest / 8).magnitude < 1e-6)
    }

    @Test("a clock rate of zero measures nothing")
    func noClock() {
        #expect(Jitter(clockRate: 0) == nil)
        #expect(Jitter(clockRate: -1) == nil)
        var jitter = Jitter.unknown
        for packet in 0..<8 {
            let moved = jitter.observe(UInt32(packet) * 160, at: Timestamp(nanoseconds: Int64(packet * packet) * 1_000))
            #expect(moved == nil)
        }
        #expect(jitter.ticks == 0 && jitter.transit == 0 && jitter.meanMilliseconds == 0)
    }
}
