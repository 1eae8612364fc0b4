import WeirDissectors
import WeirPackets
import WeirRules
import WeirSessions

/// A conversation in words, played through the analyzer and the judge.
///
/// Blocks are separated by empty lines. The first letters of a block say what it is:
/// - `C: ` and `S: ` a message of the client and the server; lines behind a line `~` are its body, and
///   `Content-Length: *` is filled in. `C!` and `S!` end their lines in LF alone.
/// - `+5` lets 5 seconds pass; `M 0 100 9000` is RTP on channel 0 with sequence number 100 and timestamp 9000; `R 1 S`
///   is a report on channel 1, of a sender or a receiver (`c` in front: sent by the client);
/// - `U 5000 6000 100 9000` is RTP from the server's port 6000 to the client's port 5000, `V 5001 6001 S` a report;
///   `P 5000 6000 100 20` are packets 100 to 119 over 20 seconds; `X 5001 6001` an ICMP port unreachable of the client;
/// - `J S 3` are 3 octets of junk from the server, `L C` is a line end, `G S 10` are octets that the capture lacks;
/// - `FIN` and `RST` end the connection; without either the capture ends before the session does.
struct Transcript {
    var text: String
    /// The capture begins behind the handshake.
    var startsLate = false

    init(_ text: String, startsLate: Bool = false) {
        self.text = text
        self.startsLate = startsLate
    }

    /// The conversation with pieces replaced; a piece that is not there is an error of the test.
    func replacing(_ edits: [(String, String)]) -> Transcript? {
        var copy = self
        for (old, new) in edits {
            guard let range = copy.text.firstRange(of: old) else { return nil }
            copy.text.replaceSubrange(range, with: new)
        }
        return copy
    }

