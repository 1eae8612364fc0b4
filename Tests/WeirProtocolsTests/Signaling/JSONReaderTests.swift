import Testing
import WeirEngine
import WeirPackets
@testable import WeirProtocols

@Suite("Arbitrary JSON") struct JSONReaderTests {
    private func read(_ text: String, _ limits: JSONLimits = JSONLimits()) -> JSONText {
        JSONText(text, limits: limits)
    }

    /// The value in a short form: members in order, strings in quotation marks.
    private func form(_ node: JSONNode?) -> String {
        guard let node else { return "nothing" }
        switch node.content {
        case .null: return "null"
        case .bool(let value): return "\(value)"
        case .number(let text): return text
        case .string(let text): return "'\(text)'"
        case .array(let elements): return "[" + elements.map(form).joined(separator: " ") + "]"
        case .object(let members):
            return "{" + members.map { "\($0.name):\(form($0.value))" }.joined(separator: " ") + "}"
        }
    }

    @Test(
        "values are kept as sent, in order",
        arguments: [
            (#" {"b":1,"a":[true,null,-0.5e+3]} "#, "{b:1 a:[true null -0.5e+3]}"),
            (#"{"a":1,"a":"1"}"#, "{a:1 a:'1'}"), (#""A\n\/\"\\""#, "'A\n/\"\\'"),
            (#""\ud83d\ude00""#, "'😀'"), ("[]", "[]"), ("{}", "{}"), ("12345678901234567890", "12345678901234567890"),
        ])
    func values(text: String, expected: String) {
        let text = read(text)
        #expect(form(text.value) == expected && text.isWhole)
    }

    @Test(
        "errors are reported, and the rest is used",
        arguments: [
            ("\u{FEFF}{}", "{}", [JSONFlaw.Kind.byteOrderMark]), (#"{"a":1,"a":2}"#, "{a:1 a:2}", [.repeatedName]),
            ("{\"a\":\"x\ny\"}", "{a:'x\ny'}", [.controlCharacter]), (#"["\q"]"#, "['q']", [.escape]),
            (#"["\ud83d"]"#, "['\u{FFFD}']", [.escape]), (#"["\ude00"]"#, "['\u{FFFD}']", [.escape]),
            (#"["\u12"]"#, "['\u{FFFD}12']", [.escape]), ("[1,]", "[1]", [.strayComma]),
            (#"{"a":1,}"#, "{a:1}", [.strayComma]), ("[01]", "[01]", [.number]), ("[.5]", "[.5]", [.number]),
            ("[NaN]", "[NaN]", [.number]), ("{} x", "{}", [.trailing]), (#"{"a":1"#, "{a:1}", [.unfinished]),
            (#"{"a":"#, "{}", [.unfinished]), (#"{"a"#, "{}", [.unfinished]), (#"{"a":tru"#, "{}", [.unfinished]),
            ("{a:1}", "{}", [.syntax]), (#"{"a":wrong}"#, "{}", [.syntax]), ("[1 2]", "[1]", [.syntax]),
            ("", "nothing", [.unfinished]),
        ])
    func flaws(text: String, expected: String, kinds: [JSONFlaw.Kind]) {
        let text = read(text)
        #expect(form(text.value) == expected)
        #expect(text.flaws.map(\.kind) == kinds)
    }

    @Test("text that is not UTF-8 is still parsed")
    func notUTF8() {
        let octets: [UInt8] = [0x22, 0x61, 0xFF, 0x22]
        let text = JSONText(octets.rawSpan)
        #expect(text.value?.string == "a\u{FFFD}" && text.flaws.map(\.kind) == [.notUTF8])
    }

    @Test("offsets count octets")
    func offsets() throws {
        let text = read(#" {"a": "xy"}"#)
        #expect(text.value?.range == 1..<12 && text.value?["a"]?.range == 7..<11)
    }

    @Test("depth and number of values are bounded")
    func bounds() {
        let deep = read(String(repeating: "[", count: 100_000))
        #expect(deep.flaws.map(\.kind) == [.depth] && !deep.isWhole)
        var limits = JSONLimits()
        limits.values = 10
        let many = read("[" + Array(repeating: "1", count: 50).joined(separator: ",") + "]", limits)
        #expect(many.value?.elements.count == 9 && many.flaws.map(\.kind) == [.size])
        let flawed = read("[" + String(repeating: "01,", count: 10_000) + "1]")
        #expect(flawed.flaws.count == 32)
    }

    @Test("a text truncated anywhere, or with any octet changed, does not trap")
    func anyOctets() {
        let whole = Array(#"{"type":"offer","n":[-1.5e3,{"a":"é\u00e9\ud83d\ude00\n"}],"t":true,"x":null}"#.utf8)
        for length in whole.indices { _ = JSONText(Array(whole[..<length]).rawSpan) }
        for place in whole.indices {
            for octet: UInt8 in [0, 0x22, 0x5C, 0x7B, 0x7D, 0x5B, 0x2C, 0x75, 0xFF] {
                var changed = whole
                changed[place] = octet
                let text = JSONText(changed.rawSpan)
                #expect(text.octets <= changed.count)
            }
        }
    }

    @Test("the end of a text is found by its brackets, in any segmentation")
    func extent() {
        let octets = Array(#"{"a":"}\"{","b":[1,{}]}{"#.utf8)
        for step in 1...octets.count {
            var extent = JSONExtent()
            var answer = JSONExtent.Answer.needMore
            var count = 0
            while answer == .needMore, count < octets.count {
                count = min(octets.count, count + step)
                answer = extent.end(Array(octets[..<count]).rawSpan, from: 0)
            }
            #expect(answer == .end(23))
        }
        var none = JSONExtent()
        let word = none.end(Array("true".utf8).rawSpan, from: 0)
        #expect(word == .none)
    }
}
