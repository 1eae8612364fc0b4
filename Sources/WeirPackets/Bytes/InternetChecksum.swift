/// The Internet checksum (RFC 1071), summed in the byte order of the host. That only swaps the octets of the result,
/// which does not affect `isValid`.
struct InternetChecksum {
    private var sum: UInt64 = 0

    /// Creates an empty sum.
    @inline(__always)
    init() {}

    /// Creates a sum of 32-bit words in network byte order, to which nothing is added in another order.
    @inline(__always)
    init(_ sum: UInt64) {
        self.sum = sum
    }

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
    /// The unaligned loads are sound: none starts when fewer octets are left than it takes. 128 bits at a time take the
    /// fewest instructions: a carry out of them has the value 1, as in any ones' complement sum.
    mutating func add(_ bytes: RawSpan) {
        let count = bytes.byteCount
        var total: UInt128 = 0
        // Two counters, since the optimizer would otherwise add the carries to each other first.
        var (even, odd): (UInt64, UInt64) = (0, 0)
        var offset = 0
        while offset &+ 64 <= count {
            Self.add(bytes, at: offset, &total, &even)
            Self.add(bytes, at: offset &+ 16, &total, &odd)
            Self.add(bytes, at: offset &+ 32, &total, &even)
            Self.add(bytes, at: offset &+ 48, &total, &odd)
            offset &+= 64
        }
        while offset &+ 16 <= count {
            Self.add(bytes, at: offset, &total, &even)
            offset &+= 16
        }
        sum &+= even &+ odd
        add(folding: UInt64(truncatingIfNeeded: total))
        add(folding: UInt64(truncatingIfNeeded: total >> 64))
        if offset &+ 8 <= count {
            add(folding: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
            offset &+= 8
        }
        if offset &+ 4 <= count {
            sum &+= UInt64(unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
            offset &+= 4
        }
        if offset &+ 2 <= count {
            sum &+= UInt64(unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt16.self))
            offset &+= 2
        }
        if let last = bytes.byte(at: offset) {
            sum &+= UInt64((UInt16(last) << 8).bigEndian)
        }
    }

    /// Adds 16 octets to a total, and the carry to a counter.
    @inline(__always)
    private static func add(_ bytes: RawSpan, at offset: Int, _ total: inout UInt128, _ carries: inout UInt64) {
        let next = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt128.self)
        let (sum, overflow) = total.addingReportingOverflow(next)
        total = sum
        carries &+= overflow ? 1 : 0
    }

    /// Adds the two halves of a word.
    @inline(__always)
    private mutating func add(folding word: UInt64) {
        sum &+= (word >> 32) &+ (word & 0xFFFF_FFFF)
    }

    /// Whether the sum, including the checksum field, is all ones.
    var isValid: Bool { folded == 0xFFFF }

    /// The sum folded to 16 bits, in host byte order.
    @inline(__always)
    var folded: UInt16 {
        var value = (sum >> 32) &+ (sum & 0xFFFF_FFFF)
        value = (value >> 32) &+ (value & 0xFFFF_FFFF)
        value = (value >> 16) &+ (value & 0xFFFF)
        value = (value >> 16) &+ (value & 0xFFFF)
        value = (value >> 16) &+ (value & 0xFFFF)
        return UInt16(truncatingIfNeeded: value)
    }
}
