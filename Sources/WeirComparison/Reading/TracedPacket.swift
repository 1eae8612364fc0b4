package import WeirPackets

/// What is stored of a packet to find it in another capture.
package struct TracedPacket: Sendable {
    /// What the identity of a packet consists of.
    package enum Kind: UInt8, Sendable {
        /// An RTP packet: SSRC, sequence number, timestamp.
        case rtp
        /// Another datagram: its length and first octets.
        case datagram
        /// A TCP segment with data, SYN, FIN or RST: its sequence number and length.
        case segment
        /// A TCP segment that only acknowledges.
        case acknowledgment
    }

    /// The capture time, in nanoseconds since 1970.
    package var time: Int64
    /// The identity: equal for copies of a packet at different places, and for its retransmissions.
    package var key: UInt64
    /// A hash of the captured payload, or for TCP of its first octets.
    package var content: UInt64
    /// The RTP source; 0 for others.
    package var source: UInt32 = 0
    /// The RTP or TCP sequence number.
    package var sequence: UInt32 = 0
    /// TSval of a segment; 0 without.
    package var timestamp: UInt32 = 0
    /// Payload octets on the wire.
    package var length: UInt32 = 0
    /// The frame number.
    package var frame: Int32
    /// The IPv4 identification; 0 without.
    package var identification: UInt16 = 0
    /// The hash of the place in the capture at which it was taken, to recognize capture duplicates.
    package var origin: UInt32 = 0
    /// What identifies it.
    package var kind: Kind
    /// The time to live, or hop limit.
    package var hopLimit: UInt8 = 0
    /// The type of service, or traffic class.
    package var trafficClass: UInt8 = 0
    /// The TCP control bits.
    package var flags: TCPFlags = []
    /// Whether a part of the payload was not captured.
    package var isCut = false

    /// Whether another packet may be the same transmission: retransmissions and duplicates differ in these fields
    /// unless the sender leaves them empty.
    package func isSameCopy(as other: Self) -> Bool {
        identification == other.identification && timestamp == other.timestamp
    }

    /// Whether it can be looked for in another capture.
    package var isComparable: Bool {
        kind != .acknowledgment && (length > 0 || !flags.isDisjoint(with: [.syn, .fin, .rst]))
    }
    /// The sequence number after its data.
    package var end: UInt32 { sequence &+ length }
}

/// Octet hashes, which only have to differ for different packets of one comparison.
enum ContentHash {
    private static let prime: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Mixes a number into a hash.
    @inline(__always)
    static func add(_ value: UInt64, to hash: UInt64) -> UInt64 {
        let product = (hash ^ value).multipliedFullWidth(by: prime)
        return product.high ^ product.low &+ 0x2545_F491_4F6C_DD1D
    }

    /// Returns the hash of the octets of a range, as far as the span contains it.
    static func of(_ bytes: RawSpan, _ range: Range<Int>) -> UInt64 {
        var hash = prime
        var offset = range.lowerBound
        while offset &+ 8 <= range.upperBound, let word = bytes.uint64(at: offset) {
            hash = add(word, to: hash)
            offset &+= 8
        }
        while offset < range.upperBound, let octet = bytes.byte(at: offset) {
            hash = add(UInt64(octet) | 0x100, to: hash)
            offset &+= 1
        }
        return hash
    }
}
