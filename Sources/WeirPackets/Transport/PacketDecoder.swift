/// What the decoder counted. Every count is of packets unless it says otherwise.
public struct DecodeCounters: Hashable, Sendable {
    /// IPv4 headers whose checksum does not fit.
    public var ipv4HeaderChecksumErrors = 0
    /// TCP segments whose checksum does not fit.
    public var tcpChecksumErrors = 0
    /// UDP datagrams whose checksum does not fit.
    public var udpChecksumErrors = 0
    /// IP fragments seen.
    public var fragments = 0
    /// Datagrams put together from fragments.
    public var reassembledDatagrams = 0
    /// Datagrams given up because a fragment did not come within `Limits.fragmentSeconds`.
    public var expiredDatagrams = 0
    /// Datagrams given up because `Limits.fragmentedDatagrams` or `Limits.fragmentTotalOctets` was reached.
    public var evictedDatagrams = 0
    /// Fragments that repeat, or contradict, octets that had come already.
    public var overlappingFragments = 0

    /// IPv4, TCP and UDP checksums that do not fit, together.
    public var checksumErrors: Int { ipv4HeaderChecksumErrors + tcpChecksumErrors + udpChecksumErrors }

    /// Nothing counted.
    public init() {}
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
        let bytes = frame.bytes
        now = frame.info.time
        var at = Descent(info: frame.info, byteCount: bytes.byteCount, limits: limits)
        if frame.info.linkType == .ethernet {
            return ethernet(bytes, &at)
        }
        return link(frame.info.linkType, bytes, &at)
    }

    /// Goes on behind an IP header, by its protocol number.
    mutating func transport(_ number: UInt8, _ bytes: RawSpan, _ at: inout Descent) -> Decoded {
        switch number {
        case IPProtocol.udp: udp(bytes, &at)
        case IPProtocol.tcp: tcp(bytes, &at)
        case IPProtocol.icmp where at.source.isIPv4: icmp(bytes, &at)
        case IPProtocol.icmpv6 where !at.source.isIPv4: icmp(bytes, &at)
        case IPProtocol.ipv4, IPProtocol.ipv6: ipInIP(number, bytes, &at)
        case IPProtocol.gre: gre(bytes, &at)
        case IPProtocol.mpls: mpls(bytes, &at)
        case IPProtocol.authentication: authentication(bytes, &at)
        default: .other(.ipProtocol(number))
        }
    }

    /// Decodes a TCP segment (RFC 9293 §3.1).
    mutating func tcp(_ bytes: RawSpan, _ at: inout Descent) -> Decoded {
        let start = at.offset
        guard at.available >= 20, let ports = bytes.uint32(at: start), let sequence = bytes.uint32(at: start &+ 4),
            let acknowledgment = bytes.uint32(at: start &+ 8), let control = bytes.uint32(at: start &+ 12),
            bytes.uint32(at: start &+ 16) != nil
        else { return at.shortage(of: 20, layer: "TCP") }
        let headerLength = Int(control >> 28) &* 4
        guard headerLength >= 20 else {
            return at.malformed("header length \(headerLength), but the least is 20", layer: "TCP")
        }
        // Options that the capture cut do not make the segment useless; options that were never there do.
        guard start &+ headerLength <= at.wireEnd else { return at.shortage(of: headerLength, layer: "TCP") }
        at.protocols.push(.tcp)
        var segment = TCPSegment()
        segment.sequence = Sequence32(sequence)
        segment.acknowledgment = Sequence32(acknowledgment)
        segment.flags = TCPFlags(rawValue: UInt8(truncatingIfNeeded: control >> 16))
        segment.window = UInt16(truncatingIfNeeded: control)
        segment.headerLength = UInt8(truncatingIfNeeded: headerLength)
        if headerLength > 20 {
            segment.readOptions(bytes, from: start &+ 20, to: min(start &+ headerLength, at.end))
        }
        var unit = unit(
            .tcp,
            bytes,
            at,
            ports: ports,
            payload: start &+ headerLength,
            // Without the checksum: where the network card completes it, the sending host records another one.
            identity: mix(
                UInt64(sequence) << 32 | UInt64(acknowledgment),
                UInt64(control) << 32 ^ UInt64(segment.timestampValue) << 32 | UInt64(segment.timestampEcho))
        )
        unit.tcp = segment
        unit.checksum = checksum(IPProtocol.tcp, bytes, at)
        if unit.checksum == .invalid { counters.tcpChecksumErrors &+= 1 }
        return .transport(unit)
    }

    /// Decodes a UDP datagram (RFC 768), and what is in it when that is a tunnel.
    mutating func udp(_ bytes: RawSpan, _ at: inout Descent) -> Decoded {
        let start = at.offset
        guard at.available >= 8, let ports = bytes.uint32(at: start), let rest = bytes.uint32(at: start &+ 4) else {
            return at.shortage(of: 8, layer: "UDP")
        }
        let length = Int(rest >> 16)
        if length >= 8 {
            at.limit(to: start &+ length)
        } else if length != 0 {
            // 0 stands for "too long to say": jumbograms (RFC 2675 §4), and super-frames before segmentation.
            return at.malformed("length \(length), but the least is 8", layer: "UDP")
        }
        at.protocols.push(.udp)
        let destinationPort = UInt16(truncatingIfNeeded: ports)
        if destinationPort == UDPTunnel.vxlanPort || destinationPort == UDPTunnel.gtpPort,
            let inner = udpTunnel(destinationPort, bytes, &at)
        {
            return inner
        }
        let identity = at.identification == 0 ? samples(bytes, from: start &+ 24, to: at.end) : 0
        var unit = unit(.udp, bytes, at, ports: ports, payload: start &+ 8, identity: identity)
        if rest & 0xFFFF == 0 {
            unit.checksum = .absent
        } else {
            unit.checksum = checksum(IPProtocol.udp, bytes, at)
            if unit.checksum == .invalid { counters.udpChecksumErrors &+= 1 }
        }
        return .transport(unit)
    }

    /// Verifies the checksum of the segment or datagram that `at` stands on.
    @inline(__always)
    private func checksum(_ number: UInt8, _ bytes: RawSpan, _ at: Descent) -> ChecksumState {
        guard verifyChecksums, at.wireEnd <= at.end, !at.hasForeignPseudoHeader else { return .unverified }
        var sum = InternetChecksum()
        sum.add(at.source)
        sum.add(at.destination)
        sum.add(UInt32(number))
        sum.add(UInt32(truncatingIfNeeded: at.available))
        sum.add(bytes.clamped(at.offset, at.end))
        return sum.isValid ? .valid : .invalid
    }

    /// Makes the unit from what the layers told, all but TCP's own fields and the checksum.
    @inline(__always)
    private func unit(
        _ transport: TransportProtocol,
        _ bytes: RawSpan,
        _ at: Descent,
        ports: UInt32,
        payload start: Int,
        identity: UInt64
    ) -> TransportUnit {
        let end = max(at.end, start)
        let payloadStart = min(start, at.end)
        let origin = mix(at.origin, UInt64(at.hopLimit))
        return TransportUnit(
            source: Endpoint(address: at.source, port: UInt16(truncatingIfNeeded: ports >> 16)),
            destination: Endpoint(address: at.destination, port: UInt16(truncatingIfNeeded: ports)),
            transport: transport,
            checksum: .unverified,
            hopLimit: at.hopLimit,
            trafficClass: at.trafficClass,
            identification: UInt16(truncatingIfNeeded: at.identification),
            fragments: at.fragments,
            context: at.context,
            linkOrigin: UInt32(truncatingIfNeeded: origin ^ origin >> 32),
            fingerprint: fingerprint(bytes, at, ports: ports, payload: payloadStart, identity: identity),
            payload: payloadStart..<at.end,
            missingOctets: max(0, at.wireEnd &- end),
            protocols: at.protocols,
            tcp: TCPSegment()
        )
    }

    /// Hashes eight octets of each 64: without an identification, datagrams may differ nowhere but in the middle.
    private func samples(_ bytes: RawSpan, from start: Int, to end: Int) -> UInt64 {
        var hash: UInt64 = 0
        var offset = start
        while offset &+ 8 <= end {
            hash = mix(hash, bytes.uint64(at: offset) ?? 0)
            offset &+= 64
        }
        return hash
    }

    /// Hashes what no device on the way changes: addresses, ports, IP identification, length, the transport header
    /// (`identity`; not its checksum), and the payload's first 16 and last 8 octets. A retransmission has a new
    /// identification or timestamp; the next RTP packet another sequence number.
    @inline(__always)
    private func fingerprint(
        _ bytes: RawSpan,
        _ at: Descent,
        ports: UInt32,
        payload start: Int,
        identity: UInt64
    ) -> UInt64 {
        let length = UInt64(truncatingIfNeeded: at.wireEnd &- at.offset)
        var hash = mix(at.source.low ^ at.source.high, at.destination.low &+ at.destination.high)
        hash ^= mix(identity, UInt64(ports) << 32 | UInt64(at.identification))
        if start &+ 16 <= at.end {
            hash = mix(hash ^ (bytes.uint64(at: start) ?? 0), bytes.uint64(at: start &+ 8) ?? 0)
            return mix(hash ^ (bytes.uint64(at: at.end &- 8) ?? 0), length << 32 | UInt64(at.context))
        }
        for offset in start..<at.end {
            hash = mix(hash, UInt64(bytes.byte(at: offset) ?? 0))
        }
        return mix(hash, length << 32 | UInt64(at.context))
    }
}
