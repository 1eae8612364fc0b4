import WeirEngine
import WeirPackets

/// Recognizes peers of a call when the ClientHello that offers SRTP was not captured: by the form of the DTLS records,
/// and by checks or media on the same flow (RFC 7983 §7).
///
/// DTLS has other uses, too. Without checks or media, the flow is reported as DTLS only; a handshake that was captured
/// from its start and does not offer SRTP is not reported.
final class PeerRecognizer: Recognizer {
    /// The maximum number of datagrams kept per flow, and of their octets: more than a handshake takes.
    private static let most = 16
    private static let mostOctets = 32 * 1_024

    static var isAlone: Bool { false }
    static var protocolName: String? { DTLS.name }

    private var storedDatagrams = Lent<[KeptDatagram]>([])
    var kept: [KeptDatagram] { storedDatagrams.current }
    private var octets = 0
    /// Whether checks or media were seen between records.
    private(set) var isPeer = false
    /// Whether the recognizer does not apply to the flow.
    private var isRefused = false
    /// The number of datagrams that do not belong to a call.
    private var strangers = 0
    /// The maximum number of such datagrams: one may open a port, or be a proprietary keep-alive.
    private static let mostStrangers = 2

    /// Whether a datagram may be a DTLS record.
    static func mayBegin(_ datagram: RawSpan) -> Bool {
        datagram.byte(at: 0).map { 20...23 ~= $0 || 32...63 ~= $0 } ?? false
    }

    init(isFirstRefused: Bool) {}

    var isEmpty: Bool { kept.isEmpty }

    /// Whether datagrams of both directions, or two of one, have matched: a single match may be a coincidence.
    var isCertain: Bool { !isRefused && kept.count > 1 }

    func observe(
        _ datagram: RawSpan, wireLength: Int, _ direction: Direction, _ frame: FrameInfo
    ) -> ProbeAnswer {
        guard !isRefused, let first = datagram.byte(at: 0) else { return .no }
        switch first {
        case 0...3 where !kept.isEmpty && datagram.uint32(at: 4) == STUNMessage.cookie,
            128...191 where !kept.isEmpty && datagram.byteCount >= 12:
            isPeer = true
            return .yes
        case 20...23 where DTLSRecords.fill(datagram): return take(datagram, direction, frame)
        // DTLS 1.3 encrypts everything after the hellos; a record without a length cannot be checked.
        case 32...63 where DTLSRecords.fill(datagram) || !kept.isEmpty && first & 0x04 == 0:
            return take(datagram, direction, frame)
        case 0...3, 16...19, 64...79, 128...191: return .no
        default:
            if datagram.byteCount > 4 { strangers &+= 1 }
            isRefused = strangers > Self.mostStrangers
            return .no
        }
    }

    private func take(_ datagram: RawSpan, _ direction: Direction, _ frame: FrameInfo) -> ProbeAnswer {
        if kept.isEmpty, DTLSReader.clientHello(datagram) != nil {
            isRefused = true
            return .no
        }
        guard kept.count < Self.most, octets &+ datagram.byteCount <= Self.mostOctets else { return .yes }
        octets &+= datagram.byteCount
        var kept = storedDatagrams.take()
        kept.append(KeptDatagram(octets: datagram.array(), direction: direction, frame: frame))
        storedDatagrams.put(kept)
        return .needMore
    }
}
