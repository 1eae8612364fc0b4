/// Computes the sums of the records in consecutive blocks of a file, on the thread that reads them. A record that is in more
/// than one block has none.
package struct RecordSums: Sendable {
    /// The captured length above which what follows is not taken for a record.
    private let largest: Int
    /// The octets of the current record in the blocks that follow.
    private var ahead = 0
    /// The start of a record header of which the rest is in the next block.
    private var head: [UInt8] = []
    /// Whether a record had an impossible length, so that the start of the next one is unknown.
    private var isLost = false
    /// The least mean length of records for which memory is reserved, in octets.
    private static let usualLength = 512

    /// Creates sums of a file of Ethernet frames whose records have the usual layout, of which the first is next.
    package init(largest: Int) {
        self.largest = largest
    }

    /// Returns the sums of a block, by position.
    ///
    /// - Parameters:
    ///   - block: Its octets, which follow those of the block before.
    ///   - start: Their position in memory.
    package mutating func read(_ block: RawSpan, at start: Int) -> [RecordSum] {
        guard !isLost, joinHead(block) else { return [] }
        var sums: [RecordSum] = []
        sums.reserveCapacity(block.byteCount / Self.usualLength)
        var offset = ahead
        while offset &+ RecordBlock.headerLength <= block.byteCount {
            let octets = Int(block.loadHostUInt64s(at: offset).1 & 0xFFFF_FFFF)
            guard octets <= largest else {
                isLost = true
                return sums
            }
            let first = offset &+ RecordBlock.headerLength
            let end = first &+ octets
            if end <= block.byteCount, let octets = OctetSum(block.extracting(first..<end)) {
                sums.append(RecordSum(position: UInt32(truncatingIfNeeded: start &+ offset), octets: octets))
            }
            offset = end
        }
        ahead = max(0, offset &- block.byteCount)
        while offset < block.byteCount, let octet = block.byte(at: offset) {
            head.append(octet)
            offset &+= 1
        }
        return sums
    }

    /// Joins the start of a block to a record header that began before it; returns false if the header goes on.
    private mutating func joinHead(_ block: RawSpan) -> Bool {
        guard !head.isEmpty else { return true }
        let missing = RecordBlock.headerLength &- head.count
        head += block.clamped(0, missing).array()
        guard head.count == RecordBlock.headerLength else { return false }
        let octets = Int(head.rawSpan.loadHostUInt64s(at: 0).1 & 0xFFFF_FFFF)
        head = []
        ahead = missing &+ octets
        isLost = octets > largest
        return !isLost
    }
}
