import WeirPackets

/// The blocks of a redundant payload (RFC 2198): earlier payloads, then the primary one.
package struct RedundantPayload: Sendable, Hashable {
    /// A block of the payload.
    package struct Block: Sendable, Hashable {
        /// The payload type.
        package var type: UInt8
        /// Timestamp offset in ticks, subtracted from the packet's timestamp; 0 for the primary block.
        package var offset: UInt32
        /// Range of the data in the payload.
        package var data: Range<Int>
    }

    /// Maximum blocks parsed per packet.
    private static let most = 32

    /// The blocks in order; the primary one is last.
    package let blocks: [Block]

    /// Parses the block headers, or returns nil if they do not fit the payload.
    package init?(_ payload: RawSpan) {
        var heads: [(type: UInt8, offset: UInt32, length: Int)] = []
        var place = 0
        while true {
            guard let first = payload.byte(at: place), heads.count < Self.most else { return nil }
            guard first & 0x80 != 0 else {
                heads.append((first, 0, -1))
                place &+= 1
                break
            }
            guard let word = payload.uint32(at: place) else { return nil }
            heads.append((first & 0x7F, word >> 10 & 0x3FFF, Int(word & 0x3FF)))
            place &+= 4
        }
        var blocks: [Block] = []
        for head in heads {
            let end = head.length < 0 ? payload.byteCount : place &+ head.length
            guard end <= payload.byteCount, end >= place else { return nil }
            blocks.append(Block(type: head.type, offset: head.offset, data: place..<end))
            place = end
        }
        self.blocks = blocks
    }
}
