import WeirEngine
import WeirPackets

extension TransportSpec {
    /// The delivery that the specification implies.
    ///
    /// The default is multicast (RFC 2326 §12.39); but client or server ports and interleaved channels are meaningless
    /// for multicast, and the RFC's own example in §10.12 omits the word.
    var meantDelivery: Delivery {
        if let delivery { return delivery }
        let isForOne = clientPort != nil || serverPort != nil || interleaved != nil || lowerTransport == .tcp
        return isForOne ? .unicast : .multicast
    }

    /// Whether media uses the control connection or another TCP connection.
    var isOverTCP: Bool { lowerTransport == .tcp || interleaved != nil }

    /// Returns the first of the requested transports of which the granted one is a kind.
    static func place(
        ofKind granted: [SharedValue<TransportSpec>], among requested: [SharedValue<TransportSpec>]
    ) -> Int? {
        guard let granted = granted.first else { return nil }
        return requested.firstIndex { granted.isKind(of: $0) }
    }
}

extension SharedValue<TransportSpec> {
    /// Whether protocol, profile, lower transport and delivery equal those of `other`.
    func isKind(of other: Self) -> Bool {
        ASCII.equalIgnoringCase(self.protocolName, other.protocolName)
            && ASCII.equalIgnoringCase(self.profile, other.profile)
            && (self.isOverTCP == other.isOverTCP || saysLowerTransport(of: other))
            && self.meantDelivery == other.meantDelivery
    }

    /// Whether both specify the same lower transport, regardless of their parameters.
    private func saysLowerTransport(of other: Self) -> Bool {
        guard let own = self.lowerTransportText, let theirs = other.lowerTransportText else { return false }
        return ASCII.equalIgnoringCase(own, theirs)
    }
}

/// RTSP-SETUP-TRANSPORT: SETUP negotiates a transport.
///
/// 1. The client must specify transport parameters acceptable to it (RFC 2326 §10.4).
/// 2. If several are offered, the server MUST return the one it chose (§12.39).
/// 3. If one is offered, it MAY return the chosen values (§12.39); without them the client has to guess, so this is a
///    warning.
struct RTSPSetupTransport: Rule {
    static let info = RuleInfo(
        "RTSP-SETUP-TRANSPORT", .error, .must, reference: "RFC 2326 §12.39",
        check: "SETUP and the response that accepts it have a Transport.",
        example: "SETUP rtsp://… CSeq: 3 (no Transport)")

    static var sorts: MessageSorts { [.rtspSetup, .rtspSetupAccepted] }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if let request = step.clientRequest, request.knownMethod == .setup {
            guard request.transports.isEmpty else {
                judgement.pass()
                return
            }
            judgement.fail(
                Text("RTSP-SETUP-TRANSPORT.request"), expected: .wire("Transport: RTP/AVP;unicast;client_port=…"),
                reference: "RFC 2326 §10.4", subject: "request")
        } else if let (request, answer) = step.accepted(.setup) {
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

/// RTSP-TRANSPORT-ONE: the server chooses one of the offered transports.
///
/// It MUST return the one it chose, and no other (RFC 2326 §12.39): the same protocol, profile, lower transport (UDP by
/// default with RTP/AVP) and delivery as one of those offered.
struct RTSPTransportOne: Rule {
    static let info = RuleInfo(
        "RTSP-TRANSPORT-ONE", .error, .must, reference: "RFC 2326 §12.39",
        check: "The response to SETUP has exactly one transport, one of those offered.",
        example: "SETUP … Transport: RTP/AVP;unicast;client_port=5000-5001\n200 OK … RTP/AVP/TCP;interleaved=0-1")

    static var sorts: MessageSorts { .rtspSetupAccepted }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let (request, answer) = step.accepted(.setup) else { return }
        let granted = answer.transports
        let offered = request.transports
        guard !granted.isEmpty, !offered.isEmpty else {
            judgement.notApplicable()
            return
        }
        if granted.count > 1 {
            judgement.fail(
                Text("RTSP-TRANSPORT-ONE.several", .integer(granted.count)),
                actual: .wire(granted.map { $0.raw }.joined(separator: ",")), subject: "several")
        } else if TransportSpec.place(ofKind: granted, among: offered) != nil {
            judgement.pass()
        } else {
            judgement.fail(
                Text("RTSP-TRANSPORT-ONE.notOffered", .wire(granted[0].identifier)),
                expected: .wire(offered.map { $0.raw }.joined(separator: ",")), actual: .wire(granted[0].raw),
                subject: "notOffered")
        }
    }
}

/// RTSP-TRANSPORT-ECHO: the server uses the client's ports and channels.
///
/// The response repeats the requested `client_port` (RFC 2326 §12.39); otherwise media is sent to ports nothing listens
/// on. Channels may be replaced; media uses those of the response.
struct RTSPTransportEcho: Rule {
    static let info = RuleInfo(
        "RTSP-TRANSPORT-ECHO", .warning, .plain, reference: "RFC 2326 §12.39",
        check: "client_port and interleaved in the response are those of the request.",
        example: "SETUP … client_port=5000-5001\n200 OK … client_port=5002-5003")

