internal import WeirEngine
package import WeirPackets

/// A step of a session in a form that can be compared with another run.
package struct RunStep: Sendable {
    /// The protocol and kind.
    package var protocolName: String
    package var kind: String
    /// The direction; nil where either side may go first.
    package var direction: Direction?
    /// What distinguishes it from others of its kind, such as a method.
    package var name: String
    /// The line of the message, secrets masked.
    package var summary: String
    /// The frame and time.
    package var frame: Int
    package var time: Int64
    /// The offset from the start of the capture, in nanoseconds.
    package var offset: Int64
    /// For a response: nanoseconds since the request.
    package var latency: Int64?
    /// The number of steps that are equal to it, of those whose number says nothing.
    package var count = 1
    /// What it says, without what differs in every run.
    var fields: FlatFields
    /// The status of a response, such as 404.
    var status: String?
    /// Whether it answers a request, whose name it has.
    var isAnswer = false
    /// Whether the session begins to close with it, which users decide.
    var isClosing = false

    /// Members that name a message, in this order.
    private static let naming = ["method", "command", "type", "packet", "opcode"]

    init(_ event: Event) {
        let message = event.message
        protocolName = message.protocolName
        kind = message.kind
        summary = message.summary(.masked)
        frame = event.frame
        time = event.time.nanoseconds
        offset = event.offset
        var all = message.fields(.masked)
        if message.protocolName == "signaling" { all.removeAll { $0.name == "json" } }
        fields = FlatFields(all, mask: FieldMask())
        latency = event.answers?.latency
        direction = event.direction
        status = Self.text("status", all)
        name = Self.naming.lazy.compactMap { Self.text($0, all) }.first ?? ""
        isAnswer = event.isAnswer
        if case .some(let exchange) = event.answers {
            let request = exchange.request.fields(.masked)
            name = Self.naming.lazy.compactMap { Self.text($0, request) }.first ?? name
        }
        switch message.protocolName {
        case "tcp":
            // Either side may close, and how depends on timing.
            direction = nil
            name = message.kind == "connect" ? "connect" : "end"
            fields = FlatFields([], mask: FieldMask())
        case "rtp":
            // The rest is derived from descriptions and from RTP-Info.
            name = Self.text("payloadType", all) ?? ""
            fields = FlatFields([], mask: FieldMask())
        case "stun": name += Self.text("errorCode", all).map { " \($0)" } ?? ""
        default: break
        }
        if ["stun", "rtcp", "icmp"].contains(message.protocolName) { fields = FlatFields([], mask: FieldMask()) }
        isClosing = event.phase == .close || event.phase == .pause || event.phase == .seek
    }

    private static func text(_ name: String, _ fields: [Field]) -> String? {
        switch fields.first(where: { $0.name == name })?.value {
        case .string(let text)?: text
        case .integer(let number)?: "\(number)"
        default: nil
        }
    }

    /// Whether another step is of the same kind and name.
    func isAlike(_ other: Self) -> Bool {
        protocolName == other.protocolName && kind == other.kind && direction == other.direction
            // An answer has the name of its request, which is compared itself.
            && (name == other.name || (isAnswer && other.isAnswer))
    }

    /// The cost of pairing with another step of the other run; nil if they cannot be the same.
    func cost(_ other: Self) -> Float? {
        guard protocolName == other.protocolName, kind == other.kind, direction == other.direction else { return nil }
        guard name == other.name else { return isAnswer && other.isAnswer ? (fields == other.fields ? 0.6 : 1.2) : 1.6 }
        if fields == other.fields { return 0 }
        return status == other.status ? 0.3 : 0.8
    }
}
