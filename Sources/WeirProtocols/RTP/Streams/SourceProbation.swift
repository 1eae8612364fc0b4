import WeirEngine
import WeirPackets

/// Sources that nobody announced, and of which one packet was seen: it takes a second one that follows the first to make a
/// stream (RFC 3550 §A.1, MIN_SEQUENTIAL). Others are octets that look like a header, or open a port in a firewall.
struct SourceProbation {
    /// How far apart the numbers of two packets of one source may be: some are lost, some overtaken.
    private static let nearby: ClosedRange<Int16> = -16...64

    /// A first packet.
    struct Packet {
        let header: RTPHeader
        let place: EventContext
    }

    private var packets: [Packet] = []

    /// A packet that cannot be read came behind the first one of a source: what follows is the first that is known.
    mutating func forget(_ ssrc: UInt32, _ direction: Direction) {
        packets.removeAll { $0.header.ssrc == ssrc && $0.place.direction == direction }
    }

    /// Takes a packet of a source that has no stream yet; gives the one before it if the two make one.
    /// Beyond `most` sources the oldest gives way.
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
