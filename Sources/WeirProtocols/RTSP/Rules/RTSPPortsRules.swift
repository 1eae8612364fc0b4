import WeirEngine
import WeirPackets

/// RTSP-PORT-PAIR: RTP on an even port, RTCP on the next.
///
/// RTP should be sent to an even port, and its RTCP to the next higher odd port (RFC 3550 §11); `client_port`,
/// `server_port` and `port` give the pair as a range (RFC 2326 §12.39). RFC 3550 exempts applications that signal both
/// ports separately; a range is still a pair, and peers derive one port from the other, so it is checked, as a SHOULD.
/// The port of the media sender only receives RTCP: there an odd pair is a note.
struct RTSPPortPair: Rule {
    static let info = RuleInfo(
        "RTSP-PORT-PAIR", .warning, .should, reference: "RFC 3550 §11",
        check: "client_port and server_port are an even port and its successor.",
        example: "Transport: RTP/AVP;unicast;client_port=12849-12850")

    static var sorts: MessageSorts { [.rtspSetup, .rtspSetupAccepted] }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtsp else { return }
        if message.isRequest, message.knownMethod == .setup {
            // By index: an element that is copied counts the references of all its members.
            let specs = message.transports
            for index in specs.indices where !specs[index].rtcpMux {
                judge(
                    specs[index].clientPort, "client_port", receives: !specs[index].isRecord, step.airPlay, &judgement)
                judge(specs[index].port, "port", receives: true, step.airPlay, &judgement)
            }
        } else if let (request, answer) = step.accepted(.setup), !answer.transports.isEmpty,
            !answer.transports[0].rtcpMux
        {
            let isRecord = answer.transports[0].isRecord || request.transports.contains { $0.isRecord }
            judge(answer.transports[0].serverPort, "server_port", receives: isRecord, step.airPlay, &judgement)
            judge(answer.transports[0].port, "port", receives: true, step.airPlay, &judgement)
        }
    }

    private func judge(
        _ ports: ClosedRange<UInt16>?, _ name: String, receives: Bool, _ quirk: String?,
        _ judgement: inout Judgement
    ) {
        guard let ports else { return }
        let isPair = ports.upperBound == ports.lowerBound || ports.upperBound == ports.lowerBound &+ 1
        guard ports.lowerBound % 2 == 1 || !isPair else {
            judgement.pass()
            return
        }
        let even = ports.lowerBound & ~1
        judgement.fail(
            Text(
                isPair ? "RTSP-PORT-PAIR.odd" : "RTSP-PORT-PAIR.notNext", .string(name),
                .integer(Int(ports.lowerBound)), .integer(Int(ports.upperBound))),
            expected: .wire("\(name)=\(even)-\(even | 1)"),
            actual: .wire("\(name)=\(RTSPTransportEcho.text(ports))"), quirk: quirk,
            severity: receives ? nil : .note, subject: name)
    }
}

/// RTSP-PORT-REUSE: each stream has its own ports or channels.
///
/// A Transport describes a single RTP stream (RFC 2326 §12.39), and separate streams SHOULD NOT share an RTP session
/// (RFC 3550 §5.2). A repeated SETUP of one URI may use the same ports again. Checked for the ports the client
/// requests, and for the channels the server grants.
struct RTSPPortReuse: Rule {
    static let info = RuleInfo(
        "RTSP-PORT-REUSE", .warning, .should, reference: "RFC 3550 §5.2",
        check: "SETUP requests of different streams use different ports or channels.",
        example: "SETUP …/track1 client_port=5000-5001\nSETUP …/track2 client_port=5000-5001")

    private struct Use {
        var uri: String
        var ports: ClosedRange<Int>
        var isChannel: Bool
    }

    /// Ports and channels of accepted SETUPs; bounded like the media of a session.
    private var uses: [Use] = []
    private static let limit = 64

    static var sorts: MessageSorts { [.rtspSetup, .rtspSetupAccepted, .rtspTeardownAccepted] }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if step.accepts(.teardown) {
            uses = []
        } else if let request = step.clientRequest, request.knownMethod == .setup, let uri = request.uri {
            let uri = Text.clip(uri)
            judge(request.transports.compactMap { Self.use($0, uri) }, "RTSP-PORT-REUSE.asked", &judgement)
        } else if let (request, answer) = step.accepted(.setup), let uri = request.uri {
            accepted(request, answer, Text.clip(uri), &judgement)
        }
    }

    private mutating func accepted(
        _ request: RTSPMessage, _ answer: RTSPMessage, _ uri: String, _ judgement: inout Judgement
    ) {
        let (asked, assigned) = (request.transports, answer.transports)
        guard !assigned.isEmpty || !asked.isEmpty else { return }
        let granted = Self.use(assigned.first, uri) ?? Self.use(asked.first, uri)
        uses.removeAll { $0.uri == uri }
        guard let granted else { return }
        // Ports requested by the client were checked with the request.
        if !asked.contains(where: { Self.use($0, uri)?.ports == granted.ports }) {
            judge([granted], "RTSP-PORT-REUSE.granted", &judgement)
        }
        uses.append(granted)
        if uses.count > Self.limit { uses.removeFirst(uses.count - Self.limit) }
    }

    private func judge(_ new: [Use], _ key: String, _ judgement: inout Judgement) {
        guard !new.isEmpty else { return }
        for use in new {
            let other = uses.first {
                $0.isChannel == use.isChannel && $0.ports.overlaps(use.ports) && $0.uri != use.uri
            }
            guard let other else { continue }
            judgement.fail(
                Text(
                    use.isChannel ? "\(key)Channels" : "\(key)Ports", .wire(RTSPTransportEcho.text(use.ports)),
                    .uri(Text.clip(other.uri))),
                actual: .wire(RTSPTransportEcho.text(use.ports)), subject: use.isChannel ? "channels" : "ports")
            return
        }
        judgement.pass()
    }

    /// Returns the channels or ports of a transport, if it has any.
    private static func use(_ spec: SharedValue<TransportSpec>?, _ uri: String) -> Use? {
        guard let spec else { return nil }
        if let channels = spec.interleaved {
            return Use(uri: uri, ports: Int(channels.lowerBound)...Int(channels.upperBound), isChannel: true)
        }
        guard !spec.isOverTCP, !spec.rtcpMux, let ports = spec.clientPort else { return nil }
        return Use(uri: uri, ports: Int(ports.lowerBound)...Int(ports.upperBound), isChannel: false)
    }
}
