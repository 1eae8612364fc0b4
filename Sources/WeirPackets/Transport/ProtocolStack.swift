/// The enclosing protocols of a payload, outermost first, in eight octets.
///
/// Built for every packet, so it is a number; names are computed on demand. With more than twelve protocols, the
/// outermost ones are dropped.
public struct ProtocolStack: Hashable, Sendable {
    /// A protocol below the application layer.
    public enum Layer: UInt8, Sendable, CaseIterable {
        /// Ethernet II or IEEE 802.3.
        case ethernet = 1
        /// An IEEE 802.1Q or 802.1ad tag.
        case vlan
        /// IEEE 802.2 logical link control.
        case llc
        /// Linux "cooked" capture, version 1.
        case linuxSLL
        /// Linux "cooked" capture, version 2.
        case linuxSLL2
        /// BSD or OpenBSD loopback.
        case loopback
        /// No link layer.
        case raw
        /// The Point-to-Point Protocol.
        case ppp
        /// PPP over Ethernet.
        case pppoe
        /// Cisco's HDLC framing.
        case hdlc
        /// An MPLS label stack.
        case mpls
        /// An Ethernet pseudowire with a control word.
        case pseudowire
        /// IPv4.
        case ipv4
        /// IPv6.
        case ipv6
        /// Generic Routing Encapsulation.
        case gre
        /// ERSPAN: mirrored frames in GRE.
        case erspan
        /// Virtual eXtensible LAN.
        case vxlan
        /// GPRS Tunneling Protocol, user plane.
        case gtp
        /// TCP.
        case tcp
        /// UDP.
        case udp
        /// ICMP for IPv4.
        case icmp
        /// ICMP for IPv6.
        case icmpv6
        /// IEEE 802.11.
        case ieee80211
        /// The radiotap header of an IEEE 802.11 frame in monitor mode.
        case radiotap

        /// The name used in reports.
        public var name: String {
            switch self {
            case .ethernet: "ethernet"
            case .vlan: "vlan"
            case .llc: "llc"
            case .linuxSLL: "sll"
            case .linuxSLL2: "sll2"
            case .loopback: "null"
            case .raw: "raw"
            case .ppp: "ppp"
            case .pppoe: "pppoe"
            case .hdlc: "hdlc"
            case .mpls: "mpls"
            case .pseudowire: "pseudowire"
            case .ipv4: "ip"
            case .ipv6: "ipv6"
            case .gre: "gre"
            case .erspan: "erspan"
            case .vxlan: "vxlan"
            case .gtp: "gtp"
            case .tcp: "tcp"
            case .udp: "udp"
            case .icmp: "icmp"
            case .icmpv6: "icmpv6"
            case .ieee80211: "wlan"
            case .radiotap: "radiotap"
            }
        }
    }

    /// Five bits per layer, the innermost lowest; 0 above the outermost.
    private var bits: UInt64 = 0

    /// Creates an empty stack.
    public init() {}

    /// Adds an inner layer.
    @inline(__always)
    package mutating func push(_ layer: Layer) {
        bits = (bits << 5 | UInt64(layer.rawValue)) & (1 << 60 - 1)
    }

    /// Removes the innermost layer.
    @inline(__always)
    mutating func pop() {
        bits >>= 5
    }

    /// The layers, outermost first.
    public var layers: [Layer] {
        stride(from: 55, through: 0, by: -5).compactMap { Layer(rawValue: UInt8(bits >> $0 & 0x1F)) }
    }

    /// The names of the layers, outermost first, such as `["ethernet", "vlan", "ip", "udp"]`.
    public var names: [String] { layers.map(\.name) }
}

extension ProtocolStack: CustomStringConvertible {
    /// The names separated by colons, such as `ethernet:vlan:ip:udp`.
    public var description: String { names.joined(separator: ":") }
}
