import WeirEngine
import WeirPackets

/// WS-CLOSE: both sides send a close frame with a valid code.
///
/// A close frame MUST be answered with one, and no frame follows a side's own (RFC 6455 §5.5.1); both precede the end
/// of TCP (§7.1.1). Codes are those that may be sent: never 1005, 1006 and 1015 (§7.4.1, §7.4.2).
struct WebSocketClosing: WebSocketRule {
    static let info = RuleInfo(
        "WS-CLOSE", .note, .must, needsFullCapture: true, reference: "RFC 6455 §5.5.1",
        check: "Both sides send a close frame before TCP ends, with a valid code, and nothing after it.",
        example: "88 02 03 ED (1005)")

    static let observes = ["websocket", "tcp"]

    /// The state of one connection: a session may have several.
    private struct Connection {
        var client = false
        var server = false
        var isOver = false
        var isClosed: Bool { client && server }
    }
    private var connections = Recent<Int, Connection>(limit: 64)

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        let flow = step.event.flow
        if let event = step.message(TCPEvent.self) {
            if event.step == .close || event.step == .reset { connections[flow]?.isOver = true }
            return
        }
        var connection = connections[flow] ?? Connection()
        defer { connections[flow] = connection }
        guard let message = step.webSocket else { return }
        if message.flaws.contains(.afterClose) {
            judgement.fail(Text("WS-CLOSE.after"), subject: "after")
        }
        guard message.purpose == .close else { return }
        if step.event.direction == .clientToServer { connection.client = true } else { connection.server = true }
        if message.flaws.contains(.closeLength) { judgement.fail(Text("WS-CLOSE.length"), subject: "length") }
        if let code = message.code, !WebSocketCloseCode.isLegal(code) {
            judgement.fail(
                Text("WS-CLOSE.code"), actual: .wire("\(code)"), reference: "RFC 6455 §7.4.1", subject: "code")
        }
        if connection.isClosed { judgement.pass() }
    }

    mutating func finish(_ flow: FlowRecord, _ judgement: inout Judgement) {
        guard flow.tcp?.closedBy == .fin || flow.tcp?.closedBy == .reset, let connection = connections[flow.id] else {
            return
        }
        Self.finish(connection, isWhole: flow.isWhole, &judgement)
    }

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        for connection in connections.values where connection.isOver {
            Self.finish(connection, isWhole: session.completeness.isComplete, &judgement)
        }
    }

    private static func finish(_ connection: Connection, isWhole: Bool, _ judgement: inout Judgement) {
        guard !connection.isClosed else { return }
        guard isWhole else { return judgement.inconclusive(Text("WS-CLOSE.inconclusive")) }
        if !connection.client, !connection.server {
            judgement.fail(Text("WS-CLOSE.none"), reference: "RFC 6455 §7.1.1", subject: "none")
        } else {
            judgement.fail(
                Text(connection.client ? "WS-CLOSE.byClient" : "WS-CLOSE.byServer"), subject: "unanswered")
        }
    }
}

extension FlowRecord {
    /// Whether a TCP connection was captured from start to end.
    var isWhole: Bool {
        guard let tcp else { return false }
        return tcp.handshake == .complete && tcp.missingBytes == 0 && tcp.closedBy != .open
    }
}
