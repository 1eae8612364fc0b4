import Testing
import WeirPackets

@testable import WeirReports

@Suite("Octets with variable numbers")
struct NumberedOctetsTests {
    private static let numbers = [
        0, 1, 9, 10, 99, 100, 999, 1_000, 12_345, 99_999, 100_000, 999_999, 1_000_000, 999_999_999, 1_000_000_000,
        4_294_967_295, .max - 1, .max, -1, -9, -10, -999, -1_000, -999_999_999, .min,
    ]

    @Test("any number replaces any other", arguments: [NumberedOctets.Form.decimal, .grouped, .identifier])
    func anyNumber(form: NumberedOctets.Form) {
        for first in Self.numbers {
            for second in Self.numbers {
                var text = written(first, form)
                text.put { [second, first, 7][$0] }
                #expect(text.octets == written(second, form, first, 7).octets)
            }
        }
    }

    @Test("fractions have nine digits", arguments: [0, 1, 6, 999_999_999, 120_000_000])
    func fractions(number: Int) {
        var text = written(5, .fraction)
        text.put { [number, 5, 0][$0] }
        let digits = String(String(number + 1_000_000_000).dropFirst())
        #expect(String(decoding: text.octets, as: UTF8.self) == "a\(digits)b000000005c0d")
    }

    /// Returns octets with two numbers in the same form, and a decimal number.
    private func written(
        _ first: Int, _ form: NumberedOctets.Form, _ second: Int? = nil, _ last: Int = 0
    ) -> NumberedOctets {
        var text = NumberedOctets()
        text.append("a".utf8)
        text.append(first, form)
        text.append("b".utf8)
        text.append(second ?? first, form)
        text.append("c".utf8)
        text.append(last, .decimal)
        text.append("d".utf8)
        return text
    }
}
