/// Where the result of decoding a frame is stored. Returning the result itself through the layers would copy it at each
/// of them.
enum Outcome {
    /// In `PacketDecoder.unit`.
    case unit
    /// In `PacketDecoder.answer`; it is not a unit.
    case answer
}

/// Decodes frames down to TCP, UDP and ICMP, through link layers, tags and tunnels.
///
/// The only state between frames is that of IP fragments and counters. The bytes of a unit are those of the frame; for
/// a reassembled one (`TransportUnit.isReassembled`) they are `reassembled`, until the next `decode`.
public struct PacketDecoder: Sendable {
    /// Whether to verify IPv4, TCP and UDP checksums, which takes one pass over every payload.
    public let verifyChecksums: Bool
    /// Whether to separate conversations in different VLANs. Off by default, since tags often differ by direction:
    /// behind a router between VLANs, or on a tap that tags by port.
    public let separateVLANs: Bool
    /// The counters.
    public internal(set) var counters = DecodeCounters()
    /// The last reassembled datagram, from its transport header on.
    public internal(set) var reassembled: [UInt8] = []

    let limits: Limits
    /// Whether the limit of encapsulations is above what `decodeStraight` decodes.
    let hasUsualLimits: Bool
    var fragments: FragmentTable
    /// The last unit decoded.
    package internal(set) var unit = TransportUnit()
    /// Whether `decodeStraight` decoded it.
    private(set) var isStraight = false
    /// The last result that is not a unit.
    package private(set) var answer = Decoded.fragment
    /// The time of the frame being decoded.
    var now = Timestamp(nanoseconds: 0)

    /// Creates a decoder with `limits`.
    public init(limits: Limits = Limits(), verifyChecksums: Bool = true, separateVLANs: Bool = false) {
        self.limits = limits
        self.verifyChecksums = verifyChecksums
        self.separateVLANs = separateVLANs
        hasUsualLimits = limits.encapsulations > 3
        fragments = FragmentTable(limits: limits)
    }

    /// Returns the number of fragmented datagrams from one host to another that were not complete so far.
    package func incompleteDatagrams(from source: IPAddress, to destination: IPAddress) -> Int {
        fragments.incomplete(from: source, to: destination)
    }

    /// Decodes a frame. Errors are part of the result, whatever the bytes are.
    public mutating func decode(_ frame: borrowing Frame) -> Decoded {
        finds(frame) ? .transport(unit) : answer
    }

    /// Decodes a frame without returning the result, which is large. Returns true if it is in `unit`, false if in
    /// `answer`.
    package mutating func finds(_ frame: borrowing Frame) -> Bool { finds(frame.info, frame.bytes) }

    /// Decodes a frame, given its parts: the compiler calls a function to destroy a whole one.
    @inline(never)
    mutating func finds(_ info: FrameInfo, _ bytes: RawSpan) -> Bool {
        isStraight = decodeStraight(info, bytes)
        return isStraight || decodeLayers(Frame(info: info, bytes: bytes))
    }

    /// Decodes any frame layer by layer.
    @inline(never)
    package mutating func decodeLayers(_ frame: borrowing Frame) -> Bool {
        let bytes = frame.bytes
        now = frame.info.time
        var at = Descent(info: frame.info, byteCount: bytes.byteCount, limits: limits)
        let isEthernet = frame.info.linkType == .ethernet
        let outcome = isEthernet ? ethernet(bytes, &at) : link(frame.info.linkType, bytes, &at)
        return outcome == .unit
    }

    /// Stores a result that is not a transport unit.
    mutating func answer(_ answer: Decoded) -> Outcome {
        self.answer = answer
        return .answer
    }

    /// Decodes the payload of an IP header by its protocol number.
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
