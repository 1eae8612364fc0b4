import Testing
import WeirPackets
import WeirTesting

/// Decimal numbers written in place.
@Suite struct DigitsTests {
    @Test("numbers of any width, and nothing beside them")
    func widths() {
        var random = SeededGenerator(10)
        for round in 0..<20_000 {
            let width = 1 + round % 20
            let number = UInt(truncatingIfNeeded: random.next() >> (random.next() % 64))
            var octets = [UInt8](repeating: 65, count: width + 4)
            octets.putDecimal(number, at: 2, width: width)
            let digits = String(repeating: "0", count: width) + String(number)
            #expect(String(decoding: octets, as: UTF8.self) == "AA\(digits.suffix(width))AA")
        }
    }
}
