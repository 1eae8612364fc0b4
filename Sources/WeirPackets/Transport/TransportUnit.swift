/// The state of a checksum. An invalid one is counted, but the packet is still used: with checksum offload, captures on
/// the sending host contain incomplete checksums.
public enum ChecksumState: UInt8, Sendable, Hashable {
    /// Valid.
    case valid
    /// Invalid.
    case invalid
    /// Omitted by the sender (UDP with 0).
    case absent
    /// Not verified: disabled, or the packet is truncated.
    case unverified
}

/// A TCP segment or UDP datagram in a frame, with the fields that flow tracking needs. A plain value without heap
/// allocation.
public struct TransportUnit: Sendable {
    /// The source.
    public var source = Endpoint(address: IPAddress(ipv4: 0), port: 0)
    /// The destination.
    public var destination = Endpoint(address: IPAddress(ipv4: 0), port: 0)
    /// The transport protocol.
    public var transport = TransportProtocol.udp
    /// The state of the TCP or UDP checksum.
    public var checksum = ChecksumState.unverified
    /// The time to live, or the hop limit.
    public var hopLimit: UInt8 = 0
    /// The type of service, or the traffic class: DSCP in the upper six bits, ECN in the lower two.
    public var trafficClass: UInt8 = 0
    /// The IPv4 identification, or the lower half of the one in an IPv6 fragment header; 0 for unfragmented IPv6
    /// packets.
    public var identification: UInt16 = 0
    /// The number of fragments of the datagram; 0 if it is unfragmented.
    public var fragments: UInt16 = 0
    /// Separates conversations in different tunnels; the same for both directions; 0 outside tunnels.
    public var context: UInt32 = 0
    /// A hash of where the frame was captured: link addresses, tags, packet type, interface and hop limit.
    public var linkOrigin: UInt32 = 0
    /// A hash of the packet independent of the path: equal if the same packet is captured twice.
    public var fingerprint: UInt64 = 0
    /// The range of the payload in its bytes: those of the frame, or of the reassembled datagram.
    public var payload = 0..<0
    /// Payload octets that were on the wire but not captured.
    public var missingOctets = 0
    /// The enclosing protocols of the payload, TCP or UDP last.
    public var protocols = ProtocolStack()
    /// The TCP header; all zero for UDP.
    public var tcp = TCPSegment()

    /// Creates an empty unit.
    package init() {}

    /// Whether `payload` lies in `PacketDecoder.reassembled` rather than in the frame.
    public var isReassembled: Bool { fragments != 0 }
}
