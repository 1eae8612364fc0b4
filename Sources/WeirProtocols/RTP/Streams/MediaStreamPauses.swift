import WeirPackets

// How long a stream says nothing, and how it goes on behind that.

extension MediaStream {
    /// The first packet since media was told to go on.
    @inline(never)
    mutating func goOn(_ header: RTPHeader, _ time: Timestamp, _ news: inout StreamChanges) {
        if turn.contains(.resumed) {
            news.insert(.resumed)
            content.transportStream?.lose()
        }
        if turn.contains(.pauseEnded) {
            stretches.finish(latestTimestamp, paused: time.nanoseconds &- max(pausedSince, endTime).nanoseconds)
            stretches.begin(header.timestamp)
            // Timestamps that are no picture's, and earlier than the first of the new stretch.
            recentTimestamps = SIMD8(repeating: header.timestamp &- 1)
            jitter?.begin(header.timestamp, at: time)
            slope.begin()
        }
        turn = []
    }

    /// A packet came later than most, or than all before it.
    @inline(never)
    mutating func observe(_ delta: Int64, _ news: inout StreamChanges) {
        let isSilence = isSilence(delta, before: packets &- 1)
        if delta > longestDelta { longestDelta = delta }
        usualDelta = min(longestDelta, Self.silenceNanoseconds)
        guard isSilence else { return }
        latestSilence = delta
        slope.begin()
        // The silence is told; that nothing of the transport stream came meanwhile is no fault of its own.
        content.transportStream?.lose()
        sequenceBeforeSilence = latestSequence
        news.insert(.silence)
    }

    /// Whether so many nanoseconds without a packet are more than the stream's own rhythm, which `count` packets tell;
    /// a pause among these does not count. Data has no rhythm.
    func isSilence(_ delta: Int64, before count: Int) -> Bool {
        guard delta > Self.silenceNanoseconds, count > Self.silenceDistances, formats[payloadType]?.hasRhythm ?? true
        else { return false }
        let usual = (endTime.nanoseconds &- startTime.nanoseconds &- longestDelta) / Int64(count &- 1)
        return delta / Int64(Self.silenceDistances) > usual
    }

    /// The mean time between packets, in seconds.
    var usualSeconds: Double {
        packets > 1 ? activeSeconds / Double(packets - 1) : 0
    }

    /// Whether nothing more coming until `time` is a silence.
    func isSilent(until time: Timestamp) -> Bool {
        isSilence(time.nanoseconds &- endTime.nanoseconds, before: packets)
    }
}
