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
    /// The unaligned loads are sound: none starts when fewer octets are left than it takes. A carry out of 64 bits has
    /// the value 1, as in any ones' complement sum; in a loop of exactly this form the optimizer keeps it in the carry
    /// flag from one word to the next, which takes two thirds of the instructions of wider sums.
    mutating func add(_ bytes: RawSpan) {
        let count = bytes.byteCount
        var (total, carries): (UInt64, UInt64) = (0, 0)
        var offset = 0
        while offset &+ 256 <= count {
            var carry: UInt64 = 0
            for part in 0..<4 { Self.add(bytes, at: offset &+ part &* 64, to: &total, &carry) }
            carries &+= carry
            offset &+= 256
        }
        while offset &+ 64 <= count {
            var carry: UInt64 = 0
            Self.add(bytes, at: offset, to: &total, &carry)
            carries &+= carry
            offset &+= 64
        }
        while offset &+ 8 <= count {
            let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
            let (partial, overflow) = total.addingReportingOverflow(word)
            total = partial
            carries &+= overflow ? 1 : 0
            offset &+= 8
        }
        var rest: UInt64 = 0
        if offset &+ 4 <= count {
            rest &+= UInt64(unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
            offset &+= 4
        }
        if offset &+ 2 <= count {
            rest &+= UInt64(unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt16.self))
            offset &+= 2
        }
        if let last = bytes.byte(at: offset) {
            rest &+= UInt64((UInt16(last) << 8).bigEndian)
        }
        sum &+= (total >> 32) &+ (total & 0xFFFF_FFFF) &+ carries &+ rest
    }

    /// Adds 64 octets, which are available, and the carry of those before them.
    @inline(__always)
    private static func add(_ bytes: RawSpan, at offset: Int, to total: inout UInt64, _ carry: inout UInt64) {
        for step in 0..<8 {
            let word = unsafe bytes.unsafeLoadUnaligned(
                fromUncheckedByteOffset: offset &+ step &* 8, as: UInt64.self)
            let (half, overflow) = total.addingReportingOverflow(word)
            let (sum, overflowAgain) = half.addingReportingOverflow(carry)
            total = sum
            carry = overflow || overflowAgain ? 1 : 0
        }
    }

    /// Adds a sum of octets.
    @inline(__always)
    mutating func add(sum other: UInt32) {
        sum &+= UInt64(other)
    }

    /// The sum in 32 bits, with the same remainder by 65,535.
    var folded: UInt32 {
        let once = (sum >> 32) &+ (sum & 0xFFFF_FFFF)
        return UInt32(truncatingIfNeeded: (once >> 32) &+ (once & 0xFFFF_FFFF))
    }

    /// Whether the sum, including the checksum field, is all ones: folding to 16 bits keeps the remainder by 65,535.
    var isValid: Bool { sum % 0xFFFF == 0 && sum != 0 }
}
