internal import WeirPackets

/// Something that a middlebox between the places changed.
package struct MiddleboxChange: Sendable, Hashable {
    /// What was changed.
    package enum Kind: String, Sendable {
        case source, destination, hopLimit, trafficClass, maximumSegmentSize, windowScale, selectiveAcknowledgment
        case timestamps, sequenceNumbers, segments, payload
    }

    /// What was changed.
    package var kind: Kind
    /// The value in each capture.
    package var a: String
    package var b: String
    /// The packets concerned, if counted.
    package var packets: Int?

    /// Whether it is more than every router does.
    package var isUnusual: Bool { kind != .hopLimit }
}

/// Finds what differs in the headers of matched packets.
enum MiddleboxChanges {
    /// Returns the changes of a uniflow.
    static func of(_ path: UniflowPath, _ matching: CopyMatching, _ a: PacketTrace, _ b: PacketTrace)
        -> [MiddleboxChange]
    {
        var changes: [MiddleboxChange] = []
        func note(_ kind: MiddleboxChange.Kind, _ one: String, _ other: String, packets: Int? = nil) {
            if one != other || packets != nil {
                changes.append(MiddleboxChange(kind: kind, a: one, b: other, packets: packets))
            }
        }
        note(.source, path.a.source.description, path.b.source.description)
        note(.destination, path.a.destination.description, path.b.destination.description)
        let (first, second) = (a.uniflows[path.uniflow.a], b.uniflows[path.uniflow.b])
        for (kind, value) in [
            (MiddleboxChange.Kind.hopLimit, { (packet: TracedPacket) in Int(packet.hopLimit) }),
            (.trafficClass, { (packet: TracedPacket) in Int(packet.trafficClass) }),
        ] {
            guard
                let (one, other, count) = usual(
                    matching.pairs.map { (value(first.packets[$0.a]), value(second.packets[$0.b])) })
            else { continue }
            note(kind, "\(one)", "\(other)", packets: count)
        }
        if let one = first.opening, let other = second.opening {
            note(.maximumSegmentSize, "\(one.maximumSegmentSize)", "\(other.maximumSegmentSize)")
            note(.windowScale, one.windowScale.map { "\($0)" } ?? "-", other.windowScale.map { "\($0)" } ?? "-")
            note(
                .selectiveAcknowledgment, "\(one.permitsSelectiveAcknowledgment)",
                "\(other.permitsSelectiveAcknowledgment)")
            note(.timestamps, "\(one.hasTimestamps)", "\(other.hasTimestamps)")
        }
        if path.uniflow.shift != 0 { note(.sequenceNumbers, "0", "\(Int32(bitPattern: path.uniflow.shift))") }
        if path.resegmented > 0 {
            note(
                .segments, "\(first.packets.map(\.length).max() ?? 0)", "\(second.packets.map(\.length).max() ?? 0)",
                packets: path.resegmented)
        }
        if path.changedPayloads > 0, let frames = path.firstChanged {
            note(.payload, "#\(frames.a)", "#\(frames.b)", packets: path.changedPayloads)
        }
        return changes
    }

    /// Returns the most frequent pair of different values, and the number of packets in which values differ.
    private static func usual(_ values: [(Int, Int)]) -> (Int, Int, Int)? {
        var counts: [SIMD2<Int>: Int] = [:]
        for (one, other) in values where one != other { counts[SIMD2(one, other), default: 0] += 1 }
        guard let most = counts.max(by: { ($0.value, $1.key.x, $1.key.y) < ($1.value, $0.key.x, $0.key.y) }) else {
            return nil
        }
        return (most.key.x, most.key.y, counts.values.reduce(0, +))
    }
}
