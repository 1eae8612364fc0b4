/// What is known of a checksum. A wrong one is counted, never a reason to leave the packet out: where the network
/// card computes checksums, captures on the sending host hold unfinished ones.
public enum ChecksumState: UInt8, Sendable, Hashable {
    /// It fits.
    case valid
    /// It does not fit.
    case invalid
    /// The sender left it out (UDP with 0).
    case absent
    /// It was not looked at: switched off, or the packet is not all there.
    case unverified
}

/// A TCP segment or UDP datagram found in a frame, with all that its flow needs to know. A plain value without heap.
public struct TransportUnit: Sendable {
    /// Where it came from.
    public var source = Endpoint(address: IPAddress(ipv4: 0), port: 0)
    /// Where it went.
    public var destination = Endpoint(address: IPAddress(ipv4: 0), port: 0)
    /// TCP or UDP.
    public var transport = TransportProtocol.udp
    /// What is known of the TCP or UDP checksum.
    public var checksum = ChecksumState.unverified
    /// Time to live, or hop limit.
    public var hopLimit: UInt8 = 0
    /// Type of service, or traffic class: DSCP in the upper six bits, ECN in the lower two.
    public var trafficClass: UInt8 = 0
    /// IPv4 identification, or the lower half of the one in an IPv6 fragment header; 0 for whole IPv6 packets.
    public var identification: UInt16 = 0
    /// Fragments that the datagram came in; 0 when it came whole.
    public var fragments: UInt16 = 0
    /// Tells conversations in different tunnels apart; the same for both directions; 0 outside tunnels.
    public var context: UInt32 = 0
    /// Where in the network the frame was seen: a hash of link addresses, tags, packet type, interface and hop limit.
    public var linkOrigin: UInt32 = 0
    /// A hash of what makes the packet itself, whatever it travelled in: equal for the same packet seen twice.
    public var fingerprint: UInt64 = 0
    /// Where the payload is in the bytes that hold it: the frame's, or those of the reassembled datagram.
    public var payload = 0..<0
    /// Payload octets that were on the wire but are not in the capture.
    public var missingOctets = 0
    /// The protocols around the payload, TCP or UDP last.
    public var protocols = ProtocolStack()
    /// The TCP header; all zero for UDP.
    public var tcp = TCPSegment()

    /// A unit of which nothing is known yet.
    package init() {}

    /// Whether `payload` lies in `PacketDecoder.reassembled` and not in the frame.
    public var isReassembled: Bool { fragments != 0 }
}
