import WeirEngine
import WeirPackets

/// DTLS-SIZE: datagrams of the handshake fit every path.
///
/// Who does not know the path SHOULD NOT send datagrams that may be longer than it takes (RFC 8085 §3.2): a handshake message
/// that is lost for its length is lost again each time. 1,200 octets leave room for IP, UDP and a relay's header on the
/// shortest path that IPv6 allows, of 1,280. Over TCP there are no datagrams.
struct DTLSDatagramSize: Rule {
    /// The longest datagram.
    static let longest = RuleLimit("DTLS-SIZE.octets", Double(DTLSMessage.longestDatagram), "octets")
    static let info = RuleInfo(
        "DTLS-SIZE", .warning, .should, reference: "RFC 8085 §3.2",
        check: "No datagram of the handshake is longer than 1,200 octets.",
        example: "Certificate in a datagram of 1,460 octets", limits: [longest])

    /// The last datagram that was judged: several messages may share one.
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
    /// The name of a handshake message, as RFC 6347 §4.3.2 has it.
    fileprivate var title: String {
        switch content {
        case .clientHello: "ClientHello"
        case .serverHello: "ServerHello"
        case .certificate: "Certificate"
        case .alert, .encryptedAlert, .finished, .applicationData: kind
        }
    }

    /// Whether it is a message of the handshake in the clear.
    fileprivate var isReadable: Bool {
        switch content {
        case .clientHello, .serverHello, .certificate: true
        case .alert, .encryptedAlert, .finished, .applicationData: false
        }
    }
}
