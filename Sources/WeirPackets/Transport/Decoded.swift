/// The result of decoding a frame.
public enum Decoded: Sendable {
    /// A TCP segment or UDP datagram.
    case transport(TransportUnit)
    /// An ICMP or ICMPv6 message.
    case icmp(ICMPMessage)
    /// A fragment of a datagram that is incomplete, or was completed already.
    case fragment
    /// A payload other than TCP, UDP or ICMP, or a protocol that Weir does not decode.
    case other(NotDecoded)
    /// A header violates its specification, or its lengths are inconsistent.
    case failed(DecodeError)
    /// The frame is truncated by the snap length.
    case cut(DecodeError)
}

/// Why a valid frame contains no transport unit.
public enum NotDecoded: Hashable, Sendable {
    /// An unsupported data link type.
    case linkType(LinkType)
    /// An EtherType that is not decoded, including ARP.
    case etherType(UInt16)
    /// An IEEE 802.2 destination service access point, such as 0x42 for spanning tree.
    case serviceAccessPoint(UInt8)
    /// A PPP protocol, such as 0xC021 for link control.
    case pppProtocol(UInt16)
    /// A loopback address family.
    case addressFamily(UInt32)
    /// An IP protocol, such as 2 for IGMP or 50 for ESP.
    case ipProtocol(UInt8)
    /// An IEEE 802.11 frame without data, encrypted, fragmented or aggregated: the two octets of its frame control
    /// field.
    case wireless(UInt8, UInt8)
    /// A GRE packet without a payload or with source routing.
    case gre
    /// An MPLS payload that is neither IP nor Ethernet.
    case mpls
    /// More encapsulations than `Limits.encapsulations`.
    case tooManyLayers
}

extension NotDecoded: CustomStringConvertible {
    /// A description, such as `ARP` or `IP protocol 50`.
    public var description: String {
        switch self {
        case .linkType(let type): "\(type.name)"
        case .etherType(EtherType.arp): "ARP"
        case .etherType(let type): "EtherType 0x\(String(type, radix: 16))"
        case .serviceAccessPoint(let point): "LLC service access point 0x\(String(point, radix: 16))"
        case .pppProtocol(let number): "PPP protocol 0x\(String(number, radix: 16))"
        case .addressFamily(let family): "address family \(family)"
        case .ipProtocol(let number): "IP protocol \(number)"
        case .wireless(_, let flags): flags & 0x40 != 0 ? "encrypted IEEE 802.11" : "IEEE 802.11 without IP"
        case .gre: "GRE without a payload"
        case .mpls: "MPLS without IP or Ethernet"
        case .tooManyLayers: "too many encapsulations"
        }
    }
}