    /// What the rules say of it.
    func judged(by rules: [any Rule.Type] = RuleList.all, strict: Bool = false) -> Collector {
        let collector = Collector()
        var options = Judge.Options()
        options.strict = strict
        let judge = Judge(rules: rules, options: options, sink: collector)
        let analyzer = Analyzer(sink: judge)
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.raw], snapLength: nil))
        for (index, packet) in packets.enumerated() {
            let info = FrameInfo(
                number: index + 1, time: Timestamp(nanoseconds: packet.nanoseconds),
                capturedLength: packet.octets.count, originalLength: packet.octets.count, linkType: .raw)
            let octets = packet.octets
            unsafe analyzer.process(Frame(info: info, bytes: octets.span.bytes))
        }
        analyzer.finish()
        return collector
    }

    private var packets: [(octets: [UInt8], nanoseconds: Int64)] {
        var wire = Wire()
        if !startsLate { wire.connect() }
        var block: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) + [""] {
            if !line.isEmpty {
                block.append(line)
            } else if !block.isEmpty {
                play(block, &wire)
                block = []
            }
        }
        return wire.packets
    }

    private func play(_ block: [String], _ wire: inout Wire) {
        guard let first = block.first else { return }
        let words = first.split(separator: " ").map(String.init)
        let numbers = words.dropFirst().map { Int($0) ?? 0 }
        func number(_ index: Int) -> Int { index < numbers.count ? numbers[index] : 0 }
        switch words[0] {
        case "C:", "S:", "C!", "S!":
            wire.send(
                fromClient: first.hasPrefix("C"),
                message(block, lineEnd: first.dropFirst().hasPrefix("!") ? "\n" : "\r\n"))
        case "FIN": wire.close()
        case "RST": wire.breakOff()
        case "M": wire.send(fromClient: false, frame(number(0), rtp(number(1), number(2))))
        case "R": wire.send(fromClient: false, frame(number(0), report(words.last == "S")))
        case "cR": wire.send(fromClient: true, frame(number(0), report(words.last == "S")))
        case "U":
            wire.datagram(
                fromClient: false, clientPort: UInt16(number(0)), serverPort: UInt16(number(1)),
                rtp(number(2), number(3)))
        case "P":
            for index in 0..<20 {
                wire.datagram(
                    fromClient: false, clientPort: UInt16(number(0)), serverPort: UInt16(number(1)),
                    rtp(number(2) + index, 9000 + index * number(3) * 4500))
                wire.seconds += Double(number(3)) / 20 - 0.001
            }
        case "V", "cV":
            wire.datagram(
                fromClient: words[0] == "cV", clientPort: UInt16(number(0)), serverPort: UInt16(number(1)),
                report(words.last == "S"))
        case "X": wire.unreachable(clientPort: UInt16(number(0)), serverPort: UInt16(number(1)))
        case "L": wire.send(fromClient: words[1] == "C", [13, 10])
        case "J": wire.send(fromClient: words[1] == "C", [UInt8](repeating: 0x3F, count: number(1)))
        case "G": wire.lose(fromClient: words[1] == "C", octets: number(1))
        default: if first.hasPrefix("+") { wire.seconds += Double(first.dropFirst()) ?? 0 }
        }
    }

    private func message(_ block: [String], lineEnd: String) -> [UInt8] {
        var lines = block
        lines[0] = String(lines[0].dropFirst(3))
        var body = ""
        if let mark = lines.firstIndex(of: "~") {
            body = lines[(mark + 1)...].map { $0 + "\r\n" }.joined()
            lines = Array(lines[..<mark])
        }
        let head = lines.map { line in
            (line == "Content-Length: *" ? "Content-Length: \(body.utf8.count)" : line) + lineEnd
        }
        return Array((head.joined() + lineEnd + body).utf8)
    }

    private func frame(_ channel: Int, _ payload: [UInt8]) -> [UInt8] {
        [0x24, UInt8(channel), UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
    }

    private func rtp(_ sequence: Int, _ timestamp: Int) -> [UInt8] {
        let time = UInt32(truncatingIfNeeded: timestamp)
        return [0x80, 96, UInt8(sequence >> 8 & 0xFF), UInt8(sequence & 0xFF)]
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: time >> $0) } + [0x12, 0x34, 0x56, 0x78]
            + [0x41, 1, 2, 3, 4, 5, 6, 7]
    }

    /// A sender report of the stream, or a receiver report with one block about it.
    private func report(_ isSender: Bool) -> [UInt8] {
        isSender
            ? [0x80, 200, 0, 6, 0x12, 0x34, 0x56, 0x78] + [UInt8](repeating: 1, count: 20)
            : [0x81, 201, 0, 7, 0, 0, 0, 9, 0x12, 0x34, 0x56, 0x78] + [UInt8](repeating: 0, count: 20)
    }
}

/// Keeps what the judge said.
final class Collector: ReportSink {
    private(set) var findings: [Finding] = []
    private(set) var tallies: [RuleTally] = []
    private(set) var errors = 0
    private(set) var limitsReached: [Text] = []

    func begin(_ capture: CaptureRecord) {}
    func event(_ event: Event, session: Session?, findings: [Finding]) { self.findings += findings }
    func finding(_ finding: Finding, session: Session?) { findings.append(finding) }
    func flow(_ flow: FlowRecord) {}
    func stream(_ stream: StreamRecord, session: Session?) {}
    func session(_ record: SessionRecord, session: Session) {}
    func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        self.tallies = tallies
        errors = findings.errors
        limitsReached = summary.limitsReached
    }

    /// What was said of one rule: `verdict severity key`, with the quirk.
    func said(_ rule: String) -> [String] {
        findings.filter { $0.rule == rule }.map(Self.line)
    }

    func tally(_ rule: String) -> RuleTally { tallies.first { $0.rule == rule } ?? RuleTally(rule: rule) }

    static func line(_ finding: Finding) -> String {
        let quirk = finding.quirk.map { " \($0)" } ?? ""
        let severity = finding.verdict == .fail ? finding.severity.rawValue : "inconclusive"
        return "\(severity) \(finding.message.key)\(quirk)"
    }
}
