import WeirEngine
import WeirPackets

extension TransportSpec {
    /// To one receiver or to a group.
    ///
    /// Without either word multicast is meant (RFC 2326 §12.39); but ports of one client or server, and channels of a
    /// connection, have no meaning with a group, and the RFC's own example in §10.12 leaves the word out.
    var meantDelivery: Delivery {
        if let delivery { return delivery }
        let isForOne = clientPort != nil || serverPort != nil || interleaved != nil || lowerTransport == .tcp
        return isForOne ? .unicast : .multicast
    }

    /// Whether the media takes the control connection or another TCP connection.
    var isOverTCP: Bool { lowerTransport == .tcp || interleaved != nil }

    /// Whether protocol, profile, lower transport and delivery are those of `other`.
    func isKind(of other: TransportSpec) -> Bool {
        ASCII.equalIgnoringCase(protocolName, other.protocolName) && ASCII.equalIgnoringCase(profile, other.profile)
            && (isOverTCP == other.isOverTCP || saysLowerTransport(of: other)) && meantDelivery == other.meantDelivery
    }

    /// Whether both name the same lower transport, whatever their parameters suggest.
    private func saysLowerTransport(of other: TransportSpec) -> Bool {
        guard let lowerTransportText, let theirs = other.lowerTransportText else { return false }
        return ASCII.equalIgnoringCase(lowerTransportText, theirs)
    }
}

/// RTSP-SETUP-TRANSPORT: SETUP says how the media is to travel.
///
/// 1. The client has to name transport parameters that it can use (RFC 2326 §10.4).
/// 2. Offered several, the server MUST return the one that it chose (§12.39).
/// 3. Offered one, it MAY return the values chosen (§12.39); without them the client has to guess, so this is a warning.
struct RTSPSetupTransport: Rule {
    static let info = RuleInfo(
        "RTSP-SETUP-TRANSPORT", .error, .must, reference: "RFC 2326 §12.39",
        check: "SETUP has a Transport, and so has the answer that accepts it.",
        example: "SETUP rtsp://… CSeq: 3 (no Transport)")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if let request = step.clientRequest, request.method == "SETUP" {
            guard request.transports.isEmpty else {
                judgement.pass()
                return
            }
            judgement.fail(
                Text("RTSP-SETUP-TRANSPORT.request"), expected: .wire("Transport: RTP/AVP;unicast;client_port=…"),
                reference: "RFC 2326 §10.4", subject: "request")
        } else if let (request, answer) = step.accepted("SETUP") {
            guard answer.transports.isEmpty else {
                judgement.pass()
                return
            }
            let offers = request.transports.count
            judgement.fail(
                Text(offers > 1 ? "RTSP-SETUP-TRANSPORT.choice" : "RTSP-SETUP-TRANSPORT.answer", .integer(offers)),
                severity: offers > 1 ? nil : .warning, subject: "answer")
        }
    }
}

/// RTSP-TRANSPORT-ONE: the server chooses one of what was offered.
///
/// It MUST return the one that it chose, and no other (RFC 2326 §12.39): the same protocol, profile, lower transport
/// (UDP when nothing is said with RTP/AVP) and delivery as one of those offered.
struct RTSPTransportOne: Rule {
    static let info = RuleInfo(
        "RTSP-TRANSPORT-ONE", .error, .must, reference: "RFC 2326 §12.39",
        check: "The answer to SETUP has exactly one transport, and it is one of those offered.",
        example: "SETUP … Transport: RTP/AVP;unicast;client_port=5000-5001\n200 OK … RTP/AVP/TCP;interleaved=0-1")

    static var sorts: MessageSorts { .rtspAnswer }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let (request, answer) = step.accepted("SETUP") else { return }
        let granted = answer.transports
        let offered = request.transports
        guard let chosen = granted.first, !offered.isEmpty else {
            judgement.notApplicable()
            return
        }
        if granted.count > 1 {
            judgement.fail(
                Text("RTSP-TRANSPORT-ONE.several", .integer(granted.count)),
                actual: .wire(granted.map(\.raw).joined(separator: ",")), subject: "several")
        } else if offered.contains(where: { chosen.isKind(of: $0) }) {
            judgement.pass()
        } else {
            judgement.fail(
                Text("RTSP-TRANSPORT-ONE.notOffered", .wire(chosen.identifier)),
                expected: .wire(offered.map(\.raw).joined(separator: ",")), actual: .wire(chosen.raw),
                subject: "notOffered")
        }
    }
}

/// RTSP-TRANSPORT-ECHO: the server keeps to the client's ports and channels.
///
/// The answer has the `client_port` that was asked for (RFC 2326 §12.39), else media goes where nobody listens. Channels
/// may be replaced; media is read on those of the answer.
struct RTSPTransportEcho: Rule {
    static let info = RuleInfo(
        "RTSP-TRANSPORT-ECHO", .warning, .plain, reference: "RFC 2326 §12.39",
        check: "client_port and interleaved of the answer are those of the request.",
        example: "SETUP … client_port=5000-5001\n200 OK … client_port=5002-5003")

