import WeirPackets

/// Tracks which recent sequence numbers of a stream are protected by FEC, and which belong to FEC packets that share
/// the sequence numbers of the media (RFC 5109 §14.2): an unprotected missing number may belong to an FEC packet.
package struct CorrectionCover: Sendable, Hashable {
    /// Number of recent sequence numbers tracked: a power of two, as in the sequence tracker.
    private static let history = SequenceTracker.history
    /// Sequence numbers examined on either side of a missing one to decide whether media is protected there.
    private static let around: UInt16 = 16

    /// The state per sequence number, indexed by its lowest bits; 0 for none.
    private var protected: [UInt32] = []
    private var own: [UInt32] = []

    /// Whether no FEC packet shares the sequence numbers of the media.
    var isEmpty: Bool { own.isEmpty }

    /// Records an FEC packet and the sequence numbers it protects.
    mutating func note(own number: UInt16, protects numbers: [UInt16]) {
        if own.isEmpty {
            own = [UInt32](repeating: 0, count: Self.history)
            protected = own
        }
        Self.mark(number, &own)
        for number in numbers { Self.mark(number, &protected) }
    }

    /// Returns whether a missing number may belong to an FEC packet: it is unprotected, though most media around it is
    /// protected.
    func mayBeOwn(_ number: UInt16, _ sequence: SequenceTracker) -> Bool {
        guard !isEmpty, !Self.has(number, protected) else { return false }
        var (covered, bare) = (0, 0)
        for step in 1...Self.around {
            for neighbor in [number &- step, number &+ step]
            where sequence.holds(neighbor) && !Self.has(neighbor, own) {
                if Self.has(neighbor, protected) { covered &+= 1 } else { bare &+= 1 }
            }
        }
        return covered > bare
    }

    private static func place(_ number: UInt16) -> Int { Int(number) & (history - 1) }

    private static func mark(_ number: UInt16, _ marks: inout [UInt32]) {
        let place = place(number)
        if marks.indices.contains(place) { marks[place] = UInt32(number) &+ 1 }
    }

    private static func has(_ number: UInt16, _ marks: [UInt32]) -> Bool {
        let place = place(number)
        return marks.indices.contains(place) && marks[place] == UInt32(number) &+ 1
    }
}
