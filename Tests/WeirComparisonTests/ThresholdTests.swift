import Testing
import WeirComparison

@Suite("Limits of --fail-on")
struct ThresholdTests {
    @Test(
        "Figures, units and percentages are parsed",
        arguments: [
            ("lost-between>0.1%", "lost-between", 0.1, true), ("lost-before > 3", "lost-before", 3, false),
            ("delay-variation>30ms", "delay-variation", 30, false), ("drift>20 ppm", "drift", 20, false),
            ("differences>0", "differences", 0, false),
        ])
    func parsing(_ text: String, _ figure: String, _ limit: Double, _ isPercentage: Bool) throws {
        let threshold = try #require(ComparisonThreshold(text))
        #expect(threshold.figure.rawValue == figure)
        #expect(threshold.limit == limit)
        #expect(threshold.isPercentage == isPercentage)
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "lost-between", "lost-between>", "lost>1%", "lost-between<1%", "delay-variation>30", "drift>1%",
            "lost-between>-1", "lost-between>nan", "differences>1%", "changed>1ms",
        ])
    func refusal(_ text: String) {
        #expect(ComparisonThreshold(text) == nil)
    }
}
