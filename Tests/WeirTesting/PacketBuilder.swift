import WeirPackets

/// Builds packets from the inside out, with correct lengths and checksums.
///
/// The checksums are computed from pairs of octets, independently of the decoder.
package enum PacketBuilder {
    /// A generic client.
    package static let client = Endpoint(address: IPAddress(ipv4: 0xC000_0201), port: 51_812)
    /// A generic server.
    package static let server = Endpoint(address: IPAddress(ipv4: 0xC633_6402), port: 554)
    /// A generic client with an IPv6 address.
    package static let client6 = Endpoint(address: IPAddress(ipv6High: 0x2001_0DB8_0000_0000, low: 1), port: 51_812)
    /// A generic server with an IPv6 address.
    package static let server6 = Endpoint(address: IPAddress(ipv6High: 0x2001_0DB8_0000_0000, low: 2), port: 554)

    /// Returns a UDP datagram in an IP packet.
    package static func udp(
        _ payload: [UInt8],
        from source: Endpoint = client,
        to destination: Endpoint = server,
        identification: Int = 1
    ) -> [UInt8] {
        ip(17, udpDatagram(payload, source, destination), source.address, destination.address, identification)
    }

    /// Returns a UDP datagram without an IP header.
    package static func udpDatagram(_ payload: [UInt8], _ source: Endpoint, _ destination: Endpoint) -> [UInt8] {
        var octets: [UInt8] = []
        octets.append16(Int(source.port))
        octets.append16(Int(destination.port))
        octets.append16(8 + payload.count)
        octets.append16(0)
        octets += payload
        let sum = checksum(pseudoHeader(17, octets.count, source.address, destination.address) + octets)
        octets.put16(sum == 0 ? 0xFFFF : sum, at: 6)
        return octets
    }

    /// Returns a TCP segment in an IP packet; `options` are padded with zeros to a multiple of four octets.
    package static func tcp(
        _ payload: [UInt8] = [],
        from source: Endpoint = client,
        to destination: Endpoint = server,
        sequence: UInt32 = 1,
        acknowledgment: UInt32 = 0,
        flags: TCPFlags = .ack,
        window: Int = 1_024,
        options: [UInt8] = [],
        identification: Int = 1
    ) -> [UInt8] {
        let padded = options + [UInt8](repeating: 0, count: (4 - options.count % 4) % 4)
        var octets: [UInt8] = []
        octets.append16(Int(source.port))
        octets.append16(Int(destination.port))
        octets.append32(sequence)
        octets.append32(acknowledgment)
        octets.append(UInt8(truncatingIfNeeded: ((20 + padded.count) / 4) << 4))
        octets.append(flags.rawValue)
        octets.append16(window)
        octets.append32(0)
        octets += padded + payload
        let sum = checksum(pseudoHeader(6, octets.count, source.address, destination.address) + octets)
        octets.put16(sum, at: 16)
        return ip(6, octets, source.address, destination.address, identification)
    }

    /// Returns an IPv4 or IPv6 packet, depending on the addresses.
    package static func ip(
        _ number: UInt8,
        _ payload: [UInt8],
        _ source: IPAddress = client.address,
        _ destination: IPAddress = server.address,
        _ identification: Int = 1,
        flagsAndOffset: Int = 0
    ) -> [UInt8] {
        var octets: [UInt8] = []
        if source.isIPv4 {
            octets = [0x45, 0]
            octets.append16(20 + payload.count)
            octets.append16(identification)
            octets.append16(flagsAndOffset)
            octets += [64, number, 0, 0]
            octets += address(source) + address(destination)
            octets.put16(checksum(octets), at: 10)
        } else {
            octets = [0x60, 0, 0, 0]
            octets.append16(payload.count)
            octets += [number, 64]
            octets += address(source) + address(destination)
        }
        return octets + payload
    }

    /// Returns the packet in Ethernet II, after the given VLAN tags.
    package static func ethernet(_ packet: [UInt8], vlans: [Int] = [], type: Int? = nil) -> [UInt8] {
        var octets = hex("02 00 00 00 00 02  02 00 00 00 00 01")
        for vlan in vlans {
            octets.append16(0x8100)
            octets.append16(vlan)
        }
        octets.append16(type ?? (packet.first.map { $0 >> 4 } == 6 ? 0x86DD : 0x0800))
        return octets + packet
    }

    /// Returns the fragments of a packet made by `ip`, each with at most `size` octets (a multiple of 8) after its IP
    /// header.
    package static func fragments(of packet: [UInt8], size: Int) -> [[UInt8]] {
        let isIPv4 = packet[0] >> 4 == 4
        let payload = Array(packet[(isIPv4 ? 20 : 40)...])
        return stride(from: 0, to: payload.count, by: size).map { position in
            let part = Array(payload[position..<min(position + size, payload.count)])
            let more = position + size < payload.count
            if isIPv4 {
                var octets = Array(packet[..<20])
                octets.put16(20 + part.count, at: 2)
                octets.put16((more ? 0x2000 : 0) | position / 8, at: 6)
                octets.put16(0, at: 10)
                octets.put16(checksum(octets), at: 10)
                return octets + part
            }
            var octets = Array(packet[..<40])
            octets.put16(8 + part.count, at: 4)
            octets[6] = 44
            octets += [packet[6], 0]
            octets.append16(position | (more ? 1 : 0))
            octets.append32(0x1234_5678)
            return octets + part
        }
    }

    /// Returns the octets of an address in network order.
    package static func address(_ address: IPAddress) -> [UInt8] {
        var octets: [UInt8] = []
        if !address.isIPv4 {
            octets.append32(UInt32(truncatingIfNeeded: address.high >> 32))
            octets.append32(UInt32(truncatingIfNeeded: address.high))
            octets.append32(UInt32(truncatingIfNeeded: address.low >> 32))
        }
        octets.append32(UInt32(truncatingIfNeeded: address.low))
        return octets
    }

    /// Returns the Internet checksum (RFC 1071) of the octets, with 0 as the checksum itself.
    package static func checksum(_ octets: [UInt8]) -> Int {
        var sum = 0
        for (index, octet) in octets.enumerated() {
            sum += index.isMultiple(of: 2) ? Int(octet) << 8 : Int(octet)
            if sum > 0xFFFF { sum -= 0xFFFF }
        }
        return 0xFFFF - sum
    }

    private static func pseudoHeader(
        _ number: UInt8,
        _ length: Int,
        _ source: IPAddress,
        _ destination: IPAddress
    ) -> [UInt8] {
        var octets = address(source) + address(destination)
        octets.append32(UInt32(length))
        octets.append32(UInt32(number))
        return octets
    }
}