    static var sorts: MessageSorts { .rtspSetupAccepted }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let (request, answer) = step.accepted(.setup) else { return }
        let (asked, granted) = (request.transports, answer.transports)
        guard !granted.isEmpty else { return }
        guard let place = TransportSpec.place(ofKind: granted, among: asked) else {
            judgement.notApplicable()
            return
        }
        if let wanted = asked[place].clientPort, let given = granted[0].clientPort, !Self.agree(wanted, given) {
            judgement.fail(
                Text("RTSP-TRANSPORT-ECHO.port", .wire(Self.text(wanted)), .wire(Self.text(given))),
                expected: .wire("client_port=\(Self.text(wanted))"), actual: .wire("client_port=\(Self.text(given))"),
                subject: "port")
        } else if let wanted = asked[place].interleaved, let given = granted[0].interleaved,
            !Self.agree(wanted, given)
        {
            judgement.fail(
                Text("RTSP-TRANSPORT-ECHO.channel", .wire(Self.text(wanted)), .wire(Self.text(given))),
                expected: .wire("interleaved=\(Self.text(wanted))"), actual: .wire("interleaved=\(Self.text(given))"),
                quirk: "Q-SETUP", reference: "RFC 2326 §10.12", subject: "channel")
        } else if asked[place].clientPort != nil || asked[place].interleaved != nil {
            judgement.pass()
        }
    }

    /// Compares ranges; a second number that only one side specifies is ignored.
    private static func agree<Number>(_ wanted: ClosedRange<Number>, _ given: ClosedRange<Number>) -> Bool {
        wanted.lowerBound == given.lowerBound
            && (wanted.upperBound == given.upperBound || wanted.lowerBound == wanted.upperBound
                || given.lowerBound == given.upperBound)
    }

    static func text<Number>(_ range: ClosedRange<Number>) -> String {
        range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
    }
}

/// RTSP-TRANSPORT-PEER: the server specifies its own side.
///
/// Over UDP, `server_port` is where the server receives RTCP and what a firewall has to open; over the control
/// connection, `interleaved` specifies the channels (RFC 2326 §12.39, without a keyword). RTSP 2.0 uses `src_addr`.
struct RTSPTransportPeer: Rule {
    static let info = RuleInfo(
        "RTSP-TRANSPORT-PEER", .warning, .plain, reference: "RFC 2326 §12.39",
        check: "The response to SETUP has server_port for UDP unicast, and interleaved for TCP.",
        example: "200 OK … Transport: RTP/AVP;unicast;client_port=5000-5001")

    static var sorts: MessageSorts { .rtspSetupAccepted }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let (_, answer) = step.accepted(.setup), let granted = answer.transports.first,
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

/// RTSP-TRANSPORT-GRAMMAR: the syntax of Transport.
///
/// The grammar of RFC 2326 §12.39. Not reported: folding after `;` and unquoted `mode`, both used by the RFC's examples
/// (§14.3, §14.6), and the order of parameters.
struct RTSPTransportGrammar: Rule {
    static let info = RuleInfo(
        "RTSP-TRANSPORT-GRAMMAR", .note, .plain, reference: "RFC 2326 §12.39",
        check:
            "Transport follows the grammar: no trailing semicolon, no space in a value, ssrc of 8 hexadecimal digits.",
        example: "Transport: RTP/AVP/UDP;unicast;client_port=5000-5001;mode=PLAY;")

    private static let faults: [(TransportSpec.Oddities, String)] = [
        (.emptyParameter, "emptyParameter"), (.blankInParameter, "blank"), (.ssrcDigits, "ssrc"), (.number, "number"),
        (.reversedRange, "reversedRange"), (.repeatedParameter, "repeated"), (.bothDeliveries, "bothDeliveries"),
        (.identifier, "identifier"),
    ]

    static var sorts: MessageSorts { .rtspTransport }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtsp else { return }
        for index in message.transports.indices {
            guard !message.transports[index].oddities.isEmpty else {
                judgement.pass()
                continue
            }
            let spec = message.transports[index]
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
