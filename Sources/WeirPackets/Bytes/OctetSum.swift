/// The sum of the octets of an Ethernet frame, and the last of them. With these, the checksum of its packet is verified,
/// and its fingerprint computed, without reading a payload that is in the cache of another processor.
package struct OctetSum: Hashable, Sendable, BitwiseCopyable {
    /// The sum of the octets after the Ethernet header, as 16-bit words in the byte order of the host (RFC 1071). Not folded
    /// to 16 bits, so that it is 0 only if all octets are; 0 also if it is not known.
    let sum: UInt32
    /// The last eight octets, in host byte order.
    let last: UInt64

    /// The length of an Ethernet header without a tag.
    private static let headerLength = 14

    /// Computes the sum of an Ethernet frame, or returns nil if it has fewer than eight octets after its header.
    package init?(_ frame: RawSpan) {
        guard frame.byteCount >= Self.headerLength &+ 8 else { return nil }
        var sum = InternetChecksum()
        sum.add(frame.extracting(Self.headerLength..<frame.byteCount))
        self.init(sum: sum.folded, last: frame.loadHost(UInt64.self, at: frame.byteCount &- 8))
    }

    private init(sum: UInt32, last: UInt64) {
        self.sum = sum
        self.last = last
    }

    /// Whether it is known.
    package var isKnown: Bool { sum != 0 }

    /// A sum that is not known.
    static var unknown: OctetSum { OctetSum(sum: 0, last: 0) }
}
