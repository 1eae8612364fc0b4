import WeirPackets

/// What happens to every packet before anybody looks at its payload: it is decoded, its flow is found, and whether the
/// capture holds it twice is judged. One value, so that a packet goes through all of it in one access.
struct Intake {
    /// A TCP segment or UDP datagram, and where it belongs.
    struct Packet {
        let unit: TransportUnit
        let lookup: FlowTable.Lookup
        /// Whether the capture holds it again: then it is not counted.
        let isCaptureDuplicate: Bool
    }

    var table: FlowTable
    private var decoder: PacketDecoder
    private var duplicates = CaptureDuplicates()

    /// The datagram put together last.
    var reassembled: [UInt8] { decoder.reassembled }
    /// Fragmented datagrams that were given up because too many were incomplete.
    var evictedDatagrams: Int { Int(decoder.counters.evictedDatagrams) }
    /// What the last frame held, if it was no segment or datagram.
    var answer: Decoded { decoder.answer }

    init(_ options: AnalyzerOptions) {
        table = FlowTable(limits: options.limits)
        decoder = PacketDecoder(limits: options.limits, verifyChecksums: options.verifiesChecksums)
    }

    /// Takes a frame; nil when it holds neither a segment nor a datagram.
    mutating func take(_ frame: borrowing Frame) -> Packet? {
        guard decoder.finds(frame) else { return nil }
        let unit = decoder.unit
        let time = frame.info.time
        let lookup = table.find(
            source: unit.source, destination: unit.destination, context: unit.context,
            segment: unit.transport == .tcp ? unit.tcp : nil, time: time)
        let index = lookup.index
        let verdict = duplicates.judge(
            fingerprint: unit.fingerprint, origin: unit.linkOrigin, isIdentified: unit.identification != 0,
            flow: table[index].id, time: time, tally: &table[index].duplicates)
        if verdict != .captureDuplicate {
            table.count(index, lookup.direction, octets: unit.payload.count &+ unit.missingOctets)
        }
        return Packet(unit: unit, lookup: lookup, isCaptureDuplicate: verdict == .captureDuplicate)
    }
}
