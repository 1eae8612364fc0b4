public import WeirPackets

/// Something that happened to a TCP connection itself.
public struct TCPEvent: Message, Equatable {
    /// What happened.
    public enum Step: Sendable, Equatable {
        /// The handshake is complete; nanoseconds from SYN to its last ACK.
        case connect(roundTrip: Int64?)
        /// The connection attempt was answered by a reset.
        case refused
        /// The capture holds no answer to the connection attempt.
        case unanswered(attempts: Int)
        /// One side said that it sends no more, and the connection is over.
        case close
        /// One side reset the connection.
        case reset
        /// Octets of one direction are missing from the capture.
        case gap(octets: Int)
    }

    /// The two ends of a connection, the one that opened it first.
    public struct Ends: Sendable, Equatable {
        /// Who opened it.
        public var client: Endpoint
        /// The other side.
        public var server: Endpoint
    }

    /// What happened.
    public var step: Step
    /// The connection that it happened to, where its session has several, or there is none; nil where the session
    /// names it.
    public var ends: Ends?

    /// Creates an event.
    public init(_ step: Step, of ends: Ends? = nil) {
        self.step = step
        self.ends = ends
    }

    /// `tcp`.
    public var protocolName: String { "tcp" }

    /// The kind of event: `connect`, `close`, `reset` or `gap`.
    public var kind: String {
        switch step {
        case .connect, .unanswered: "connect"
        case .refused, .reset: "reset"
        case .close: "close"
        case .gap: "gap"
        }
    }

    /// The event in one line.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        guard let ends else { return happening }
        return happening + " (\(ends.client) → \(ends.server))"
    }

    private var happening: Wording {
        switch step {
        case .connect(let roundTrip):
            if let roundTrip { "connected in \(milliseconds(roundTrip)) ms" } else { "connected" }
        case .refused: "connection refused"
        case .unanswered(let attempts):
            attempts > 1
                ? "the capture holds no answer to \(attempts) connection attempts"
                : "the capture holds no answer to the connection attempt"
        case .close: "connection closed"
        case .reset: "connection reset"
        case .gap(let octets): "\(octets, "octet is", "octets are") missing from the capture"
        }
    }

    /// What it means.
    public var note: Text? {
        switch step {
        case .connect: Text("tcp.connect")
        case .refused: Text("tcp.refused")
        case .unanswered: Text("tcp.unanswered")
        case .close: Text("tcp.close")
        case .reset: Text("tcp.reset")
        case .gap: Text("tcp.gap")
        }
    }

    /// The octets missing in a gap.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        guard case .gap(let octets) = step else { return [] }
        return [Field("missingBytes", .integer(octets))]
    }
}

extension Event {
    /// The ends of its flow, as the step goes: an ICMP error has addresses of hosts alone, and goes against the packet that
    /// it quotes.
    package var flowEnds: (source: Endpoint, destination: Endpoint) {
        guard let error = message as? ICMPEvent else { return (source, destination) }
        return (error.quotedDestination, error.quotedSource)
    }
}

/// An ICMP error about a packet of a flow.
public struct ICMPEvent: Message, Equatable {
    /// Whether the packet could not be delivered, or was too old.
    public enum Step: String, Sendable, Equatable {
        /// Destination unreachable.
        case unreachable
        /// Time to live exceeded.
        case timeExceeded
    }

    /// What the error says.
    public var step: Step
    /// The ICMP code.
    public var code: Int
    /// The code in words, such as `port unreachable`.
    public var reason: String
    /// Whether the receiving host says that nobody takes packets at that port.
    public var isRefusal: Bool
    /// Who sent the packet that the error is about.
    public var quotedSource: Endpoint
    /// To whom that packet was sent.
    public var quotedDestination: Endpoint
    /// The flow that the packet belongs to.
    public var about: Int?
    /// What was sent there, if that is known, such as `RTP`.
    public var purpose: String?

    /// `icmp`.
    public var protocolName: String { "icmp" }
    /// `unreachable` or `timeExceeded`.
    public var kind: String { step.rawValue }

    /// The error in one line.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        let reason: Wording = "\(Wording(phrase: reason)): "
        guard let purpose else { return reason + "to \(quotedDestination)" }
        return reason + "\(purpose) to \(quotedDestination)"
    }

    /// What it means.
    public var note: Text? {
        let destination = Text.Argument.string(quotedDestination.description)
        if isRefusal { return Text("icmp.unreachable", destination) }
        // Code 0 of both protocols: the time ran out on the way, not while fragments were put together.
        if step == .timeExceeded, code == 0 { return Text("icmp.timeExceeded", destination) }
        return Text("icmp.undelivered", destination, .string(reason))
    }

    /// Code, and the flow it is about.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields = [Field("code", .integer(code))]
        fields.add("flow", about)
        return fields
    }

    /// Holds what is known.
    package init(
        step: Step,
        code: Int,
        reason: String,
        isRefusal: Bool,
        quotedSource: Endpoint,
        quotedDestination: Endpoint,
        about: Int? = nil,
        purpose: String? = nil
    ) {
        self.step = step
        self.code = code
        self.reason = reason
        self.isRefusal = isRefusal
        self.quotedSource = quotedSource
        self.quotedDestination = quotedDestination
        self.about = about
        self.purpose = purpose
    }
}

/// Bytes that a dissector could not read as a message of its protocol.
public struct BrokenMessage: Message, Equatable {
    /// The dissector's name.
    public var protocolName: String
    /// What is wrong, in words.
    public var reason: String

    /// `malformed`.
    public var kind: String { "malformed" }
    /// What is wrong.
    public func wording(_ secrets: SecretPolicy) -> Wording { "malformed: \(reason)" }
    /// Says that reading goes on.
    public var note: Text? { Text("message.malformed") }
    /// Nothing beside the summary.
    public func fields(_ secrets: SecretPolicy) -> [Field] { [] }

    /// Holds what is known.
    package init(protocolName: String, reason: String) {
        self.protocolName = protocolName
        self.reason = reason
    }
}

/// Bytes between messages that are worth a remark, which the event carries.
package struct OddBytes: Message {
    package var protocolName: String
    package var kind: String { "remark" }
    package func wording(_ secrets: SecretPolicy) -> Wording { "octets that belong to no message" }
    package func fields(_ secrets: SecretPolicy) -> [Field] { [] }

    package init(protocolName: String) {
        self.protocolName = protocolName
    }
}

/// Nanoseconds as milliseconds: one decimal (`1.1`), below one millisecond two (`0.07`); rounded half up.
package func milliseconds(_ nanoseconds: Int64) -> String {
    let sign = nanoseconds < 0 ? "-" : ""
    let hundredths = (nanoseconds.magnitude &+ 5_000) / 10_000
    if hundredths < 100 { return "\(sign)0.\(hundredths < 10 ? "0" : "")\(hundredths)" }
    let tenths = (nanoseconds.magnitude &+ 50_000) / 100_000
    return "\(sign)\(tenths / 10).\(tenths % 10)"
}

extension TCPEvent {
    /// A capture may lack octets in many places.
    public var recurrence: String? { if case .gap = step { kind } else { nil } }
}
