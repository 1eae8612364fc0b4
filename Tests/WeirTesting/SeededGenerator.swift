/// A seeded random number generator (SplitMix64), identical in every run.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Creates the sequence of `seed`.
    package init(_ seed: UInt64) {
        state = seed
    }

    /// Returns the next 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Returns `count` random octets.
    package mutating func octets(_ count: Int) -> [UInt8] {
        var word: UInt64 = 0
        return (0..<count).map { index in
            word = index % 8 == 0 ? next() : word >> 8
            return UInt8(truncatingIfNeeded: word)
        }
    }

    /// Returns true with a probability of 1 in `of`.
    package mutating func chance(_ of: Int) -> Bool { next() % UInt64(of) == 0 }
}
