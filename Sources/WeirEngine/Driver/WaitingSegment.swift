import WeirPackets

/// A segment with buffered bytes.
struct WaitingSegment {
    /// The stream position of its first byte.
    var start: Int
    /// The frame that contained it.
    let origin: Int
    /// The frame and time at which it became readable; later than `origin` if a gap before it was filled later.
    var frame: Int
    var time: Timestamp
}

/// The segments of the buffered bytes of one side, in order; mostly one, which has no list.
struct WaitingSegments {
    /// The maximum number stored per side; bytes of further segments are attributed to the last.
    private static let most = 256

    private var first: WaitingSegment?
    private var others: [WaitingSegment] = []

    /// All of them.
    var all: [WaitingSegment] { first.map { [$0] + others } ?? [] }

    /// Adds a segment to the buffered ones, whose bytes are consumed up to `consumed`.
    @inline(__always)
    mutating func join(_ segment: WaitingSegment, consumed: Int) {
        guard first == nil || segment.start <= consumed else { return append(segment, consumed: consumed) }
        // Everything before is consumed, as in a stream whose messages are read as they arrive.
        first = segment
        if !others.isEmpty { others = [] }
    }

    @inline(never)
    private mutating func append(_ segment: WaitingSegment, consumed: Int) {
        if let last = others.lastIndex(where: { $0.start <= consumed }) {
            first = others[last]
            others.removeSubrange(...last)
        }
        if others.count < Self.most - 1 {
            others.append(segment)
        } else {
            others[others.count - 1].frame = segment.frame
            others[others.count - 1].time = segment.time
        }
    }

    /// Removes all.
    @inline(__always)
    mutating func removeAll() {
        first = nil
        if !others.isEmpty { others = [] }
    }
}
