import WeirPackets

// Silences of a stream, and what follows them.

extension MediaStream {
    /// Processes the first packet since media was requested to continue.
    @inline(never)
    mutating func goOn(_ header: RTPHeader, _ time: Timestamp, _ news: inout StreamChanges) {
        if turn.contains(.resumed) {
            news.insert(.resumed)
            content.transportStream?.lose()
        }
        if turn.contains(.pauseEnded) {
            stretches.finish(latestTimestamp, paused: time.nanoseconds &- max(pausedSince, endTime).nanoseconds)
            stretches.begin(header.timestamp)
            // Placeholders earlier than the first timestamp of the new segment.
            recentTimestamps = SIMD8(repeating: header.timestamp &- 1)
            arrivals.begin(header.timestamp, at: time)
            slope.begin()
        }
        turn = []
    }

    /// Processes a packet that arrived after a longer interval than all before in the interval of the series, or after a
    /// possible silence.
    @inline(never)
    mutating func observe(_ delta: Int64, _ news: inout StreamChanges) {
        let isSilence = isSilence(delta, before: packets &- 1)
        if delta > longestDelta { longestDelta = delta }
        if delta > intervalDelta { intervalDelta = delta }
        usualDelta = min(intervalDelta, Self.silenceNanoseconds)
        guard isSilence else { return }
        silence.latest = delta
        slope.begin()
        // The silence is reported; the gap in the transport stream is not a separate fault.
        content.transportStream?.lose()
        silence.sequenceBefore = latestSequence
        news.insert(.silence)
    }

    /// Returns whether an interval without packets is longer than the rhythm of the first `count` packets explains,
    /// pauses excluded. Data has no rhythm.
    func isSilence(_ delta: Int64, before count: Int) -> Bool {
        guard delta > Self.silenceNanoseconds, count > Self.silenceDistances, formats[payloadType]?.hasRhythm ?? true
        else { return false }
        let usual = (endTime.nanoseconds &- startTime.nanoseconds &- longestDelta) / Int64(count &- 1)
        return delta / Int64(Self.silenceDistances) > usual
    }

    /// The mean packet interval, in seconds.
    var usualSeconds: Double {
        packets > 1 ? activeSeconds / Double(packets - 1) : 0
    }

    /// Returns whether the absence of packets until `time` is a silence.
    func isSilent(until time: Timestamp) -> Bool {
        isSilence(time.nanoseconds &- endTime.nanoseconds, before: packets)
    }
}
