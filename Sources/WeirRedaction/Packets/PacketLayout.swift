import WeirPackets

/// Where the addresses and the payload of a frame are: the places that redaction changes.
package struct PacketLayout {
    /// An IP header.
    package struct Network {
        /// The place of its first octet.
        package var start: Int
        /// The length of its fixed part and options, without IPv6 extension headers.
        package var headerLength: Int
        package var isIPv4: Bool
        /// The places of the source and the destination address.
        package var addresses: (Int, Int) {
            isIPv4 ? (start + 12, start + 16) : (start + 8, start + 24)
        }
    }

    /// What is inside of the innermost IP header.
    package enum Content {
        case tcp, udp, icmp
        /// A part of a datagram: protocol, identification, place in the datagram.
        case fragment(UInt8, UInt32, Int)
        /// Something else in IP, or no IP at all.
        case other
        /// An address resolution packet.
        case arp
    }

    /// MAC addresses.
    package var macs: [Int] = []
    /// The IP headers, outermost first.
    package var networks: [Network] = []
    /// UDP headers of tunnels.
    package var tunnels: [Int] = []
    package var content = Content.other
    /// The place of the TCP, UDP or ICMP header, or of what is unknown.
    package var transport = 0
    /// The place of the payload behind that header.
    package var payload = 0
    /// The end of the innermost layer.
    package var end = 0

    /// The number of nested IP headers, and of all layers, that are followed.
    private static let (mostNetworks, mostLayers) = (8, 32)
    private var layers = 0

    /// Reads the layers of a frame.
    package init(_ octets: [UInt8], _ linkType: LinkType) {
        end = octets.count
        switch linkType {
        case .ethernet: ethernet(octets, 0)
        case .linuxSLL:
            if octets.uint16(4) == 6 { macs.append(6) }
            etherType(octets.uint16(14), octets, 16)
        case .linuxSLL2:
            if octets.byte(11) == 6 { macs.append(12) }
            etherType(octets.uint16(0), octets, 20)
        case .null, .loop: ip(octets, 4)
        case .ppp, .pppHDLC: ppp(octets, 0)
        case .pppEthernet: pppoe(octets, 0)
        case .ciscoHDLC: etherType(octets.uint16(2), octets, 4)
        case .raw, .rawOld, .rawOpenBSD, .ipv4, .ipv6: ip(octets, 0)
        case .ieee80211: wireless(octets, 0)
        case .radiotap:
            let low = Int(octets.byte(2) ?? 0), high = Int(octets.byte(3) ?? 0)
            wireless(octets, high << 8 | low)
        default: break
        }
    }

    /// Reads the layers of a packet that an ICMP error quotes.
    package init(quoted octets: [UInt8], at place: Int) {
        end = octets.count
        ip(octets, place)
    }

    private mutating func ethernet(_ octets: [UInt8], _ place: Int) {
        transport = place + 14
        guard octets.count >= place + 14 else { return }
        macs += [place, place + 6]
        etherType(octets.uint16(place + 12), octets, place + 14)
    }

    private mutating func etherType(_ type: UInt16?, _ octets: [UInt8], _ place: Int) {
        transport = place
        layers += 1
        guard layers < Self.mostLayers else { return }
        switch type ?? 0 {
        case EtherType.ipv4, EtherType.ipv6: ip(octets, place)
        case EtherType.vlan, EtherType.serviceVLAN, EtherType.oldServiceVLAN:
            etherType(octets.uint16(place + 2), octets, place + 4)
        case EtherType.pppoeSession: pppoe(octets, place)
        case EtherType.mpls, EtherType.mplsUpstream: mpls(octets, place)
        case EtherType.ppp: ppp(octets, place)
        case EtherType.bridging: ethernet(octets, place)
        case EtherType.arp: content = .arp
        case 1..<EtherType.lowest where octets.uint16(place) == 0xAAAA:
            etherType(octets.uint16(place + 6), octets, place + 8)
        default: break
        }
    }

    private mutating func pppoe(_ octets: [UInt8], _ place: Int) { ppp(octets, place + 6) }

    private mutating func ppp(_ octets: [UInt8], _ place: Int) {
        transport = place
        var place = place
        if octets.uint16(place) == 0xFF03 { place += 2 }
        guard let first = octets.byte(place) else { return }
        // A protocol number whose first octet is odd is compressed to one (RFC 1661 §6.5).
        let number = first & 1 == 1 ? UInt16(first) : octets.uint16(place) ?? 0
        place += first & 1 == 1 ? 1 : 2
        transport = place
        if number == 0x21 || number == 0x57 { ip(octets, place) }
    }

    private mutating func mpls(_ octets: [UInt8], _ place: Int) {
        var place = place
        while let last = octets.byte(place + 2) {
            place += 4
            if last & 1 == 1 { break }
        }
        transport = place
        let version = (octets.byte(place) ?? 0) >> 4
        if version == 4 || version == 6 { ip(octets, place) }
        if version == 0 { ethernet(octets, place + 4) }
    }

    private mutating func wireless(_ octets: [UInt8], _ place: Int) {
        transport = place
        guard let control = octets.byte(place), let flags = octets.byte(place + 1), octets.count >= place + 24 else {
            return
        }
        macs += [place + 4, place + 10, place + 16]
        // A data frame that is not protected.
        guard control & 0x0C == 8, flags & 0x40 == 0 else { return }
        var header = 24
        if flags & 3 == 3 {
            macs.append(place + 24)
            header += 6
        }
        if control & 0x80 != 0 { header += flags & 0x80 != 0 ? 6 : 2 }
        transport = place + header
        if octets.uint16(place + header) == 0xAAAA {
            etherType(octets.uint16(place + header + 6), octets, place + header + 8)
        }
    }

    private mutating func ip(_ octets: [UInt8], _ place: Int) {
        transport = place
        guard networks.count < Self.mostNetworks, let first = octets.byte(place) else { return }
        content = .other
        if first >> 4 == 4 { ipv4(octets, place, first) } else if first >> 4 == 6 { ipv6(octets, place) }
    }

    private mutating func ipv4(_ octets: [UInt8], _ place: Int, _ first: UInt8) {
        let length = Int(first & 0xF) * 4
        guard length >= 20, octets.count >= place + length, let total = octets.uint16(place + 2),
            let number = octets.byte(place + 9), let fragment = octets.uint16(place + 6),
            let identification = octets.uint16(place + 4)
        else { return }
        networks.append(Network(start: place, headerLength: length, isIPv4: true))
        if Int(total) >= length { end = min(end, place + Int(total)) }
        transport = place + length
        if fragment & 0x3FFF != 0 {
            content = .fragment(number, UInt32(identification), Int(fragment & 0x1FFF) * 8)
            payload = transport
            return
        }
        upper(number, octets)
    }

    private mutating func ipv6(_ octets: [UInt8], _ place: Int) {
        guard octets.count >= place + 40, let length = octets.uint16(place + 4), var number = octets.byte(place + 6)
        else { return }
        networks.append(Network(start: place, headerLength: 40, isIPv4: false))
        if length > 0 { end = min(end, place + 40 + Int(length)) }
        transport = place + 40
        while [0, 43, 60, 51, 135, 139, 140, 44].contains(number) {
            guard let next = octets.byte(transport), let units = octets.byte(transport + 1), transport + 8 <= end else {
                return
            }
            if number == 44 {
                guard let control = octets.uint16(transport + 2), let high = octets.uint16(transport + 4),
                    let low = octets.uint16(transport + 6)
                else { return }
                if control & 0xFFF9 != 0 {
                    content = .fragment(next, UInt32(high) << 16 | UInt32(low), Int(control & 0xFFF8))
                    transport += 8
                    payload = transport
                    return
                }
                transport += 8
            } else {
                transport += number == 51 ? (Int(units) + 2) * 4 : (Int(units) + 1) * 8
            }
            number = next
        }
        upper(number, octets)
    }

    private mutating func upper(_ number: UInt8, _ octets: [UInt8]) {
        payload = transport
        switch number {
        case 6:
            guard let offset = octets.byte(transport + 12), offset >> 4 >= 5 else { return }
            content = .tcp
            payload = min(end, transport + Int(offset >> 4) * 4)
        case 17:
            guard let length = octets.uint16(transport + 4), octets.count >= transport + 8 else { return }
            if udpTunnel(octets) { return }
            content = .udp
            payload = transport + 8
            if length >= 8 { end = min(end, transport + Int(length)) }
        case 1, 58:
            content = .icmp
            payload = min(end, transport + 8)
        case 4, 41: ip(octets, transport)
        case 47: gre(octets, transport)
        case 137: mpls(octets, transport)
        default: content = .other
        }
    }

    private mutating func gre(_ octets: [UInt8], _ place: Int) {
        guard let flags = octets.uint16(place), let type = octets.uint16(place + 2) else { return }
        var length = 4
        for flag in [0x8000, 0x2000, 0x1000] as [UInt16] where flags & flag != 0 { length += 4 }
        if flags & 7 == 1, flags & 0x80 != 0 { length += 4 }
        let next = place + length
        transport = next
        if type == EtherType.erspan { return ethernet(octets, next + (flags & 0x1000 != 0 ? 8 : 0)) }
        if type == EtherType.erspan3 {
            return ethernet(octets, next + ((octets.byte(next + 11) ?? 0) & 1 == 0 ? 12 : 20))
        }
        etherType(type, octets, next)
    }

    /// Reads a VXLAN or GTP-U header behind a UDP header; returns false if there is none.
    private mutating func udpTunnel(_ octets: [UInt8]) -> Bool {
        guard let source = octets.uint16(transport), let destination = octets.uint16(transport + 2) else {
            return false
        }
        let start = transport + 8
        if destination == 4_789, let flags = octets.byte(start), flags & 0x7F == 8, octets.byte(start + 7) == 0 {
            tunnels.append(transport)
            ethernet(octets, start + 8)
            return true
        }
        guard destination == 2_152 || source == 2_152, let flags = octets.byte(start), flags >> 4 == 3,
            octets.byte(start + 1) == 0xFF
        else { return false }
        var place = start + 8
        if flags & 7 != 0 {
            guard var next = octets.byte(place + 3) else { return false }
            place += 4
            while next != 0 {
                guard let units = octets.byte(place), units > 0, let following = octets.byte(place + Int(units) * 4 - 1)
                else { return false }
                place += Int(units) * 4
                next = following
            }
        }
        tunnels.append(transport)
        ip(octets, place)
        return true
    }
}

