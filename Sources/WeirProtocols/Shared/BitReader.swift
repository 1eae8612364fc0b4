import WeirEngine
import WeirPackets

/// Reads bit fields, most significant bit first, never past the end.
package struct BitReader: ~Escapable {
    private let bytes: RawSpan
    private var position = 0
    private let end: Int

    /// Creates a reader at the first bit of `bytes`, limited to `bitCount` bits.
    @_lifetime(copy bytes)
    package init(_ bytes: RawSpan, bitCount: Int = .max) {
        self.bytes = bytes
        end = min(bitCount, bytes.byteCount.multipliedReportingOverflow(by: 8).partialValue)
    }

    /// Number of remaining bits.
    package var remaining: Int { end &- position }

    /// Returns the next `count` bits, at most 32, or nil if fewer remain.
    @_lifetime(self: copy self)
    package mutating func read(_ count: UInt8) -> UInt32? {
        guard count <= 32, Int(count) <= remaining else { return nil }
        guard count > 0 else { return 0 }
        let next = position &+ Int(count)
        var value: UInt64 = 0
        for offset in position >> 3...(next &- 1) >> 3 {
            guard let octet = bytes.byte(at: offset) else { return nil }
            value = value << 8 | UInt64(octet)
        }
        position = next
        let behind = UInt64(truncatingIfNeeded: (8 &- next & 7) & 7)
        return UInt32(truncatingIfNeeded: value >> behind & (1 << UInt64(count) &- 1))
    }

    /// Skips `count` bits; if fewer remain, moves to the end and returns false.
    @_lifetime(self: copy self)
    @discardableResult
    package mutating func skip(_ count: Int) -> Bool {
        guard 0...remaining ~= count else {
            position = end
            return false
        }
        position &+= count
        return true
    }

    /// Returns the next bit as a flag.
    @_lifetime(self: copy self)
    package mutating func flag() -> Bool? {
        read(1).map { $0 == 1 }
    }

    /// Returns an unsigned Exp-Golomb code, `ue(v)` of H.264 §9.1: n zeros, a one, n further bits; at most 31 zeros.
    @_lifetime(self: copy self)
    package mutating func unsignedExpGolomb() -> UInt32? {
        var zeros: UInt8 = 0
        while true {
            guard let bit = read(1) else { return nil }
            if bit == 1 { break }
            zeros &+= 1
            guard zeros < 32 else { return nil }
        }
        guard let suffix = read(zeros) else { return nil }
        return (1 << UInt32(zeros)) &- 1 &+ suffix
    }

    /// Returns a signed Exp-Golomb code, `se(v)` of H.264 §9.1.1: 0, 1, -1, 2, -2, ….
    @_lifetime(self: copy self)
    package mutating func signedExpGolomb() -> Int32? {
        guard let code = unsignedExpGolomb() else { return nil }
        let magnitude = Int32(truncatingIfNeeded: (UInt64(code) &+ 1) / 2)
        return code & 1 == 1 ? magnitude : 0 &- magnitude
    }
}
