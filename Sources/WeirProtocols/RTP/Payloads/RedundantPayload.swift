import WeirPackets

/// The blocks of a payload with redundancy (RFC 2198): earlier ones before its own.
package struct RedundantPayload: Sendable, Hashable {
    /// A block.
    package struct Block: Sendable, Hashable {
        /// Its payload type.
        package var type: UInt8
        /// How much earlier than the packet's its timestamp is, in ticks; 0 for the packet's own block.
        package var offset: UInt32
        /// Where its data is in the payload.
        package var data: Range<Int>
    }

    /// Most blocks that are read of a packet.
    private static let most = 32

    /// The blocks in order; the packet's own is the last one.
    package let blocks: [Block]

    /// Reads the headers of a payload; nil when they do not fit it.
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
