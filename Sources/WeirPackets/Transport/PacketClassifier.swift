/// The processing of every packet before its payload is examined: decoding, flow lookup, detection of capture
/// duplicates, and counting. A single value, so that a packet takes one access.
package struct PacketClassifier: Sendable {
    /// The table of open flows.
    package var table: FlowTable
    /// Decodes frames; `unit` is the segment or datagram of the latest packet.
    package private(set) var decoder: PacketDecoder
    private var duplicates = CaptureDuplicates()
    private var cache = FlowCache()
    /// Whether the unit contains only what fast paths use of it.
    private var isPartial = false
    /// The number of a frame, and the sum of its octets, which is known before it is classified.
    package var sum: (frame: Int, octets: OctetSum) = (0, .unknown)
    /// The flow of the latest packet.
    package private(set) var lookup = FlowTable.Lookup(
        index: 0, direction: .clientToServer, isNew: false, ended: nil, endReason: .idle,
        latest: Timestamp(nanoseconds: 0))
    /// The processing path of that flow.
    package private(set) var path = FlowPath()
    /// Whether the latest packet is a capture duplicate, which is not counted with its flow.
    package private(set) var isCaptureDuplicate = false
    /// The number of capture duplicates.
    package private(set) var captureDuplicates = 0
    /// Segments and datagrams with an invalid checksum.
    package private(set) var checksumErrors = 0

    /// Creates a classifier without state.
    package init(limits: Limits, verifyChecksums: Bool) {
        table = FlowTable(limits: limits)
        decoder = PacketDecoder(limits: limits, verifyChecksums: verifyChecksums)
    }

    /// Classifies a frame, given its parts. Returns false if it contains neither a segment nor a datagram; see
    /// `decoder.answer`.
    package mutating func take(_ info: FrameInfo, _ bytes: RawSpan) -> Bool {
        if isRecognized(info, bytes) { return true }
        isPartial = false
        guard decoder.finds(info, bytes) else { return false }
        let time = info.time
        if decoder.unit.checksum == .invalid { checksumErrors &+= 1 }
        let known = table.known(
            from: decoder.unit.source, to: decoder.unit.destination, decoder.unit.transport,
            context: decoder.unit.context, decoder.unit.tcp.flags, at: time)
        if let known {
            lookup = FlowTable.Lookup(known.index, known.direction, latest: known.latest)
        } else {
            lookup = table.find(
                source: decoder.unit.source, destination: decoder.unit.destination, context: decoder.unit.context,
                segment: decoder.unit.transport == .tcp ? decoder.unit.tcp : nil, time: time)
            if lookup.isNew { table[lookup.index].protocols = decoder.unit.protocols }
        }
        let packet = Packet(
            fingerprint: decoder.unit.fingerprint, origin: decoder.unit.linkOrigin,
            isIdentified: decoder.unit.identification != 0, direction: lookup.direction,
            octets: decoder.unit.payload.count &+ decoder.unit.missingOctets, latest: lookup.latest, time: time)
        isCaptureDuplicate = Self.count(packet, in: &table[lookup.index], path: &path, duplicates: &duplicates)
        if isCaptureDuplicate { captureDuplicates &+= 1 }
        if known != nil, decoder.isStraight, path.kind == .fast || path.kind == .ignored { cache(info, bytes) }
        return true
    }

    /// Completes the unit of the latest frame if it is partial.
    package mutating func complete(_ frame: borrowing Frame) {
        guard isPartial else { return }
        isPartial = false
        _ = decoder.finds(frame)
    }

    /// Classifies a packet of a flow in the cache. Returns false if it is not in the cache or in any way unusual.
    @inline(__always)
    private mutating func isRecognized(_ info: FrameInfo, _ bytes: RawSpan) -> Bool {
        guard bytes.byteCount >= PacketDecoder.shortest, info.linkType == .ethernet else { return false }
        let hash = cache.hash(bytes, interface: info.interface)
        let entry = cache[hash]
        let (index, time) = (Int(entry.index), info.time)
        guard entry.hash == hash, bytes.loadUInt16(at: 12) == EtherType.ipv4,
            let latest = table.latest(of: index, id: entry.flow, at: time),
            let found = decoder.findsKnown(bytes, info, sum)
        else { return false }
        isPartial = true
        lookup = FlowTable.Lookup(index, entry.direction, latest: latest)
        let packet = Packet(
            fingerprint: found.fingerprint, origin: entry.origin, isIdentified: found.isIdentified,
            direction: entry.direction, octets: decoder.unit.payload.count, latest: latest, time: time)
        isCaptureDuplicate = Self.count(packet, in: &table[index], path: &path, duplicates: &duplicates)
        if isCaptureDuplicate { captureDuplicates &+= 1 }
        return true
    }

    /// Adds the headers of the latest frame to the cache, if it is IPv4 without a tag.
    private mutating func cache(_ info: FrameInfo, _ bytes: RawSpan) {
        guard bytes.loadUInt16(at: 12) == EtherType.ipv4 else { return }
        cache.insert(
            FlowCache.Entry(
                hash: cache.hash(bytes, interface: info.interface), flow: table[lookup.index].id,
                index: UInt32(truncatingIfNeeded: lookup.index), origin: decoder.unit.linkOrigin,
                direction: lookup.direction))
    }

    /// What counting needs of a packet.
    private struct Packet {
        let fingerprint: UInt64
        let origin: UInt32
        let isIdentified: Bool
        let direction: Direction
        let octets: Int
        let latest: Timestamp
        let time: Timestamp
    }

    /// Counts a packet with its flow, in one access; returns whether it is a capture duplicate.
    @inline(__always)
    private static func count(
        _ packet: Packet, in flow: inout Flow, path: inout FlowPath, duplicates: inout CaptureDuplicates
    ) -> Bool {
        path = flow.path
        flow.refresh(at: packet.time)
        let verdict = duplicates.judge(
            fingerprint: packet.fingerprint, origin: packet.origin, isIdentified: packet.isIdentified, flow: flow.id,
            latest: packet.latest, time: packet.time, tally: &flow.duplicates)
        guard verdict != .captureDuplicate else {
            flow.captureDuplicates &+= 1
            return true
        }
        flow.count(packet.direction, octets: packet.octets)
        return false
    }
}
