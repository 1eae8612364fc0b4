import WeirEngine
import WeirPackets

/// Unannounced sources with a single packet so far. A stream requires a second one that follows the first (RFC 3550
/// §A.1, MIN_SEQUENTIAL); otherwise it may be octets that look like a header, or a packet that opens a port in a
/// firewall.
struct SourceProbation {
    /// The allowed distance between the sequence numbers of two packets of one source, for loss and reordering.
    private static let nearby: ClosedRange<Int16> = -16...64

    /// A first packet.
    struct Packet {
        let header: RTPHeader
        let place: EventContext
    }

    private var packets: [Packet] = []

    /// Discards the first packet of a source after an unparsable one: the next packet counts as the first.
    mutating func forget(_ ssrc: UInt32, _ direction: Direction) {
        packets.removeAll { $0.header.ssrc == ssrc && $0.place.direction == direction }
    }

    /// Processes a packet of a source without a stream; returns the previous one if the two make a stream. Beyond
    /// `most` sources the oldest is discarded.
    mutating func take(_ header: RTPHeader, _ place: EventContext, most: Int) -> Packet? {
        let known = packets.firstIndex { $0.header.ssrc == header.ssrc && $0.place.direction == place.direction }
        if let known {
            let first = packets.remove(at: known)
            let step = Int16(bitPattern: header.sequenceNumber &- first.header.sequenceNumber)
            if step != 0, Self.nearby.contains(step) { return first }
        }
        if packets.count >= max(1, most) { packets.removeFirst() }
        packets.append(Packet(header: header, place: place))
        return nil
    }
}
