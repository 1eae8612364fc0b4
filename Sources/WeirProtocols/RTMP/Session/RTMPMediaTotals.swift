import WeirPackets

/// Media of one side: the number of messages and their times.
struct RTMPMediaTotals {
    var messages = 0
    var first = Timestamp(nanoseconds: 0)
    var last = Timestamp(nanoseconds: 0)
    var firstKeyframe: Timestamp?
    /// Seconds between the end of a stream and the next media.
    private var idle = 0.0
    private var hasStopped = false
    /// Seconds of media.
    var seconds: Double { max(0, last.seconds(since: first) - idle) }

    mutating func count(_ changes: RTMPTrack.Changes, _ time: Timestamp) {
        if messages == 0 { first = time }
        if hasStopped { goOn(time) }
        messages &+= 1
        last = time
        if firstKeyframe == nil, changes.contains(.keyframe) { firstKeyframe = time }
    }

    /// Records that a stream was ended by a command.
    mutating func stop() { hasStopped = messages > 0 }

    @inline(never)
    private mutating func goOn(_ time: Timestamp) {
        idle += max(0, time.seconds(since: last))
        hasStopped = false
    }
}
