/// A data link type, numbered as in capture files (the `LINKTYPE_` values of the tcpdump project).
public struct LinkType: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
    /// The `LINKTYPE_` number.
    public let rawValue: Int

    /// Wraps a `LINKTYPE_` number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// BSD loopback: a 32-bit address family in the byte order of the capturing host.
    public static let null = Self(rawValue: 0)
    /// Ethernet II and IEEE 802.3.
    public static let ethernet = Self(rawValue: 1)
    /// PPP, with or without HDLC-like framing.
    public static let ppp = Self(rawValue: 9)
    /// PPP in HDLC-like framing, always with address and control fields.
    public static let pppHDLC = Self(rawValue: 50)
    /// PPP over Ethernet session packets, without the Ethernet header.
    public static let pppEthernet = Self(rawValue: 51)
    /// IPv4 or IPv6 without a link layer, with the number that some systems use in files.
    public static let rawOld = Self(rawValue: 12)
    /// IPv4 or IPv6 without a link layer, with the number that OpenBSD uses in files.
    public static let rawOpenBSD = Self(rawValue: 14)
    /// Cisco's HDLC framing.
    public static let ciscoHDLC = Self(rawValue: 104)
    /// IPv4 or IPv6 without a link layer.
    public static let raw = Self(rawValue: 101)
    /// IEEE 802.11, as captured in monitor mode.
    public static let ieee80211 = Self(rawValue: 105)
    /// IEEE 802.11 with a radiotap header.
    public static let radiotap = Self(rawValue: 127)
    /// OpenBSD loopback: a 32-bit address family in network byte order.
    public static let loop = Self(rawValue: 108)
    /// Linux "cooked" capture, version 1 (as on the device `any`).
    public static let linuxSLL = Self(rawValue: 113)
    /// IPv4 without a link layer.
    public static let ipv4 = Self(rawValue: 228)
    /// IPv6 without a link layer.
    public static let ipv6 = Self(rawValue: 229)
    /// Linux "cooked" capture, version 2.
    public static let linuxSLL2 = Self(rawValue: 276)

    /// The name used in reports, such as `Ethernet`, or `link type 147` if the type is not decoded.
    public var name: String {
        switch self {
        case .null: "BSD loopback"
        case .ethernet: "Ethernet"
        case .ppp, .pppHDLC: "PPP"
        case .pppEthernet: "PPPoE"
        case .raw, .rawOld, .rawOpenBSD: "Raw IP"
        case .ciscoHDLC: "Cisco HDLC"
        case .ieee80211: "IEEE 802.11"
        case .radiotap: "IEEE 802.11 with radiotap"
        case .loop: "OpenBSD loopback"
        case .linuxSLL: "Linux cooked v1"
        case .ipv4: "Raw IPv4"
        case .ipv6: "Raw IPv6"
        case .linuxSLL2: "Linux cooked v2"
        default: "link type \(rawValue)"
        }
    }
}
