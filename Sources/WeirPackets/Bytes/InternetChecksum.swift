/// The Internet checksum (RFC 1071), summed in the byte order of the host. That only swaps the octets of the result,
/// which does not affect `isValid`.
struct InternetChecksum {
    private var sum: UInt64 = 0

    /// Creates an empty sum.
    @inline(__always)
    init() {}

    /// Adds a 32-bit value in host byte order, such as a part of a pseudo-header.
    @inline(__always)
    mutating func add(_ value: UInt32) {
        sum &+= UInt64(value.bigEndian)
    }

    /// Adds an address.
    @inline(__always)
    mutating func add(_ address: IPAddress) {
        add(UInt32(truncatingIfNeeded: address.low))
        guard !address.isIPv4 else { return }
        add(UInt32(truncatingIfNeeded: address.low >> 32))
        add(UInt32(truncatingIfNeeded: address.high))
        add(UInt32(truncatingIfNeeded: address.high >> 32))
    }

    /// Adds all octets; an odd last octet is padded with a zero.
    ///
    /// The unaligned loads are sound: the loop stops before fewer octets are left than a load takes. A sum of 32-bit
    /// words in 64 bits cannot overflow below 16 GiB, and no packet is that long.
    mutating func add(_ bytes: RawSpan) {
        let count = bytes.byteCount
        //  The sum of 64-bit words, which may overflow, and the sum of their upper halves determine the sum of the
        //  lower halves.
        var words = SIMD8<UInt64>(repeating: 0)
        var upper = SIMD8<UInt64>(repeating: 0)
        var offset = 0
        while offset &+ 64 <= count {
            let next = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD8<UInt64>.self)
            words &+= next
            upper &+= next &>> SIMD8(repeating: 32)
            offset &+= 64
        }
        let lower = words &- upper &<< SIMD8(repeating: 32)
        sum &+= lower.wrappedSum() &+ upper.wrappedSum()
        while offset &+ 4 <= count {
            sum &+= UInt64(unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
            offset &+= 4
        }
        while offset &+ 2 <= count {
            sum &+= UInt64(unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt16.self))
            offset &+= 2
        }
        if let last = bytes.byte(at: offset) {
            sum &+= UInt64((UInt16(last) << 8).bigEndian)
        }
    }

    /// Whether the sum, including the checksum field, is all ones.
    var isValid: Bool { folded == 0xFFFF }

    /// The sum folded to 16 bits, in host byte order.
    var folded: UInt16 {
        var value = (sum >> 32) &+ (sum & 0xFFFF_FFFF)
        value = (value >> 32) &+ (value & 0xFFFF_FFFF)
        value = (value >> 16) &+ (value & 0xFFFF)
        value = (value >> 16) &+ (value & 0xFFFF)
        value = (value >> 16) &+ (value & 0xFFFF)
        return UInt16(truncatingIfNeeded: value)
    }
}
