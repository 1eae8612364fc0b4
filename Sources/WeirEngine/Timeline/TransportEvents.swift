public import WeirPackets

/// An event of a TCP connection itself.
public struct TCPEvent: Message, Equatable {
    /// The type of event.
    public enum Step: Sendable, Equatable {
        /// The handshake is complete; `roundTrip` is the time in nanoseconds from the SYN to the final ACK.
        case connect(roundTrip: Int64?)
        /// The connection attempt was rejected with RST.
        case refused
        /// The capture does not contain a response to the connection attempt.
        case unanswered(attempts: Int)
        /// The connection was closed with FIN.
        case close
        /// One side sent RST.
        case reset
        /// Bytes of one direction are missing from the capture.
        case gap(octets: Int)
        /// A side closed its receive window, and did not reopen it.
        case zeroWindow
    }

    /// The endpoints of a connection.
    public struct Ends: Sendable, Equatable {
        /// The endpoint that opened it.
        public var client: Endpoint
        /// The other endpoint.
        public var server: Endpoint
    }

    /// The type of event.
    public var step: Step
    /// The endpoints, if the event has no session or its session has several connections; otherwise nil.
    public var ends: Ends?

    /// Creates an event.
    public init(_ step: Step, of ends: Ends? = nil) {
        self.step = step
        self.ends = ends
    }

    /// `tcp`.
    public var protocolName: String { "tcp" }

    /// The kind of event: `connect`, `close`, `reset`, `gap` or `remark`.
    public var kind: String {
        switch step {
        case .connect, .unanswered: "connect"
        case .refused, .reset: "reset"
        case .close: "close"
        case .gap: "gap"
        case .zeroWindow: "remark"
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
                ? "no response captured to \(attempts) connection attempts"
                : "no response captured to the connection attempt"
        case .close: "connection closed"
        case .reset: "connection reset"
        case .gap(let octets): "\(octets, "octet", "octets") not captured"
        case .zeroWindow: "zero window until the end"
        }
    }

    /// The explanation of the event.
    public var note: Text? {
        switch step {
        case .connect: Text("tcp.connect")
        case .refused: Text("tcp.refused")
        case .unanswered: Text("tcp.unanswered")
        case .close: Text("tcp.close")
        case .reset: Text("tcp.reset")
        case .gap: Text("tcp.gap")
        case .zeroWindow: Text("tcp.zeroWindow")
        }
    }

    /// Returns the number of bytes missing in a gap.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        guard case .gap(let octets) = step else { return [] }
        return [Field("missingBytes", .integer(octets))]
    }
}

extension Event {
    /// The endpoints of the event's flow in the direction of the event. An ICMP error itself only has host addresses,
    /// and travels opposite to the packet that it quotes.
    package var flowEnds: (source: Endpoint, destination: Endpoint) {
        guard let error = message as? ICMPEvent else { return (source, destination) }
        return (error.quotedDestination, error.quotedSource)
    }
}

/// An ICMP error about a packet of a flow.
public struct ICMPEvent: Message, Equatable {
    /// The type of error.
    public enum Step: String, Sendable, Equatable {
        /// Destination unreachable.
        case unreachable
        /// Time to live exceeded.
        case timeExceeded
    }

    /// The type of error.
    public var step: Step
    /// The ICMP code.
    public var code: Int
    /// The code in words, such as `port unreachable`.
    public var reason: String
    /// Whether the receiving host reports that nothing is listening on the port.
    public var isRefusal: Bool
    /// The sender of the quoted packet.
    public var quotedSource: Endpoint
    /// The receiver of the quoted packet.
    public var quotedDestination: Endpoint
    /// The flow id of the quoted packet.
    public var about: Int?
    /// The purpose of the quoted packet, if known, such as `RTP`.
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

    /// The explanation of the error.
    public var note: Text? {
        let destination = Text.Argument.string(quotedDestination.description)
        if isRefusal { return Text("icmp.unreachable", destination) }
        // Code 0 of both protocols: the hop limit was exceeded in transit, not the fragment reassembly time.
        if step == .timeExceeded, code == 0 { return Text("icmp.timeExceeded", destination) }
        return Text("icmp.undelivered", destination, .string(reason))
    }

    /// Returns the code, and the flow of the quoted packet.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields = [Field("code", .integer(code))]
        fields.add("flow", about)
        return fields
    }

    /// Creates an event.
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

/// Bytes that a dissector could not parse as a message of its protocol.
public struct MalformedMessage: Message, Equatable {
    /// The name of the dissector.
    public var protocolName: String
    /// The problem, in words.
    public var reason: String

    /// `malformed`.
    public var kind: String { "malformed" }
    /// Returns the problem in one line.
    public func wording(_ secrets: SecretPolicy) -> Wording { "malformed: \(reason)" }
    /// The explanation that dissection continues.
    public var note: Text? { Text("message.malformed") }
    /// Returns no fields.
    public func fields(_ secrets: SecretPolicy) -> [Field] { [] }

    /// Creates a message.
    package init(protocolName: String, reason: String) {
        self.protocolName = protocolName
        self.reason = reason
    }
}

/// Bytes between messages, described by a remark of the event.
package struct UnframedBytes: Message {
    package var protocolName: String
    package var kind: String { "remark" }
    package func wording(_ secrets: SecretPolicy) -> Wording { "octets outside any message" }
    package func fields(_ secrets: SecretPolicy) -> [Field] { [] }

    package init(protocolName: String) {
        self.protocolName = protocolName
    }
}

/// Returns nanoseconds as milliseconds with one decimal (`1.1`), or two below one millisecond (`0.07`), rounded half
/// up.
package func milliseconds(_ nanoseconds: Int64) -> String {
    let sign = nanoseconds < 0 ? "-" : ""
    let hundredths = (nanoseconds.magnitude &+ 5_000) / 10_000
    if hundredths < 100 { return "\(sign)0.\(hundredths < 10 ? "0" : "")\(hundredths)" }
    let tenths = (nanoseconds.magnitude &+ 50_000) / 100_000
    return "\(sign)\(tenths / 10).\(tenths % 10)"
}

extension TCPEvent {
    /// Gaps may recur many times in a capture.
    public var recurrence: String? { if case .gap = step { kind } else { nil } }
}
