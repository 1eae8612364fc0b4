/// A cache of headers: most packets have the addresses, ports and link header of an earlier packet of their flow, and are
/// recognized by a hash of these without building a key.
///
/// It contains whole datagrams and segments in IPv4 without options, in Ethernet without a tag (`decodeStraight`). The hash
/// has 64 bits and a random seed: other headers do not have the same by chance, nor can a capture be crafted for it. Of two
/// headers with the same place, the earlier one moves to the neighbor; if others are removed often, the cache grows.
struct FlowCache: Sendable {
    /// The flow of packets with certain headers, in half a cache line.
    struct Entry: Sendable {
        /// The hash of the headers; 0 in a free entry.
        var hash: UInt64 = 0
        /// The ID of the flow: another flow may take its place in the table.
        var flow = 0
        /// The index of the flow in the table.
        var index: UInt32 = 0
        /// The hash of where the packets were captured, as in `TransportUnit`.
        var origin: UInt32 = 0
        var direction = Direction.clientToServer
    }

    /// The sizes of a new cache and of the largest, in entries: powers of two.
    private static let sizes = (least: 512, most: 8_192)
    private var entries = [Entry](repeating: Entry(), count: sizes.least)
    /// The entries that were replaced since the cache grew.
    private var replaced = 0
    private let seed = UInt64.random(in: .min ... .max)

    /// Returns the hash of all that packets of one direction of a flow have in common, for a frame of at least 46 octets:
    /// the interface, the Ethernet header, and of an IPv4 header without options the type of service, the time to live,
    /// the protocol and the addresses (RFC 791 §3.1), then the ports.
    @inline(__always)
    func hash(_ bytes: RawSpan, interface: Int) -> UInt64 {
        let service = bytes.loadHost(UInt16.self, at: 14)
        let hops = bytes.loadHost(UInt16.self, at: 22)
        let rest =
            UInt64(bytes.loadHost(UInt32.self, at: 34)) << 32 | UInt64(service) << 16 | UInt64(hops)
        let link = fold(
            bytes.loadHost(UInt64.self, at: 0) ^ seed,
            bytes.loadHost(UInt64.self, at: 6) ^ UInt64(truncatingIfNeeded: interface) << 48 ^ 0x9E37_79B9_7F4A_7C15)
        return fold(link ^ bytes.loadHost(UInt64.self, at: 26), rest ^ seed ^ 0xC2B2_AE3D_27D4_EB4F) | 1
    }

    /// Returns the entry of a hash, or another one.
    @inline(__always)
    subscript(hash: UInt64) -> Entry {
        let place = place(of: hash)
        return entries[place].hash == hash ? entries[place] : entries[place ^ 1]
    }

    /// Returns the place of a hash, of which the lowest bit is always set.
    @inline(__always)
    private func place(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash >> 1) & (entries.count &- 1)
    }

    /// Adds an entry. The one at its place moves to the neighbor, whose entry is removed.
    mutating func insert(_ entry: Entry) {
        if replaced > entries.count / 2, entries.count < Self.sizes.most { grow() }
        let place = place(of: entry.hash)
        let former = entries[place]
        entries[place] = entry
        guard former.hash != 0, former.hash != entry.hash else { return }
        let removed = entries[place ^ 1]
        entries[place ^ 1] = former
        if removed.hash != 0, removed.flow != entry.flow { replaced &+= 1 }
    }

    private mutating func grow() {
        let old = entries
        entries = [Entry](repeating: Entry(), count: old.count * 4)
        for entry in old where entry.hash != 0 { entries[place(of: entry.hash)] = entry }
        replaced = 0
    }
}

extension PacketDecoder {
    /// Decodes a datagram or segment with headers that `decodeStraight` decoded before. Fills only those members of
    /// the unit that fast paths use: the payload and the TCP header; `finds` fills all.
    ///
    /// - Parameter sum: The number of a frame, and the sum of its octets.
    /// - Returns: The fingerprint of the packet and whether it has an IPv4 identification, or nil if `finds` has to decode
    ///   the frame: its lengths, its fragmentation or a checksum are not as usual.
    @inline(__always)
    mutating func findsKnown(
        _ bytes: RawSpan, _ info: FrameInfo, _ sum: (frame: Int, octets: OctetSum)
    ) -> (fingerprint: UInt64, isIdentified: Bool)? {
        var at = Descent(straight: info)
        at.offset = 14
        let number = straightIPv4(bytes, &at)
        guard number != 0, at.available >= 8 else { return nil }
        let fingerprint: UInt64
        if number == IPProtocol.udp {
            let length = Int(bytes.loadUInt16(at: 38))
            guard length >= 8, length <= at.available else { return nil }
            (at.end, at.wireEnd) = (at.offset &+ length, at.offset &+ length)
            let octets = bytes.extracting(at.offset..<at.end)
            let sum = sum.frame == info.number && at.end == bytes.byteCount ? sum.octets : .unknown
            guard octets.loadUInt16(at: 6) == 0 || checksum(number, octets, at, sum) != .invalid else { return nil }
            fingerprint = self.fingerprint(ofDatagram: octets, at, sum)
            unit.payload = at.offset &+ 8..<at.end
        } else {
            guard at.available >= 20 else { return nil }
            let octets = bytes.extracting(at.offset..<at.end)
            let sum = sum.frame == info.number && at.end == bytes.byteCount ? sum.octets : .unknown
            let headerLength = Int(octets.loadUInt32(at: 12) >> 28) &* 4
            guard headerLength >= 20, headerLength <= octets.byteCount,
                checksum(number, octets, at, sum) != .invalid
            else { return nil }
            let segment = TCPSegment(octets, headerLength: headerLength)
            guard !segment.flags.contains(.syn) else { return nil }
            fingerprint = self.fingerprint(of: segment, octets, at, sum)
            unit.tcp = segment
            unit.payload = at.offset &+ headerLength..<at.end
        }
        unit.missingOctets = 0
        unit.fragments = 0
        return (fingerprint, at.identification != 0)
    }
}
