import WeirEngine
import WeirPackets

/// DTLS-SIZE: handshake datagrams fit any path MTU.
///
/// A sender that does not know the path MTU SHOULD NOT send datagrams that may exceed it (RFC 8085 §3.2): a handshake
/// message lost because of its size is lost again with every retransmission. 1,200 octets leave room for IP, UDP and
/// TURN headers within the IPv6 minimum MTU of 1,280. Does not apply to TCP.
struct DTLSDatagramSize: Rule {
    /// The maximum datagram size.
    static let longest = RuleLimit("DTLS-SIZE.octets", Double(DTLSMessage.longestDatagram), "octets")
    static let info = RuleInfo(
        "DTLS-SIZE", .warning, .should, reference: "RFC 8085 §3.2",
        check: "No handshake datagram is longer than 1,200 octets.",
        example: "Certificate in a datagram of 1,460 octets", limits: [longest])

    /// The last datagram that was evaluated; one datagram may contain several messages.
    private var judged: (frame: Int, flow: Int) = (0, 0)

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.message(DTLSMessage.self), message.isReadable, !message.isRetransmission,
            judged != (step.event.frame, step.event.flow), let call = step.call,
            call.pairs.contains(where: { $0.flow == step.event.flow && !$0.isTCP })
        else { return }
        judged = (step.event.frame, step.event.flow)
        let longest = judgement.limit(Self.longest)
        guard Double(message.datagramOctets) > longest else { return judgement.pass() }
        judgement.fail(
            Text(
                "DTLS-SIZE.long", .integer(message.datagramOctets), .string(message.title),
                .string(step.event.source.description)),
            expected: Text("{0}", .integer(Int(longest))),
            actual: Text("{0}", .integer(message.datagramOctets)), subject: message.kind)
    }
}

extension DTLSMessage {
    /// The name of the handshake message, as in RFC 6347 §4.3.2.
    fileprivate var title: String {
        switch content {
        case .clientHello: "ClientHello"
        case .serverHello: "ServerHello"
        case .certificate: "Certificate"
        case .alert, .encryptedAlert, .finished, .applicationData, .dataChannel: kind
        }
    }

    /// Whether the message is an unencrypted handshake message.
    fileprivate var isReadable: Bool {
        switch content {
        case .clientHello, .serverHello, .certificate: true
        case .alert, .encryptedAlert, .finished, .applicationData, .dataChannel: false
        }
    }
}
