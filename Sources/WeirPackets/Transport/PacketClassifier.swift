/// What happens to every packet before anybody looks at its payload: it is decoded, its flow is found, whether the
/// capture holds it twice is judged, and it is counted. One value, so that a packet goes through all of it in one access.
package struct PacketClassifier: Sendable {
    /// The open flows.
    package var table: FlowTable
    /// Takes frames apart; `unit` is the segment or datagram of the latest packet.
    package private(set) var decoder: PacketDecoder
    private var duplicates = CaptureDuplicates()
    /// The flow of the latest packet.
    package private(set) var lookup = FlowTable.Lookup(
        index: 0, direction: .clientToServer, isNew: false, ended: nil, endReason: .idle,
        latest: Timestamp(nanoseconds: 0))
    /// Which way most packets of that flow take.
    package private(set) var path = FlowPath()
    /// Whether the capture holds the latest packet again: then it is not counted with its flow.
    package private(set) var isCaptureDuplicate = false
    /// Packets that the capture holds again.
    package private(set) var captureDuplicates = 0
    /// Segments and datagrams whose checksum does not fit.
    package private(set) var checksumErrors = 0

    /// Creates a classifier that has seen nothing.
    package init(limits: Limits, verifyChecksums: Bool) {
        table = FlowTable(limits: limits)
        decoder = PacketDecoder(limits: limits, verifyChecksums: verifyChecksums)
    }

    /// Takes a frame; false when it holds neither a segment nor a datagram, and `decoder.answer` says what.
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
