import Testing
import WeirEngine
import WeirKit
import WeirPackets

/// Messages carried whole inside those of another protocol.
@Suite("Carried messages") struct CarriedMessageTests {
    /// Returns the frame and the summary line of each event.
    private func reported(_ dialogue: Dialogue, options: AnalyzerOptions = AnalyzerOptions()) -> [String] {
        let result = dialogue.analyzed(plugins: [Toy.self], rules: [], options: options)
        return result.events.compactMap { event in
            event.message.protocolName == "tcp"
                ? nil : "#\(event.frame) \(event.message.protocolName) \(event.message.summary(.masked))"
        }
    }

    @Test("are kept until one is recognized, and reported at their own frames")
    func keptUntilRecognised() {
        var dialogue = Dialogue(.tcp, port: 7_000)
        dialogue.client("ENVELOPE hello")
        dialogue.server("word: early")
        dialogue.client("noise")
        dialogue.client("word: CALL")
        dialogue.server("word: late")
        #expect(
            reported(dialogue) == [
                "#4 envelope hello", "#6 envelope 11 octets", "#8 envelope 5 octets", "#10 envelope 10 octets",
                "#6 word early", "#10 word CALL", "#12 envelope 10 octets", "#12 word late",
            ])
    }

    @Test("are read as one stream if the protocol continues across them")
    func acrossMessages() {
        var dialogue = Dialogue(.tcp, port: 7_000)
        dialogue.client("ENVELOPE hello")
        dialogue.client("<na")
        dialogue.client("me><other")
        dialogue.client(">")
        #expect(reported(dialogue).filter { $0.contains("stream") } == ["#8 stream name", "#10 stream other"])
    }

    @Test("a rule receives its plugin's messages, whatever its id starts with", arguments: ["dark", "light"])
    func ruleWithForeignID(_ word: String) {
        var dialogue = Dialogue(.tcp, port: 7_000)
        dialogue.client("ENVELOPE hello")
        dialogue.client("word: CALL")
        dialogue.client("word: \(word)")
        let result = dialogue.analyzed(plugins: [Toy.self])
        #expect(result.findings.map(\.rule) == (word == "dark" ? ["SHADE-DARK"] : []))
    }

    @Test("the oldest are dropped when too many are kept, which is reported")
    func bounded() {
        var dialogue = Dialogue(.tcp, port: 7_000)
        dialogue.client("ENVELOPE hello")
        for number in 0..<10 { dialogue.client("word: \(number)") }
        dialogue.client("word: CALL")
        var options = AnalyzerOptions()
        options.limits.carriedMessages = 3
        let result = dialogue.analyzed(plugins: [Toy.self], rules: [], options: options)
        #expect(
            result.events.filter { $0.message.protocolName == "word" }.map { $0.message.summary(.masked) } == [
                "8", "9", "CALL",
            ])
        #expect(result.summaries.first?.limitsReached.map(\.key) == ["limit.carried"])
    }

    /// Returns the words before `CALL` and the limits that were reached, for a total limit of `octets`.
    private func words(_ said: [String], octets: Int) -> (words: [String], limits: [String]) {
        var dialogue = Dialogue(.tcp, port: 7_000)
        for line in ["ENVELOPE hello"] + said + ["word: CALL"] { dialogue.client(line) }
        var options = AnalyzerOptions()
        options.limits.messageTotalOctets = octets
        let result = dialogue.analyzed(plugins: [Toy.self], rules: [], options: options)
        let words = result.events.filter { $0.message.protocolName == "word" }.map { $0.message.summary(.masked) }
        return (words, result.summaries.first?.limitsReached.map(\.key) ?? [])
    }

    @Test("messages kept before a gap are released")
    func keptBeforeGap() {
        let lost = Array(repeating: ["word: in front of a gap", "GAP"], count: 10).flatMap { $0 }
        let (words, limits) = words(lost + ["word: early"], octets: 100)
        #expect(words == ["early", "CALL"] && limits.isEmpty)
    }

    @Test("messages dropped because of the total limit are remarked on")
    func totalBounded() {
        let (words, limits) = words(["word: more than there is room for"], octets: 20)
        #expect(words == ["CALL"] && limits == ["limit.carried"])
    }

    @Test("unrecognized messages are not reported")
    func unknown() {
        var dialogue = Dialogue(.tcp, port: 7_000)
        dialogue.client("ENVELOPE hello")
        dialogue.client("word: one")
        #expect(reported(dialogue).allSatisfy { $0.contains("envelope") })
    }

    @Test("a flow is handed over to another protocol in both directions, and one that is given up leaves no state")
    func becomes() {
        var dialogue = Dialogue(.tcp, port: 7_000)
        dialogue.client("QUIET")
        dialogue.client("ENVELOPE")
        dialogue.client("early")
        dialogue.server("SWITCH")
        dialogue.client("later")
        let result = dialogue.analyzed(plugins: [Toy.self], rules: [])
        #expect(
            result.events.filter { $0.message.protocolName == "envelope" }.map { $0.message.summary(.masked) } == [
                "5 octets", "5 octets",
            ])
        #expect(result.flows.first?.found == ["envelope"])
        var silent = Dialogue(.tcp, port: 7_000)
        silent.client("QUIET")
        silent.server("LEAVE")
        silent.client("ENVELOPE")
        let nothing = silent.analyzed(plugins: [Toy.self], rules: [])
        #expect(nothing.events.isEmpty && nothing.flows.first?.found == [])
    }
}

