import WeirPackets

/// Which of the latest numbers of a stream error correction protects, and which are its own packets, where it travels under the
/// numbers of the media (RFC 5109 §14.2): a missing number that nothing protects may be its own.
package struct CorrectionCover: Sendable, Hashable {
    /// How many of the latest numbers are remembered: a power of two, as many as the sequence tracker knows.
    private static let history = SequenceTracker.history
    /// How many numbers on either side of a missing one show whether media is protected there.
    private static let around: UInt16 = 16

    /// What was seen of a number, at the place of its lowest bits; 0 for nothing.
    private var protected: [UInt32] = []
    private var own: [UInt32] = []

    /// Whether error correction travels under the numbers of the media.
    var isEmpty: Bool { own.isEmpty }

    /// Takes note of a packet of error correction, and of what it protects.
    mutating func note(own number: UInt16, protects numbers: [UInt16]) {
        if own.isEmpty {
            own = [UInt32](repeating: 0, count: Self.history)
            protected = own
        }
        Self.mark(number, &own)
        for number in numbers { Self.mark(number, &protected) }
    }

    /// Whether a missing number may be that of a packet of error correction: none protects it, though most of the media
    /// around it is protected.
    func mayBeOwn(_ number: UInt16, _ sequence: SequenceTracker) -> Bool {
        guard !isEmpty, !Self.has(number, protected) else { return false }
        var (covered, bare) = (0, 0)
        for step in 1...Self.around {
            for neighbour in [number &- step, number &+ step]
            where sequence.holds(neighbour) && !Self.has(neighbour, own) {
                if Self.has(neighbour, protected) { covered &+= 1 } else { bare &+= 1 }
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