    static var sorts: MessageSorts { .rtspAnswer }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let (request, answer) = step.accepted("SETUP"), let granted = answer.transports.first else { return }
        guard let asked = request.transports.first(where: { granted.isKind(of: $0) }) else {
            judgement.notApplicable()
            return
        }
        if let wanted = asked.clientPort, let given = granted.clientPort, !Self.agree(wanted, given) {
            judgement.fail(
                Text("RTSP-TRANSPORT-ECHO.port", .wire(Self.text(wanted)), .wire(Self.text(given))),
                expected: .wire("client_port=\(Self.text(wanted))"), actual: .wire("client_port=\(Self.text(given))"),
                subject: "port")
        } else if let wanted = asked.interleaved, let given = granted.interleaved, !Self.agree(wanted, given) {
            judgement.fail(
                Text("RTSP-TRANSPORT-ECHO.channel", .wire(Self.text(wanted)), .wire(Self.text(given))),
                expected: .wire("interleaved=\(Self.text(wanted))"), actual: .wire("interleaved=\(Self.text(given))"),
                quirk: "Q-SETUP", reference: "RFC 2326 §10.12", subject: "channel")
        } else if asked.clientPort != nil || asked.interleaved != nil {
            judgement.pass()
        }
    }

    /// A second number that only one side gives makes no difference.
    private static func agree<Number>(_ wanted: ClosedRange<Number>, _ given: ClosedRange<Number>) -> Bool {
        wanted.lowerBound == given.lowerBound
            && (wanted.upperBound == given.upperBound || wanted.lowerBound == wanted.upperBound
                || given.lowerBound == given.upperBound)
    }

    static func text<Number>(_ range: ClosedRange<Number>) -> String {
        range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
    }
}

/// RTSP-TRANSPORT-PEER: the server says its own side.
///
/// Over UDP, `server_port` is where the server takes RTCP from the client and what a firewall has to open; over the
/// control connection, `interleaved` names the channels (RFC 2326 §12.39, without a keyword). RTSP 2.0 has `src_addr`.
struct RTSPTransportPeer: Rule {
    static let info = RuleInfo(
        "RTSP-TRANSPORT-PEER", .warning, .plain, reference: "RFC 2326 §12.39",
        check: "The answer to SETUP has server_port over UDP unicast, and interleaved over TCP.",
        example: "200 OK … Transport: RTP/AVP;unicast;client_port=5000-5001")

    static var sorts: MessageSorts { .rtspAnswer }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let (_, answer) = step.accepted("SETUP"), let granted = answer.transports.first,
            granted.meantDelivery == .unicast
        else { return }
        if granted.serverPort != nil || granted.interleaved != nil || !granted.sourceAddresses.isEmpty
            || !granted.destinationAddresses.isEmpty
        {
            judgement.pass()
        } else if granted.isOverTCP {
            judgement.fail(
                Text("RTSP-TRANSPORT-PEER.channels"), expected: .wire("interleaved=0-1"), actual: .wire(granted.raw),
                quirk: "Q-SETUP", subject: "channels")
        } else {
            judgement.fail(
                Text("RTSP-TRANSPORT-PEER.port"), expected: .wire("server_port=…"), actual: .wire(granted.raw),
                subject: "port")
        }
    }
}

/// RTSP-TRANSPORT-GRAMMAR: how a transport is written.
///
/// The grammar of RFC 2326 §12.39. Not named: folding behind `;`, which the RFC's examples use (§14.3), `mode` without
/// quotation marks, which they use too (§14.6), and the order of the parameters.
struct RTSPTransportGrammar: Rule {
    static let info = RuleInfo(
        "RTSP-TRANSPORT-GRAMMAR", .note, .plain, reference: "RFC 2326 §12.39",
        check: "Transport follows the grammar: no ; at its end, no blank in a value, ssrc of 8 hexadecimal digits.",
        example: "Transport: RTP/AVP/UDP;unicast;client_port=5000-5001;mode=PLAY;")

    private static let faults: [(TransportSpec.Oddities, String)] = [
        (.emptyParameter, "emptyParameter"), (.blankInParameter, "blank"), (.ssrcDigits, "ssrc"), (.number, "number"),
        (.reversedRange, "reversedRange"), (.repeatedParameter, "repeated"), (.bothDeliveries, "bothDeliveries"),
        (.identifier, "identifier"),
    ]

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtsp else { return }
        for spec in message.transports {
            let found = Self.faults.filter { spec.oddities.contains($0.0) }
            if found.isEmpty { judgement.pass() }
            for (_, name) in found {
                judgement.fail(
                    Text("RTSP-TRANSPORT-GRAMMAR.\(name)"), actual: .wire(spec.raw),
                    quirk: name == "ssrc" ? "Q-SETUP" : nil, subject: message.isRequest ? "request" : "answer")
            }
        }
    }
}
