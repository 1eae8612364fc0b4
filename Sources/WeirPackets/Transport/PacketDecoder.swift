/// Where the answer to a frame lies. It is made in one place and handed out once: passing it up through the layers as a
/// value would copy it at each of them.
enum Outcome {
    /// In `PacketDecoder.unit`.
    case unit
    /// It is no unit, and in `PacketDecoder.answer`.
    case answer
}

/// Takes frames apart down to TCP, UDP and ICMP, through link layers, tags and tunnels.
///
/// Keeps nothing between frames but fragments of IP datagrams and its counts. The bytes of a unit are the frame's own;
/// for one that came in fragments (`TransportUnit.isReassembled`) they are `reassembled`, until the next `decode`.
public struct PacketDecoder: Sendable {
    /// Whether IPv4, TCP and UDP checksums are computed. It costs one pass over every payload.
    public let verifyChecksums: Bool
    /// Whether conversations in different VLANs are kept apart. Off by default, since tags often differ between the two
    /// directions of a conversation: behind a router between VLANs, or on a tap that tags by port.
    public let separateVLANs: Bool
    /// What was counted so far.
    public internal(set) var counters = DecodeCounters()
    /// The datagram put together last, from its transport header on.
    public internal(set) var reassembled: [UInt8] = []

    let limits: Limits
    var fragments: FragmentTable
    /// The unit found last.
    package internal(set) var unit = TransportUnit()
    /// The last answer that was none.
    package private(set) var answer = Decoded.fragment
    /// When the frame was seen that is being decoded.
    var now = Timestamp(nanoseconds: 0)

    /// Creates a decoder that keeps to `limits`.
    public init(limits: Limits = Limits(), verifyChecksums: Bool = true, separateVLANs: Bool = false) {
        self.limits = limits
        self.verifyChecksums = verifyChecksums
        self.separateVLANs = separateVLANs
        fragments = FragmentTable(limits: limits)
    }

    /// Takes a frame apart. Never fails otherwise than by its answer, whatever the bytes are.
    public mutating func decode(_ frame: borrowing Frame) -> Decoded {
        finds(frame) ? .transport(unit) : answer
    }

    /// The same without handing the answer out, which is large: it lies in `unit` when this is true, else in `answer`.
    package mutating func finds(_ frame: borrowing Frame) -> Bool {
        let bytes = frame.bytes
        now = frame.info.time
        var at = Descent(info: frame.info, byteCount: bytes.byteCount, limits: limits)
        let isEthernet = frame.info.linkType == .ethernet
        let outcome = isEthernet ? ethernet(bytes, &at) : link(frame.info.linkType, bytes, &at)
        return outcome == .unit
    }

    /// Keeps an answer that is no transport unit.
    mutating func answer(_ answer: Decoded) -> Outcome {
        self.answer = answer
        return .answer
    }

    /// Goes on behind an IP header, by its protocol number.
    mutating func transport(_ number: UInt8, _ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        switch number {
        case IPProtocol.udp: udp(bytes, &at)
        case IPProtocol.tcp: tcp(bytes, &at)
        case IPProtocol.icmp where at.source.isIPv4: icmp(bytes, &at)
        case IPProtocol.icmpv6 where !at.source.isIPv4: icmp(bytes, &at)
        case IPProtocol.ipv4, IPProtocol.ipv6: ipInIP(number, bytes, &at)
        case IPProtocol.gre: gre(bytes, &at)
        case IPProtocol.mpls: mpls(bytes, &at)
        case IPProtocol.authentication: authentication(bytes, &at)
        default: answer(.other(.ipProtocol(number)))
        }
    }
}
