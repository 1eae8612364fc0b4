import WeirPackets

/// A segment with buffered bytes.
struct WaitingSegment {
    /// The maximum number of segments stored per side; bytes of further segments are attributed to the last.
    static let most = 256

    /// The stream position of its first byte.
    var start: Int
    /// The frame that contained it.
    let origin: Int
    /// The frame and time at which it became readable; later than `origin` if a gap before it was filled later.
    var frame: Int
    var time: Timestamp

    /// Appends the segment to the buffered ones, whose bytes are consumed up to `consumed`. The list is modified in a
    /// single access, so that exclusivity is checked once.
    func join(_ waiting: inout [WaitingSegment], consumed: Int) {
        if start <= consumed, !waiting.isEmpty {
            // Everything before is consumed, as in a stream whose messages are read as they arrive.
            if waiting.count > 1 { waiting.removeSubrange(1...) }
            waiting[0] = self
            return
        }
        if waiting.count > 1, waiting[1].start <= consumed {
            waiting.removeFirst(waiting.lastIndex { $0.start <= consumed } ?? 0)
        }
        if waiting.count < Self.most {
            waiting.append(self)
        } else {
            waiting[waiting.count - 1].frame = frame
            waiting[waiting.count - 1].time = time
        }
    }
}
