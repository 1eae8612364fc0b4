/// The captured parts of a handshake, one of each kind, with where each was captured. A list, in which searching six is
/// faster than hashing.
struct RTMPHandshakeParts<Mark> {
    typealias Captured = (part: RTMPHandshakePart, mark: Mark)

    private var captured: [Captured] = []

    /// Whether no part was captured.
    var isEmpty: Bool { captured.isEmpty }

    /// Returns the part of a kind.
    subscript(_ packet: RTMPHandshakePart.Packet) -> Captured? {
        for index in captured.indices where captured[index].part.packet == packet { return captured[index] }
        return nil
    }

    /// Records a part, unless one of its kind was captured before.
    mutating func add(_ part: RTMPHandshakePart, _ mark: Mark) {
        guard self[part.packet] == nil else { return }
        if captured.isEmpty { captured.reserveCapacity(RTMPHandshakePart.Packet.allCases.count) }
        captured.append((part, mark))
    }
}
