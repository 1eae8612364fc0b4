import Testing
import WeirPackets
import WeirTesting

extension PacketDecoder {
    /// Decodes a frame. `original` is its length on the wire, if longer.
    mutating func decode(
        _ octets: [UInt8],
        link: LinkType = .ethernet,
        original: Int? = nil,
        interface: Int = 0,
        seconds: Double = 0
    ) -> Decoded {
        let info = FrameInfo(
            number: 1,
            time: Timestamp(nanoseconds: Int64(seconds * 1e9)),
            capturedLength: octets.count,
            originalLength: original ?? octets.count,
            interface: interface,
            linkType: link
        )
        return decode(Frame(info: info, bytes: octets.rawSpan))
    }

    /// Returns the unit in a frame; throws if there is none.
    mutating func found(
        _ octets: [UInt8],
        link: LinkType = .ethernet,
        original: Int? = nil,
        interface: Int = 0,
        seconds: Double = 0
    ) throws -> TransportUnit {
        let decoded = decode(octets, link: link, original: original, interface: interface, seconds: seconds)
        return try #require(decoded.unit, "\(decoded)")
    }

    /// Returns the unit in a frame, or nil.
    mutating func unit(
        _ octets: [UInt8],
        link: LinkType = .ethernet,
        original: Int? = nil,
        interface: Int = 0,
        seconds: Double = 0
    ) -> TransportUnit? {
        decode(octets, link: link, original: original, interface: interface, seconds: seconds).unit
    }
}

extension Decoded {
    /// The unit, or nil.
    var unit: TransportUnit? {
        if case .transport(let unit) = self { unit } else { nil }
    }

    /// The case's name.
    var name: String {
        switch self {
        case .transport: "transport"
        case .icmp: "icmp"
        case .fragment: "fragment"
        case .other: "other"
        case .failed: "failed"
        case .cut: "cut"
        }
    }
}