extension [UInt8] {
    /// Returns the octet at a place, or nil behind the end.
    func byte(_ place: Int) -> UInt8? { indices.contains(place) ? self[place] : nil }
    /// Returns 16 bits in network byte order, or nil behind the end.
    func uint16(_ place: Int) -> UInt16? {
        guard place >= 0, place &+ 2 <= count else { return nil }
        return UInt16(self[place]) << 8 | UInt16(self[place + 1])
    }
    /// Returns 32 bits in network byte order, or nil behind the end.
    func uint32(_ place: Int) -> UInt32? {
        guard let high = uint16(place), let low = uint16(place &+ 2) else { return nil }
        return UInt32(high) << 16 | UInt32(low)
    }
    /// Returns a part, as far as it exists.
    func part(_ start: Int, _ end: Int) -> ArraySlice<UInt8> {
        let start = Swift.max(0, Swift.min(start, count))
        return self[start..<Swift.max(start, Swift.min(end, count))]
    }
    /// Writes 16 bits in network byte order, if they are inside.
    mutating func put(_ value: UInt16, at place: Int) {
        guard place >= 0, place + 2 <= count else { return }
        self[place] = UInt8(truncatingIfNeeded: value >> 8)
        self[place + 1] = UInt8(truncatingIfNeeded: value)
    }
    /// Writes octets, as far as they are inside.
    mutating func put(_ octets: some Collection<UInt8>, at place: Int) {
        guard place >= 0, place < count else { return }
        let kept = octets.prefix(count - place)
        replaceSubrange(place..<place + kept.count, with: kept)
    }
}
