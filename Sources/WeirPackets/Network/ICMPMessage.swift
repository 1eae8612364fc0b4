/// An ICMP (RFC 792) or ICMPv6 (RFC 4443) message, with the flow that an error message refers to.
public struct ICMPMessage: Sendable {
    /// The start of the packet quoted in an error message. It is evidence about a flow, never media.
    public struct Quote: Sendable, Hashable {
        /// TCP or UDP.
        public var transport: TransportProtocol
        /// The source of the quoted packet; usually the destination of the error message.
        public var source: Endpoint
        /// The destination of the quoted packet.
        public var destination: Endpoint
        /// The TCP sequence number, or nil for UDP.
        public var sequence: Sequence32?
    }

    /// The source of the message.
    public var source: IPAddress
    /// The destination of the message.
    public var destination: IPAddress
    /// The ICMP type, or the ICMPv6 type if `source` is an IPv6 address.
    public var type: UInt8
    /// The ICMP code.
    public var code: UInt8
    /// The four octets after the checksum: next-hop MTU, or identifier and sequence number.
    public var parameter: UInt32
    /// The packet quoted by an error message, if enough of it is present.
    public var quote: Quote?
    /// The tunnel context, as in `TransportUnit`; equal to the context of the flow that the message refers to.
    public var context: UInt32
    /// The enclosing protocols, ICMP last.
    public var protocols: ProtocolStack

    /// Whether the message reports an undelivered packet.
    public var isError: Bool { source.isIPv4 ? [3, 4, 5, 11, 12].contains(type) : type < 128 }

    /// Whether nothing is listening on the quoted destination port.
    public var isPortUnreachable: Bool { source.isIPv4 ? type == 3 && code == 3 : type == 1 && code == 4 }

    /// The meaning of the type and code, such as `port unreachable`.
    public var name: String { source.isIPv4 ? nameInIPv4 : nameInIPv6 }

    private var nameInIPv4: String {
        switch (type, code) {
        case (0, _): "echo reply"
        case (3, 0): "network unreachable"
        case (3, 1): "host unreachable"
        case (3, 2): "protocol unreachable"
        case (3, 3): "port unreachable"
        case (3, 4): "fragmentation needed"
        case (3, 9), (3, 10), (3, 13): "administratively prohibited"
        case (3, _): "destination unreachable"
        case (4, _): "source quench"
        case (5, _): "redirect"
        case (8, _): "echo request"
        case (11, 0): "time to live exceeded"
        case (11, _): "fragment reassembly time exceeded"
        case (12, _): "parameter problem"
        default: "ICMP type \(type) code \(code)"
        }
    }

    private var nameInIPv6: String {
        switch (type, code) {
        case (1, 0): "no route to destination"
        case (1, 1): "administratively prohibited"
        case (1, 3): "address unreachable"
        case (1, 4): "port unreachable"
        case (1, _): "destination unreachable"
        case (2, _): "packet too big"
        case (3, 0): "hop limit exceeded"
        case (3, _): "fragment reassembly time exceeded"
        case (4, _): "parameter problem"
        case (128, _): "echo request"
        case (129, _): "echo reply"
        case (130...132, _), (143, _): "multicast listener message"
        case (133...137, _): "neighbor discovery message"
        default: "ICMPv6 type \(type) code \(code)"
        }
    }
}

extension PacketDecoder {
    /// Decodes an ICMP or ICMPv6 message.
    mutating func icmp(_ bytes: RawSpan, _ at: inout Descent) -> Outcome {
        guard at.end &- at.offset >= 8, let first = bytes.uint32(at: at.offset),
            let parameter = bytes.uint32(at: at.offset &+ 4)
        else { return answer(at.shortage(of: 8, layer: "ICMP")) }
        at.protocols.push(at.source.isIPv4 ? .icmp : .icmpv6)
        var message = ICMPMessage(
            source: at.source,
            destination: at.destination,
            type: UInt8(truncatingIfNeeded: first >> 24),
            code: UInt8(truncatingIfNeeded: first >> 16),
            parameter: parameter,
            context: at.context,
            protocols: at.protocols
        )
        if message.isError {
            message.quote = ICMPMessage.Quote(bytes.clamped(at.offset &+ 8, at.end))
        }
        return answer(.icmp(message))
    }
}

extension ICMPMessage.Quote {
    /// Parses addresses and ports at the start of a packet. Returns nil if they are not present.
    init?(_ packet: RawSpan) {
        guard let first = packet.byte(at: 0) else { return nil }
        if first >> 4 == 4 {
            self.init(ipv4: packet, headerLength: Int(first & 0xF) &* 4)
        } else if first >> 4 == 6 {
            self.init(ipv6: packet)
        } else {
            return nil
        }
    }

    private init?(ipv4 packet: RawSpan, headerLength: Int) {
        guard headerLength >= 20, let fragment = packet.uint16(at: 6), fragment & 0x1FFF == 0,
            let number = packet.byte(at: 9), let source = packet.uint32(at: 12), let destination = packet.uint32(at: 16)
        else { return nil }
        self.init(
            packet,
            transport: number,
            at: headerLength,
            IPAddress(ipv4: source),
            IPAddress(ipv4: destination)
        )
    }

    private init?(ipv6 packet: RawSpan) {
        guard let sourceHigh = packet.uint64(at: 8), let sourceLow = packet.uint64(at: 16),
            let destinationHigh = packet.uint64(at: 24), let destinationLow = packet.uint64(at: 32)
        else { return nil }
        var extensions = IPv6Extensions(first: packet.byte(at: 6) ?? IPProtocol.none, offset: 40)
        guard extensions.skip(packet, end: packet.byteCount) == .upperLayer else { return nil }
        self.init(
            packet,
            transport: extensions.nextHeader,
            at: extensions.offset,
            IPAddress(ipv6High: sourceHigh, low: sourceLow),
            IPAddress(ipv6High: destinationHigh, low: destinationLow)
        )
    }

    private init?(
        _ packet: RawSpan,
        transport number: UInt8,
        at offset: Int,
        _ source: IPAddress,
        _ destination: IPAddress
    ) {
        guard number == IPProtocol.tcp || number == IPProtocol.udp, let ports = packet.uint32(at: offset) else {
            return nil
        }
        transport = number == IPProtocol.tcp ? .tcp : .udp
        self.source = Endpoint(address: source, port: UInt16(truncatingIfNeeded: ports >> 16))
        self.destination = Endpoint(address: destination, port: UInt16(truncatingIfNeeded: ports))
        sequence = transport == .tcp ? packet.uint32(at: offset &+ 4).map { Sequence32($0) } : nil
    }
}