/// A frame, with its expected content.
struct SampleFrame: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let link: LinkType
    let octets: [UInt8]
    let protocols: String

    init(_ name: String, _ link: LinkType, _ octets: [UInt8], _ protocols: String) {
        testDescription = name
        self.link = link
        self.octets = octets
        self.protocols = protocols
    }

    /// The innermost payload of all samples.
    static let payload = Array("OPTIONS * RTSP/1.0\r\n\r\n".utf8)

    /// One sample of each link layer, tag and tunnel.
    static let all: [Self] = {
        typealias Build = PacketBuilder
        let udp = Build.udp(payload)
        let tcp = Build.tcp(payload, options: hex("0101 080A 00000001 00000002"))
        let udp6 = Build.udp(payload, from: Build.client6, to: Build.server6)
        let tcp6 = Build.tcp(payload, from: Build.client6, to: Build.server6)
        let inner = Build.ethernet(udp)
        let tunnel = { (port: UInt16, octets: [UInt8]) in
            Build.ethernet(Build.udp(octets, to: Endpoint(address: Build.server.address, port: port)))
        }
        let extended = Build.ip(
            0,
            hex("2B00 0104 00000000  3C00 0000 00000000  1100 0104 00000000") + udp6[40...],
            Build.client6.address,
            Build.server6.address
        )
        return [
            Self("Ethernet, UDP", .ethernet, Build.ethernet(udp), "ethernet:ip:udp"),
            Self("Ethernet, TCP", .ethernet, Build.ethernet(tcp), "ethernet:ip:tcp"),
            Self("Ethernet, IPv6", .ethernet, Build.ethernet(udp6), "ethernet:ipv6:udp"),
            Self("Ethernet, IPv6, TCP", .ethernet, Build.ethernet(tcp6), "ethernet:ipv6:tcp"),
            Self("IPv6 extension headers", .ethernet, Build.ethernet(extended), "ethernet:ipv6:udp"),
            Self("QinQ", .ethernet, Build.ethernet(udp, vlans: [10, 20]), "ethernet:vlan:vlan:ip:udp"),
            Self(
                "802.3, SNAP",
                .ethernet,
                Build.ethernet(hex("AAAA03 000000 0800") + udp, type: 8 + udp.count),
                "ethernet:llc:ip:udp"
            ),
            Self(
                "PPPoE",
                .ethernet,
                Build.ethernet(hex("1100 0007") + [0, UInt8(2 + udp.count)] + hex("0021") + udp, type: 0x8864),
                "ethernet:pppoe:ppp:ip:udp"
            ),
            Self(
                "MPLS", .ethernet, Build.ethernet(hex("00010040 00020140") + udp, type: 0x8847), "ethernet:mpls:ip:udp"),
            Self(
                "MPLS, Ethernet",
                .ethernet,
                Build.ethernet(hex("00010140 00000000") + inner, type: 0x8847),
                "ethernet:mpls:pseudowire:ethernet:ip:udp"
            ),
            Self(
                "Linux cooked v1",
                .linuxSLL,
                hex("0000 0001 0006 020000000001 0000 0800") + udp,
                "sll:ip:udp"
            ),
            Self(
                "Linux cooked v2",
                .linuxSLL2,
                hex("86DD 0000 00000002 0001 00 06 020000000001 0000") + udp6,
                "sll2:ipv6:udp"
            ),
            Self(
                "IEEE 802.11", .ieee80211,
                hex("0801 0000 020000000001 020000000002 020000000003 1000 AAAA03 000000 0800") + udp,
                "wlan:llc:ip:udp"),
            Self(
                "IEEE 802.11 between access points", .ieee80211,
                hex("0803 0000 020000000001 020000000002 020000000003 1000 020000000004")
                    + hex("AAAA03 000000 0800") + tcp, "wlan:llc:ip:tcp"),
            Self(
                "IEEE 802.11 with quality of service, padded, behind radiotap", .radiotap,
                hex("0000 1200 03000000 0000000000000000 20 00")
                    + hex("8801 0000 020000000001 020000000002 020000000003 1000 0000 0000")
                    + hex("AAAA03 000000 86DD") + udp6, "radiotap:wlan:llc:ipv6:udp"),
            Self("BSD loopback, little-endian", .null, hex("02000000") + udp, "null:ip:udp"),
            Self("BSD loopback, big-endian", .null, hex("0000001E") + udp6, "null:ipv6:udp"),
            Self("OpenBSD loopback", .loop, hex("00000018") + udp6, "null:ipv6:udp"),
            Self("raw IPv4", .raw, udp, "raw:ip:udp"),
            Self("raw IPv6", .ipv6, udp6, "raw:ipv6:udp"),
            Self("PPP", .ppp, hex("0021") + udp, "ppp:ip:udp"),
            Self("PPP, one octet", .ppp, hex("21") + udp, "ppp:ip:udp"),
            Self("PPP in HDLC framing", .pppHDLC, hex("FF03 0057") + udp6, "ppp:ipv6:udp"),
            Self("Cisco HDLC", .ciscoHDLC, hex("0F00 0800") + udp, "hdlc:ip:udp"),
            Self("IPv4 in IPv4", .raw, Build.ip(4, udp), "raw:ip:ip:udp"),
            Self("IPv6 in IPv4", .raw, Build.ip(41, udp6), "raw:ip:ipv6:udp"),
            Self(
                "IPv4 in IPv6",
                .raw,
                Build.ip(4, udp, Build.client6.address, Build.server6.address),
                "raw:ipv6:ip:udp"
            ),
            Self(
                "GRE with checksum, key and sequence number",
                .raw,
                Build.ip(47, hex("B000 0800 00000000 0000002A 00000001") + tcp),
                "raw:ip:gre:ip:tcp"
            ),
            Self("GRE, Ethernet", .raw, Build.ip(47, hex("0000 6558") + inner), "raw:ip:gre:ethernet:ip:udp"),
            Self(
                "GRE version 1",
                .raw,
                Build.ip(47, hex("3081 880B 0020 0007 00000001 00000001 FF03 0021") + udp),
                "raw:ip:gre:ppp:ip:udp"
            ),
            Self(
                "ERSPAN",
                .raw,
                Build.ip(47, hex("1000 88BE 00000001 10010000 00000000") + inner),
                "raw:ip:gre:erspan:ethernet:ip:udp"
            ),
            Self(
                "VXLAN",
                .ethernet,
                tunnel(4_789, hex("08000000 00002A00") + inner),
                "ethernet:ip:udp:vxlan:ethernet:ip:udp"
            ),
            Self("GTP-U", .ethernet, tunnel(2_152, hex("30FF 0000 00000001") + tcp), "ethernet:ip:udp:gtp:ip:tcp"),
            Self(
                "GTP-U with extension header",
                .ethernet,
                tunnel(2_152, hex("34FF 0000 00000001 000000 85 01 1009 00") + udp),
                "ethernet:ip:udp:gtp:ip:udp"
            ),
            Self(
                "authentication header", .raw,
                Build.ip(51, hex("1104 0000") + [UInt8](repeating: 0, count: 20) + udp[20...]), "raw:ip:udp"),
        ]
    }()
}
