import Foundation
import Testing
import WeirPackets
import WeirTesting

@testable import WeirReports
import WeirEngine
import WeirProtocols

@Suite("JSON") struct JSONWriterTests {
    private func written(_ body: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        body(&json)
        return String(decoding: json.octets, as: UTF8.self)
    }

    @Test(
        "strings are escaped as in RFC 8259 §7",
        arguments: [
            ("plain", #""plain""#), ("", #""""#), (#"a"b\c/d"#, #""a\"b\\c/d""#), ("\n\r\t", #""\n\r\t""#),
            ("\u{0}\u{1}\u{1B}\u{1F}\u{7F}", #""\u0000\u0001\u001b\u001f\u007f""#), ("é中😀", #""é中😀""#),
            ("\u{2028}\u{2029}", #""\u2028\u2029""#), ("a\u{9B}31m", #""a\u009b31m""#),
            ("\u{200E}\u{61C}\u{202E}\u{2066}", #""\u200e\u061c\u202e\u2066""#),
            ("\u{200B}\u{FEFF}\u{E0041}", #""\u200b\ufeff\udb40\udc41""#), ("–‘…’→ÿ", #""–‘…’→ÿ""#),
        ])
    func strings(text: String, expected: String) {
        #expect(written { $0.string(text) } == expected)
    }

    @Test("any string is read back by another parser")
    func anyString() throws {
        var random = SeededGenerator(8259)
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...30, using: &random)
            let isText = random.chance(2)
            let text = String(
                decoding: random.octets(count).map { isText ? $0 & 0x3F : $0 }, as: UTF8.self)
            let octets = Data(written { $0.value(.array([.string(text)]), .revealed) }.utf8)
            #expect(try JSONDecoder().decode([String].self, from: octets) == [text])
        }
    }

    @Test(
        "whole numbers",
        arguments: [0, 1, 9, 10, -1, -10, 1_000_000, .max, .min])
    func integers(value: Int) {
        #expect(written { $0.integer(value) } == String(value))
    }

    @Test(
        "fractional numbers have no more decimals than necessary",
        arguments: [
            (0.0, "0"), (-0.0, "0"), (0.5, "0.5"), (-0.25, "-0.25"), (1.1, "1.1"), (2.0, "2"), (100.0, "100"),
            (0.000_000_001, "0.000000001"), (0.000_000_000_1, "0"), (-0.000_000_000_1, "0"),
            (123_456.789, "123456.789"), (0.1 + 0.2, "0.3"), (.nan, "0"), (.infinity, "0"), (-.infinity, "0"),
            (1e14, "100000000000000"), (-1e14, "-100000000000000"), (1e300, "0"), (999_999.999_999_999_9, "1000000"),
        ])
    func doubles(value: Double, expected: String) {
        #expect(written { $0.double(value) } == expected)
    }

    @Test("numbers are rounded to the requested decimals")
    func places() {
        #expect(decimal(2.345, places: 1) == "2.3")
        #expect(decimal(2.35, places: 0) == "2")
        #expect(decimal(-0.04, places: 1) == "0.0")
        #expect(decimal(9.96, places: 1) == "10.0")
        #expect(decimal(-1.05, places: 3) == "-1.050")
    }

    @Test(
        "offsets are seconds with nine decimals",
        arguments: [
            (0, "0.000000000"), (1, "0.000000001"), (1_000_000_000, "1.000000000"), (-1, "-0.000000001"),
            (-1_500_000_000, "-1.500000000"), (.max, "9223372036.854775807"), (.min, "-9223372036.854775808"),
        ])
    func seconds(nanoseconds: Int64, expected: String) {
        #expect(written { $0.seconds(nanoseconds: nanoseconds) } == expected)
    }

    @Test("members keep their order, and commas are only between values")
    func structure() {
        let value = FieldValue.object([
            Field("z", .array([.integer(1), .array([]), .object([]), .bool(true)])), Field("a", .string("x")),
        ])
        let text = written {
            $0.beginArray()
            $0.value(value, .revealed)
            $0.raw { $0 += Array("null".utf8) }
            $0.value(value, .revealed)
            $0.endArray()
            $0.newline()
        }
        #expect(text == #"[{"z":[1,[],{},true],"a":"x"},null,{"z":[1,[],{},true],"a":"x"}]"# + "\n")
    }
}
