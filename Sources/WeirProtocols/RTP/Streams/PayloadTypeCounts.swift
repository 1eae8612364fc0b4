/// The payload types of a stream, with their packets.
package struct PayloadTypeCounts: Sendable {
    /// Packets of a payload type.
    package typealias Count = (type: UInt8, packets: Int)

    /// The maximum number of payload types.
    private static let most = 16

    /// Packets per payload type with the sequence number of another packet, or far from all others.
    package private(set) var others: [Count] = []
    /// Changes of the payload type.
    package private(set) var changes = 0
    /// The packets before the last change.
    private var former: [Count] = []

    /// Whether the payload type has never changed.
    var isSingle: Bool { former.isEmpty }

    /// Whether a payload type is new, and can be counted.
    func isNew(_ type: UInt8) -> Bool { former.count < Self.most && !former.contains { $0.type == type } }

    /// Returns the packets per payload type, in order of first appearance, given those since the last change.
    func all(_ latest: Count) -> [Count] {
        var counts = former
        Self.add(latest, to: &counts)
        return counts
    }

    /// Records the end of a run of packets with one payload type.
    mutating func change(from run: Count) {
        changes &+= 1
        Self.add(run, to: &former)
    }

    /// Counts another packet.
    mutating func noteOther(_ type: UInt8) { Self.add((type, 1), to: &others) }

    private static func add(_ run: Count, to counts: inout [Count]) {
        if let index = counts.firstIndex(where: { $0.type == run.type }) {
            counts[index].packets &+= run.packets
        } else if counts.count < most {
            counts.append(run)
        }
    }
}
