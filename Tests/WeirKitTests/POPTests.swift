import Testing
import WeirKit

// A line-based protocol over TCP, as an external package would implement it; quoted in
// Documentation/adding-a-protocol.md.

/// The Post Office Protocol (RFC 1939), its lines only.
private enum POPProtocol: Plugin {
    static let name = "pop"
    static var dissectors: [any Dissector.Type] { [POPDissector.self] }
}

private struct POPDissector: Dissector {
    static let descriptor = DissectorDescriptor(
        name: "pop", carriers: [.tcp], ports: [110], recognition: "a server that begins with +OK, and lines")

    private static let lineFeed: UInt8 = 10
    /// Length of the longest response line (RFC 2449 §4).
    private static let longest = 512

    static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        let greeting = Array("+OK ".utf8)
        let bytes = opening.server.clamped(0, greeting.count).array()
        if bytes == greeting { return .yes }
        return greeting.starts(with: bytes) && opening.client.byteCount == 0 ? .needMore : .no
    }

    init(flow: FlowContext) {}

    mutating func read(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) throws(DissectionError) -> Int {
        guard let end = bytes.firstOffset(of: Self.lineFeed, from: 0) else {
            if bytes.byteCount > Self.longest { throw DissectionError("a line that does not end", offset: 0) }
            // The line is incomplete: the driver passes these octets again with the following ones.
            return 0
        }
        let text = bytes.clamped(0, end).text().trimming("\r")
        outlet.message(POPLine(text: text, isCommand: direction == .clientToServer), 0..<end + 1)
        return end + 1
    }

    func resynchronize(_ bytes: RawSpan, from start: Int, _ direction: Direction) -> Int? {
        var offset = start
        while offset < bytes.byteCount {
            if Self.begins(bytes.clamped(offset), direction) { return offset }
            guard let end = bytes.firstOffset(of: Self.lineFeed, from: offset) else { return nil }
            offset = end + 1
        }
        return nil
    }

    /// Whether a line may start here: with a status, or a command of three or four letters (RFC 1939 §3).
    private static func begins(_ bytes: RawSpan, _ direction: Direction) -> Bool {
        let word = bytes.clamped(0, 5).text()
        if direction == .serverToClient { return word.hasPrefix("+OK") || word.hasPrefix("-ERR") }
        let letters = word.prefix { $0.isASCII && $0.isLetter }.count
        return (3...4).contains(letters) && (word.dropFirst(letters).first.map { $0 == " " || $0.isNewline } ?? false)
    }
}

private struct POPLine: Message {
    let text: String
    let isCommand: Bool

    var protocolName: String { "pop" }
    var kind: String { isCommand ? "command" : "response" }
    var note: Text? { nil }

    func wording(_ secrets: SecretPolicy) -> Wording { "\(shown(secrets))" }
    func fields(_ secrets: SecretPolicy) -> [Field] { [Field("text", .string(shown(secrets)))] }

    /// The line for display. PASS is followed by the password (RFC 1939 §7); in other lines, secrets are recognized by
    /// their form.
    private func shown(_ secrets: SecretPolicy) -> String {
        guard isCommand, text.uppercased().hasPrefix("PASS ") else { return secrets.apply(text: text) }
        return "PASS " + secrets.apply(String(text.dropFirst(5)))
    }
}

extension String {
    fileprivate func trimming(_ end: Character) -> String { last == end ? String(dropLast()) : self }
}

@Suite("A line-based external protocol") struct POPTests {
    private let plugins = BuiltIn.plugins + [POPProtocol.self]

    private func lines(_ result: AnalysisResult, _ secrets: SecretPolicy = .masked) -> [String] {
        result.events.filter { $0.message.protocolName == "pop" }.map { $0.message.summary(secrets) }
    }

    private func dialogue(lacksAnswer: Bool = false) -> Dialogue {
        var dialogue = Dialogue(.tcp, port: 11_000)
        dialogue.server("+OK POP3 server ready")
        dialogue.client("USER mrose")
        dialogue.server("+OK name is a valid mailbox", isCaptured: !lacksAnswer)
        dialogue.client("PASS secret")
        dialogue.server("+OK maildrop locked and ready")
        return dialogue
    }

    @Test("is recognized on any port, and its password is masked")
    func whole() {
        let result = dialogue().analyzed(plugins: plugins)
        #expect(
            lines(result) == [
                "+OK POP3 server ready", "USER mrose", "+OK name is a valid mailbox", "PASS ***",
                "+OK maildrop locked and ready",
            ])
        #expect(lines(result, .revealed).contains("PASS secret"))
    }

    @Test("a line may arrive octet by octet")
    func octets() {
        var dialogue = Dialogue(.tcp, port: 110)
        for octet in Array("+OK ready\r\n".utf8) { dialogue.server([octet]) }
        for octet in Array("QUIT\r\n".utf8) { dialogue.client([octet]) }
        #expect(lines(dialogue.analyzed(plugins: plugins)) == ["+OK ready", "QUIT"])
    }

    @Test("continues after a gap")
    func missing() {
        let result = dialogue(lacksAnswer: true).analyzed(plugins: plugins)
        #expect(
            lines(result) == ["+OK POP3 server ready", "USER mrose", "PASS ***", "+OK maildrop locked and ready"])
        #expect(result.events.contains { $0.message.kind == "gap" })
    }
}
