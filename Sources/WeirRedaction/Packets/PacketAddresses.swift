import WeirPackets

/// Replaces the addresses of headers.
struct PacketAddresses {
    let mapping: AddressMapping

    /// Reads an IP address.
    static func address(_ octets: [UInt8], _ place: Int, isIPv4: Bool) -> IPAddress? {
        if isIPv4 { return octets.uint32(place).map { IPAddress(ipv4: $0) } }
        guard let first = octets.uint32(place), let second = octets.uint32(place + 4),
            let third = octets.uint32(place + 8),
            let fourth = octets.uint32(place + 12)
        else { return nil }
        return IPAddress(ipv6High: UInt64(first) << 32 | UInt64(second), low: UInt64(third) << 32 | UInt64(fourth))
    }

    /// Returns the octets of an address.
    static func octets(_ address: IPAddress) -> [UInt8] {
        let count = address.isIPv4 ? 4 : 8
        let low = (0..<count).map { UInt8(truncatingIfNeeded: address.low >> UInt64(8 * (count - 1 - $0))) }
        guard !address.isIPv4 else { return low }
        return (0..<8).map { UInt8(truncatingIfNeeded: address.high >> UInt64(56 - 8 * $0)) } + low
    }

    /// Replaces an IP address in place.
    func replace(_ octets: inout [UInt8], _ place: Int, isIPv4: Bool) {
        guard let address = Self.address(octets, place, isIPv4: isIPv4) else { return }
        octets.put(Self.octets(mapping(address)), at: place)
    }

    /// Replaces a MAC address in place.
    func replaceMAC(_ octets: inout [UInt8], _ place: Int) {
        let original = Array(octets.part(place, place + 6))
        if original.count == 6 { octets.put(mapping.mac(original), at: place) }
    }

    /// Replaces all addresses of a packet's headers.
    func replace(_ octets: inout [UInt8], _ layout: PacketLayout) {
        for place in layout.macs { replaceMAC(&octets, place) }
        for network in layout.networks {
            let places = network.addresses
            replace(&octets, places.0, isIPv4: network.isIPv4)
            replace(&octets, places.1, isIPv4: network.isIPv4)
        }
        if case .arp = layout.content { replaceARP(&octets, layout.transport) }
    }

    /// Replaces the addresses of an ARP packet for IPv4 on Ethernet (RFC 826); another is blanked.
    private func replaceARP(_ octets: inout [UInt8], _ place: Int) {
        guard octets.uint32(place) == 0x0001_0800, octets.uint16(place + 4) == 0x0604 else {
            return octets.put([UInt8](repeating: 0, count: max(0, octets.count - place)), at: place)
        }
        for (mac, ip) in [(place + 8, place + 14), (place + 18, place + 24)] {
            replaceMAC(&octets, mac)
            replace(&octets, ip, isIPv4: true)
        }
    }
}
