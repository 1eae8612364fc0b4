import WeirEngine
import WeirPackets

/// WS-MASK: frames of the client are masked, frames of the server are not.
///
/// A client MUST mask each frame, and a server MUST close the connection on an unmasked one; a server MUST NOT mask
/// (RFC 6455 §5.1).
struct WebSocketMasking: WebSocketRule {
    static let info = RuleInfo(
        "WS-MASK", .error, .must, reference: "RFC 6455 §5.1",
        check: "Frames of the client are masked, those of the server are not.", example: "81 05 48 65 6C 6C 6F")

    func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.webSocket else { return }
        guard message.flaws.contains(.masking) else { return judgement.pass() }
        let isClients = step.event.direction == .clientToServer
        judgement.fail(
            Text(isClients ? "WS-MASK.client" : "WS-MASK.server"), subject: isClients ? "client" : "server")
    }
}

/// WS-FRAME: frame headers are valid.
///
/// The minimal number of octets MUST be used to encode a length, and the most significant bit of its longest form MUST
/// be 0; reserved bits MUST be 0 unless an extension defines them; a reserved opcode MUST fail the connection (RFC 6455
/// §5.2). RSV1 indicates a compressed message, whose payload must then be compressed (RFC 7692 §6, §7.2.2).
struct WebSocketFraming: WebSocketRule {
    static let info = RuleInfo(
        "WS-FRAME", .error, .must, reference: "RFC 6455 §5.2",
        check: "Lengths use the fewest octets, reserved bits are set only with an extension, and opcodes are defined.",
        example: "C1 85 … without permessage-deflate")

    func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.webSocket else { return }
        let faults: [(WebSocketMessage.Flaws, String)] = [
            (.length, "WS-FRAME.length"), (.reserved, "WS-FRAME.reserved"), (.opcode, "WS-FRAME.opcode"),
        ]
        for (flaw, key) in faults where message.flaws.contains(flaw) {
            judgement.fail(Text(key), actual: flaw == .opcode ? .wire("\(message.opcode)") : nil, subject: key)
        }
        if message.flaws.contains(.compression) {
            judgement.fail(Text("WS-FRAME.compression"), reference: "RFC 7692 §7.2.2", subject: "compression")
        }
        if message.flaws.isDisjoint(with: [.length, .reserved, .opcode, .compression]) { judgement.pass() }
    }
}

/// WS-CONTROL: control frames are short and unfragmented, and a ping is answered.
///
/// Control frames MUST have at most 125 octets of payload and MUST NOT be fragmented (RFC 6455 §5.5). A ping MUST be
/// answered with a pong, unless a close frame was received (§5.5.2); of several pings only the last needs one (§5.5.3).
struct WebSocketControl: WebSocketRule {
    static let info = RuleInfo(
        "WS-CONTROL", .error, .must, reference: "RFC 6455 §5.5",
        check: "Control frames have at most 125 octets and are not fragmented; pings are answered.",
        example: "09 02 68 69 (a ping without FIN)")

    /// Seconds within which a ping need not be answered before the connection ends.
    private static let patience = 10.0

    /// The state of one connection: a session may have several.
    private struct Connection {
        var client: Event?
        var server: Event?
        var lastTime = Timestamp(nanoseconds: 0)
        var hasClose = false
    }
    private var connections = Recent<Int, Connection>(limit: 64)

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        var connection = connections[step.event.flow] ?? Connection()
        defer { connections[step.event.flow] = connection }
        connection.lastTime = step.event.time
        guard let message = step.webSocket else { return }
        let isClients = step.event.direction == .clientToServer
        switch message.purpose {
        case .close: connection.hasClose = true
        case .ping: if isClients { connection.client = step.event } else { connection.server = step.event }
        case .pong:
            let asked = isClients ? connection.server : connection.client
            if isClients { connection.server = nil } else { connection.client = nil }
            if asked != nil { judgement.pass() }
        default: break
        }
        if message.flaws.contains(.controlLength) {
            judgement.fail(
                Text("WS-CONTROL.length"), expected: .wire("125"), actual: .wire("\(message.wireLength)"),
                subject: "length")
        }
        if message.flaws.contains(.controlFragment) { judgement.fail(Text("WS-CONTROL.fragment"), subject: "fragment") }
    }

    mutating func finish(_ flow: FlowRecord, _ judgement: inout Judgement) {
        guard let connection = connections[flow.id] else { return }
        Self.finish(connection, until: flow.endTime, isWhole: flow.isWhole, &judgement)
    }

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        for connection in connections.values {
            Self.finish(
                connection, until: connection.lastTime, isWhole: session.completeness.isComplete, &judgement)
        }
    }

    private static func finish(
        _ connection: Connection, until end: Timestamp, isWhole: Bool, _ judgement: inout Judgement
    ) {
        guard !connection.hasClose else { return }
        for event in [connection.client, connection.server].compactMap({ $0 })
        where end.seconds(since: event.time) >= patience {
            if isWhole {
                judgement.fail(
                    Text("WS-CONTROL.ping", .integer(event.frame)), reference: "RFC 6455 §5.5.2", subject: "ping",
                    frame: event.frame)
            } else {
                judgement.inconclusive(
                    Text("WS-CONTROL.inconclusive", .integer(event.frame)), subject: "ping", frame: event.frame)
            }
        }
    }
}

/// WS-FRAG: the frames of messages are not interleaved.
///
/// A fragmented message starts with a frame of its opcode, followed by continuation frames; other
/// messages MUST NOT come between them, only control frames may (RFC 6455 §5.4).
struct WebSocketFragmentation: WebSocketRule {
    static let info = RuleInfo(
        "WS-FRAG", .error, .must, reference: "RFC 6455 §5.4",
        check:
            "Continuation frames occur only inside a message, and a message starts only after the previous one ends.",
        example: "01 03 … 81 03 … (a second text message before the first one ends)")

    func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.webSocket, !(message.opcode & 0x08 != 0) else { return }
        if message.flaws.contains(.strayContinuation) { judgement.fail(Text("WS-FRAG.stray"), subject: "stray") }
        if message.flaws.contains(.interrupted) { judgement.fail(Text("WS-FRAG.interrupted"), subject: "interrupted") }
        if message.flaws.isDisjoint(with: [.strayContinuation, .interrupted]) { judgement.pass() }
    }
}

/// WS-UTF8: text is UTF-8.
///
/// A text message, all of its frames together, and the reason of a close frame MUST be UTF-8; a receiver of other
/// octets MUST fail the connection (RFC 6455 §5.6, §5.5.1, §8.1).
struct WebSocketText: WebSocketRule {
    static let info = RuleInfo(
        "WS-UTF8", .error, .must, reference: "RFC 6455 §8.1",
        check: "Text messages and the reasons of close frames are UTF-8.", example: "81 02 C3 28")

    func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.webSocket else { return }
        let isClose = message.purpose == .close
        guard isClose || (message.purpose == .text && message.length != nil) else { return }
        guard message.flaws.contains(.text) else { return judgement.pass() }
        judgement.fail(Text(isClose ? "WS-UTF8.reason" : "WS-UTF8.text"), subject: isClose ? "reason" : "text")
    }
}
