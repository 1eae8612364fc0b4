/// An IPv4 or IPv6 address, stored inline without allocation.
public struct IPAddress: Hashable, Sendable {
    /// The first eight octets, most significant first; 0 for IPv4.
    public let high: UInt64
    /// The last eight octets; for IPv4, the address is in the lowest 32 bits.
    public let low: UInt64
    /// Whether it is an IPv4 address.
    public let isIPv4: Bool

    /// Creates an IPv4 address from 32 bits in host byte order: `0xC000_0201` is 192.0.2.1.
    @inline(__always)
    public init(ipv4 bits: UInt32) {
        high = 0
        low = UInt64(bits)
        isIPv4 = true
    }

    /// Creates an IPv6 address from its two halves in host byte order.
    @inline(__always)
    public init(ipv6High high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
        isIPv4 = false
    }

    /// Hashes the address: one of IPv4 in a single number.
    public func hash(into hasher: inout Hasher) {
        if !isIPv4 { hasher.combine(high) }
        hasher.combine(low)
    }

    /// A hash of 64 bits that depends on a seed. Fast, and not cryptographic.
    package func hash(seed: UInt64) -> UInt64 {
        mix(mix(high ^ seed, low), isIPv4 ? 1 : 2)
    }

    /// Whether it is a multicast address (RFC 5771, RFC 4291 §2.7).
    public var isMulticast: Bool {
        isIPv4 ? (low >> 28) == 0xE : (high >> 56) == 0xFF
    }

    /// Whether it is the unspecified address.
    public var isUnspecified: Bool { high == 0 && low == 0 }

    /// Whether it is a private or unique local address (RFC 1918, RFC 4193).
    public var isPrivate: Bool {
        guard isIPv4 else { return high >> 57 == 0xFC >> 1 }
        return low >> 24 == 10 || low >> 20 == 0xAC1 || low >> 16 == 0xC0A8
    }
}
