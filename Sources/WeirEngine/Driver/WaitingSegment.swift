import WeirPackets

/// A segment of which octets wait for more.
struct WaitingSegment {
    /// Most that are told apart of one side; what further ones bring counts to the last.
    static let most = 256

    /// Position in the stream of its first octet.
    var start: Int
    /// The frame that brought it.
    let origin: Int
    /// The frame and the time at which it could be read: later ones when a hole before it was filled later.
    var frame: Int
    var time: Timestamp

    /// Joins those that wait, whose octets are used up to `consumed`; the list is changed in one access, which is checked once.
    func join(_ waiting: inout [WaitingSegment], consumed: Int) {
        if start <= consumed, !waiting.isEmpty {
            // All before it is used, as in a stream whose messages are read as they come.
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
