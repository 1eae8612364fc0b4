import WeirEngine
import WeirPackets

/// Recognises peers of a call where the capture lacks the hello that offers SRTP: by the form of DTLS records, and by the
/// checks or the media that share the flow with them (RFC 7983 §7).
///
/// Others use DTLS, too. Where nothing else comes, the flow is told to be DTLS, and nothing more; a handshake that is seen from
/// its beginning and offers no SRTP is not told at all.
struct PeerRecogniser: Recogniser {
    /// Datagrams of one flow that are kept, and their octets in all: more than a handshake takes.
    private static let most = 16
    private static let mostOctets = 32 * 1_024

    static var isAlone: Bool { false }
    static var protocolName: String? { DTLS.name }

    private(set) var kept: [KeptDatagram] = []
    private var octets = 0
    /// Whether checks or media came between records.
    private(set) var isPeer = false
    /// Whether the flow is not for it.
    private var isRefused = false
    /// Datagrams that are none of a call's.
    private var strangers = 0
    /// As many may come: one opens a port, or is a keep-alive of its own kind.
    private static let mostStrangers = 2

    init(isFirstRefused: Bool) {}

    var isEmpty: Bool { kept.isEmpty }

    /// Both sides, or one side twice: what has the form of a record once may have it by chance.
    var isCertain: Bool { !isRefused && kept.count > 1 }

    mutating func observe(
        _ datagram: RawSpan, wireLength: Int, _ direction: Direction, _ frame: FrameInfo
    ) -> ProbeAnswer {
        guard !isRefused, let first = datagram.byte(at: 0) else { return .no }
        switch first {
        case 0...3 where !kept.isEmpty && datagram.uint32(at: 4) == STUNMessage.cookie,
            128...191 where !kept.isEmpty && datagram.byteCount >= 12:
            isPeer = true
            return .yes
        case 20...23 where DTLSRecords.fill(datagram): return take(datagram, direction, frame)
        // DTLS 1.3 encrypts what follows the hellos; of a record without a length nothing can be told.
        case 32...63 where DTLSRecords.fill(datagram) || !kept.isEmpty && first & 0x04 == 0:
            return take(datagram, direction, frame)
        case 0...3, 16...19, 64...79, 128...191: return .no
        default:
            if datagram.byteCount > 4 { strangers &+= 1 }
            isRefused = strangers > Self.mostStrangers
            return .no
        }
    }

    private mutating func take(_ datagram: RawSpan, _ direction: Direction, _ frame: FrameInfo) -> ProbeAnswer {
        if kept.isEmpty, DTLSReader.clientHello(datagram) != nil {
            isRefused = true
            return .no
        }
        guard kept.count < Self.most, octets &+ datagram.byteCount <= Self.mostOctets else { return .yes }
        octets &+= datagram.byteCount
        kept.append(KeptDatagram(octets: datagram.array(), direction: direction, frame: frame))
        return .needMore
    }
}
