/// EtherTypes that Weir decodes or names (IEEE Registration Authority).
package enum EtherType {
    /// IPv4.
    package static let ipv4: UInt16 = 0x0800
    /// Address Resolution Protocol.
    package static let arp: UInt16 = 0x0806
    /// ERSPAN type III.
    package static let erspan3: UInt16 = 0x22EB
    /// Transparent Ethernet bridging, in GRE.
    package static let bridging: UInt16 = 0x6558
    /// IEEE 802.1Q tag.
    package static let vlan: UInt16 = 0x8100
    /// IPv6.
    package static let ipv6: UInt16 = 0x86DD
    /// PPP, in GRE.
    package static let ppp: UInt16 = 0x880B
    /// MPLS, downstream-assigned label.
    package static let mpls: UInt16 = 0x8847
    /// MPLS, upstream-assigned label.
    package static let mplsUpstream: UInt16 = 0x8848
    /// PPP over Ethernet, session stage.
    package static let pppoeSession: UInt16 = 0x8864
    /// IEEE 802.1ad service tag.
    package static let serviceVLAN: UInt16 = 0x88A8
    /// ERSPAN type I and II, in GRE.
    package static let erspan: UInt16 = 0x88BE
    /// Outer VLAN tag of switches that predate IEEE 802.1ad.
    package static let oldServiceVLAN: UInt16 = 0x9100

    /// The lowest EtherType; smaller values are lengths of IEEE 802.3 frames.
    package static let lowest: UInt16 = 0x0600
}
