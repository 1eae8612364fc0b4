/// The processing of every packet before its payload is examined: decoding, flow lookup, detection of capture
/// duplicates, and counting. A single value, so that a packet takes one access.
package struct PacketClassifier: Sendable {
    /// The table of open flows.
    package var table: FlowTable
    /// Decodes frames; `unit` is the segment or datagram of the latest packet.
    package private(set) var decoder: PacketDecoder
    private var duplicates = CaptureDuplicates()
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

    /// Classifies a frame. Returns false if it contains neither a segment nor a datagram; see `decoder.answer`.
    package mutating func take(_ frame: borrowing Frame) -> Bool {
        guard decoder.finds(frame) else { return false }
        let time = frame.info.time
        if decoder.unit.checksum == .invalid { checksumErrors &+= 1 }
        lookup = table.find(
            source: decoder.unit.source, destination: decoder.unit.destination, context: decoder.unit.context,
            segment: decoder.unit.transport == .tcp ? decoder.unit.tcp : nil, time: time)
        let index = lookup.index
        if lookup.isNew { table[index].protocols = decoder.unit.protocols }
        path = table[index].path
        let verdict = duplicates.judge(
            fingerprint: decoder.unit.fingerprint, origin: decoder.unit.linkOrigin,
            isIdentified: decoder.unit.identification != 0, flow: table[index].id,
            latest: lookup.latest, time: time,
            tally: &table[index].duplicates)
        isCaptureDuplicate = verdict == .captureDuplicate
        if isCaptureDuplicate {
            captureDuplicates &+= 1
            table[index].captureDuplicates &+= 1
        } else {
            table.count(index, lookup.direction, octets: decoder.unit.payload.count &+ decoder.unit.missingOctets)
        }
        return true
    }
}
