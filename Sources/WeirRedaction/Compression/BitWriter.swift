/// Writes bits, the first into the lowest place of each octet (RFC 1951 §3.1.1).
struct BitWriter {
    private(set) var octets: [UInt8] = []
    /// The number of bits written.
    private(set) var count = 0

    /// Writes the lowest bits of a value, the lowest first.
    mutating func write(_ value: UInt32, _ bits: Int) {
        for bit in 0..<bits {
            if count & 7 == 0 { octets.append(0) }
            if value >> UInt32(bit) & 1 != 0 { octets[octets.count - 1] |= 1 << UInt8(count & 7) }
            count += 1
        }
    }

    /// Writes zeros up to the next octet.
    mutating func align() {
        if count & 7 != 0 { write(0, 8 - count & 7) }
    }
}
