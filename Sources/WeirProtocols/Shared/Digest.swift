import WeirPackets

extension RawSpan {
    /// An FNV-1a hash, eight octets at a time. Equal hashes do not prove equal octets.
    var digest: UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        var offset = 0
        while let word = uint64(at: offset) {
            hash = (hash ^ word) &* 0x100_0000_01b3
            hash ^= hash >> 32
            offset &+= 8
        }
        while let octet = byte(at: offset) {
            hash = (hash ^ UInt64(octet)) &* 0x100_0000_01b3
            offset &+= 1
        }
        return hash
    }
}
