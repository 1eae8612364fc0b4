import WeirPackets

/// Loads what the next frames need into the processor's cache.
struct LookAhead {
    /// The number of the last frame that was looked up.
    private(set) var last = 0
    /// The fast path of datagrams with so many streams that they are not in the cache, and its number.
    var streams: (number: UInt8, path: any FastPath)?
    /// The sum of what was loaded, without which the compiler would omit it.
    private var sum = 0

    /// The number of streams that are not in the cache.
    static let manyStreams: Int32 = 64
    /// The number of frames that are looked up at once.
    private static let frames = 8

    /// Loads the headers of the frames after one, and their flows and streams if there are many. Each step is done for all
    /// frames: the processor would wait for one as long as for all.
    @inline(never)
    mutating func load(after number: Int, _ block: borrowing RecordBlock, _ packets: inout PacketClassifier) {
        let count = min(block.ahead, Self.frames)
        last = number &+ count
        var headers: UInt64 = 0
        for index in 0..<count { headers &+= block.prefetched(ahead: index) }
        sum &+= Int(truncatingIfNeeded: headers)
        guard let streams else { return }
        var flows = SIMD8<Int32>(repeating: -1)
        for index in 0..<count {
            guard let (flow, direction) = packets.flow(ahead: block.frame(ahead: index)) else { continue }
            flows[index] = Int32(truncatingIfNeeded: flow << 1) | Int32(direction.rawValue)
        }
        sum &+= streams.path.prefetch(Self.slots(of: flows, streams.number, packets.table))
    }

    /// Returns the slots in the fast path with a number of flows that are given by their index and direction.
    @inline(__always)
    private static func slots(of flows: SIMD8<Int32>, _ number: UInt8, _ table: borrowing FlowTable) -> SIMD8<Int32> {
        var slots = SIMD8<Int32>(repeating: -1)
        for index in flows.indices where flows[index] >= 0 {
            guard let path = table.path(Int(flows[index] >> 1)), path.kind == .fast, path.connection < 0,
                path.number == number
            else { continue }
            slots[index] = path[flows[index] & 1 == 0 ? .clientToServer : .serverToClient]
        }
        return slots
    }
}