// MARK: - Line-based protocols

private enum Toy: Plugin {
    static let name = "toy"
    static var dissectors: [any Dissector.Type] {
        [EnvelopeDissector.self, QuietDissector.self, WordDissector.self, AngleDissector.self]
    }
    static var rules: [any Rule.Type] { [ShadeRule.self] }
}

/// A rule whose id has no protocol prefix.
private struct ShadeRule: Rule {
    static let info = RuleInfo(
        "SHADE-DARK", .warning, .plain, reference: "none", check: "Nobody says dark.", example: "dark")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if step.event.message.summary(.masked) == "dark" {
            judgement.fail(Text("SHADE-DARK.said"))
        } else {
            judgement.pass()
        }
    }
}

private struct ToyMessage: Message {
    var protocolName: String
    var text: String
    var kind: String { "message" }
    func wording(_ secrets: SecretPolicy) -> Wording { Wording(verbatim: text) }
    func fields(_ secrets: SecretPolicy) -> [Field] { [] }
}

/// Returns the lines in the bytes without their ends, with the range of each.
private func lines(_ bytes: RawSpan) -> [(text: String, range: Range<Int>)] {
    var lines: [(String, Range<Int>)] = []
    var start = 0
    for offset in 0..<bytes.byteCount where bytes.byte(at: offset) == 0x0A {
        lines.append((bytes.clamped(start, offset - 1).text(), start..<offset + 1))
        start = offset + 1
    }
    return lines
}

/// Each line is a message that carries another; the first line identifies the protocol.
private struct EnvelopeDissector: Dissector {
    static let descriptor = DissectorDescriptor(name: "envelope", carriers: [.tcp], recognition: "ENVELOPE")
    private var isOpen = false

    /// A flow upgraded to this protocol has no first line.
    init(flow: FlowContext) { isOpen = !flow.preface.isEmpty }

    static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        opening.client.text().hasPrefix("ENVELOPE ") ? .yes : .no
    }

    mutating func read(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) throws(DissectionError) -> Int {
        var used = 0
        for (text, range) in lines(bytes) {
            used = range.upperBound
            if !isOpen {
                isOpen = true
                outlet.message(ToyMessage(protocolName: "envelope", text: "hello"), range)
                continue
            }
            if text == "GAP" {
                outlet.carriedGap(direction, octets: 1)
                continue
            }
            outlet.message(ToyMessage(protocolName: "envelope", text: "\(text.utf8.count) octets"), range)
            outlet.carried(
                CarriedMessage(
                    Array(text.utf8), direction, in: Carriage(protocolName: "envelope"),
                    range: range.lowerBound..<range.upperBound - 2))
        }
        return used
    }
}

/// Consumes the client's lines only after the server's response to them.
private struct QuietDissector: Dissector {
    static let descriptor = DissectorDescriptor(name: "quiet", carriers: [.tcp], recognition: "QUIET")
    static var isQuiet: Bool { true }

    init(flow: FlowContext) {}

    static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        opening.client.text().hasPrefix("QUIET") ? .yes : .no
    }

    mutating func read(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) throws(DissectionError) -> Int {
        for (text, range) in lines(bytes) {
            switch text {
            case "SWITCH": outlet.become("envelope", agreement: [ToyMessage(protocolName: "quiet", text: "SWITCH")])
            case "LEAVE": outlet.leave()
            case "ENVELOPE", "QUIET": break
            default: return range.lowerBound
            }
            return range.upperBound
        }
        return 0
    }
}

/// Lines of `word: ` and a word; only `CALL` identifies the protocol.
private struct WordDissector: Dissector {
    static let descriptor = DissectorDescriptor(name: "word", carriers: [.message], recognition: "word: CALL")

    init(flow: FlowContext) {}

    static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        let text = opening.client.byteCount > 0 ? opening.client.text() : opening.server.text()
        guard opening.flow.carriage?.protocolName == "envelope", text.hasPrefix("word: ") else { return .no }
        return text.hasSuffix("CALL") ? .yes : .needMore
    }

    mutating func read(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) throws(DissectionError) -> Int {
        let word = bytes.clamped(6).text()
        outlet.message(ToyMessage(protocolName: "word", text: word), 0..<bytes.byteCount)
        return bytes.byteCount
    }
}

/// Names in angle brackets, which may be split anywhere.
private struct AngleDissector: Dissector {
    static let descriptor = DissectorDescriptor(name: "stream", carriers: [.message], recognition: "<NAME>")
    static var readsAcrossMessages: Bool { true }

    init(flow: FlowContext) {}

    static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        let text = opening.client.text()
        return !text.hasPrefix("<") ? .no : text.contains(">") ? .yes : .needMore
    }

    mutating func read(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) throws(DissectionError) -> Int {
        var used = 0
        for offset in 0..<bytes.byteCount where bytes.byte(at: offset) == UInt8(ascii: ">") {
            let name = bytes.clamped(used + 1, offset).text()
            outlet.message(ToyMessage(protocolName: "stream", text: name), used..<offset + 1)
            used = offset + 1
        }
        return used
    }
}
