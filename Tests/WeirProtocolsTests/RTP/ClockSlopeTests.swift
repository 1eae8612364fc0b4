import Testing
import WeirPackets
@testable import WeirProtocols

/// The estimated rate of a clock.
@Suite("Clock rate estimate") struct ClockSlopeTests {
    /// Estimates the rate from frames of 20 ms with timestamps at `rate`; `arrival` maps the due time to the arrival
    /// time.
    private func estimate(
        _ seconds: Double, rate: Double = 1, _ arrival: (Double) -> Double
    ) -> ClockSlope.Estimate? {
        var slope = ClockSlope()
        for number in 0..<Int(seconds * 50) {
            let due = Double(number) / 50
            let time = arrival(due)
            slope.observe(
                (time - due * rate) * 8_000, at: Timestamp(nanoseconds: Int64(time * 1e9)), clockRate: 8_000)
        }
        return slope.estimate
    }

    @Test("equals the clock's rate, also with a small offset", arguments: [0.9, 0.99, 1, 1.001, 1.2])
    func exact(_ rate: Double) throws {
        let found = try #require(estimate(20, rate: rate) { $0 + 0.003 * pattern($0) })
        #expect((found.rate - rate).magnitude < 0.0005 && found.isSteady)
        if rate != 1 { #expect(found.isOff(by: (rate - 1).magnitude / 2)) }
    }

    @Test("is not affected by a burst at the start or the end", arguments: [8.0, 20, 60])
    func bursts(_ seconds: Double) throws {
        let hurried = try #require(estimate(seconds) { max(0, $0 - 1.5) })
        let flushed = try #require(estimate(seconds) { min($0, seconds - 1.5) + $0 / 1e6 })
        for found in [hurried, flushed] { #expect((found.rate - 1).magnitude < 0.001) }
    }

    @Test("is not affected by one timestamp step", arguments: [0.2, 0.35, 0.65, 0.8])
    func step(_ place: Double) throws {
        let found = try #require(estimate(10) { $0 < 10 * place ? $0 : $0 + 0.5 })
        #expect(!found.isOff(by: 0.0025))
    }

    @Test("works for any length, and from eight frames on")
    func bounds() throws {
        #expect(estimate(0.12) { $0 } == nil)
        #expect(try #require(estimate(0.2) { $0 }).rate == 1)
        #expect((try #require(estimate(4_000, rate: 1.05) { $0 }).rate - 1.05).magnitude < 1e-6)
    }

    /// A deterministic variation.
    private func pattern(_ time: Double) -> Double { Double(Int(time * 50) * 7 % 11) / 5 - 1 }
}
