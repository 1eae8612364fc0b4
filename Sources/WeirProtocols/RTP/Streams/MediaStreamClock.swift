import WeirPackets

// Timestamps compared with arrival times.

extension MediaStream {
    /// Returns whether a timestamp deviates by at least half a second from that expected by elapsed time.
    @inline(never)
    func leaps(to timestamp: UInt32, after nanoseconds: Int64) -> Bool {
        guard let rate = jitter.map({ Double($0.clockRate) }) ?? apparentRate(nanoseconds), rate > 0 else {
            return false
        }
        let step = Double(Int32(bitPattern: timestamp &- lastTimestamp)) / rate
        return (step - Double(nanoseconds) / 1e9).magnitude > 0.5
    }

    /// Returns the clock rate apparent from the timestamps up to so many nanoseconds ago, or nil outside the range of
    /// media clocks.
    func apparentRate(_ nanoseconds: Int64) -> Double? {
        let seconds = Double(endTime.nanoseconds &- nanoseconds &- startTime.nanoseconds) / 1e9
        guard seconds > 0.5 else { return nil }
        let rate = Double(Int32(bitPattern: lastTimestamp &- firstTimestamp)) / seconds
        return 4_000...200_000 ~= rate ? rate : nil
    }

    /// Returns whether a timestamp is less than a second from the latest one; true without a clock rate.
    @inline(never)
    func isRecent(_ timestamp: UInt32) -> Bool {
        guard arrivals.clockRate > 0 else { return true }
        return Int32(bitPattern: timestamp &- lastTimestamp).magnitude < UInt32(clamping: arrivals.clockRate)
    }

    /// Returns the corrected time of a packet stamped long before the previous one, which is an error of the capture
    /// and not of the network. If it persists, the clock was set back.
    @inline(never)
    mutating func inOrder(_ time: Timestamp) -> Timestamp {
        guard jumps.noteMisstamped(after: packets) else { return endTime }
        endTime = time
        lastFrameTime = time
        return time
    }

    /// Returns whether timestamps of a payload type reflect sending times: they use the measured clock, and are not
    /// telephone events, which all have the start time of the event (RFC 4733).
    @inline(never)
    func measures(_ type: UInt8) -> Bool {
        guard let jitter else { return false }
        guard let format = formats[type] ?? MediaFormat(staticPayloadType: type) else { return false }
        return format.clockRate == jitter.clockRate && format.payload != .telephoneEvent
    }

    /// How far audio timestamps may go back, in seconds, without missing packets.
    private static let backOfSound = 0.1
    /// How far timestamps of pictures sent in display order may go back, in seconds and in pictures.
    private static let backOfPictures = (seconds: 0.3, pictures: 3.5)

    /// Limits how far timestamps may go back in a stream that begins or changes its clock.
    mutating func limitSteps(of format: MediaFormat, clockRate: Int) {
        let rate = Double(clockRate)
        // Interleaved MP3 frames have timestamps out of order (RFC 5219 §7).
        let isSteady = format.mediaType == "audio" && format.encoding.lowercased() != "mpa-robust"
        backTicks = isSteady ? -rate * Self.backOfSound : -.infinity
        jumpTicks = min(rate * Self.jumpSeconds, -backTicks)
    }

    /// Sets the backward limit for pictures: if none of at least 16 so far was reordered, timestamps should not go back
    /// at all; B-frames go back by less than a second.
    @inline(never)
    mutating func learnOrder() {
        guard let jitter else { return }
        let rate = Double(jitter.clockRate)
        let interval = endTime.seconds(since: startTime) * rate / Double(timestamps)
        backTicks =
            jitter.wentBack
            ? -.infinity : -max(rate * Self.backOfPictures.seconds, interval * Self.backOfPictures.pictures)
        jumpTicks = min(rate * Self.jumpSeconds, -backTicks)
    }

    @inline(never)
    mutating func judge(
        _ drift: Double, _ header: RTPHeader, _ time: Timestamp, _ frame: Int, isNext: Bool,
        _ news: inout StreamChanges
    ) {
        guard let jitter, formats[header.payloadType]?.isSupplement != true else { return }
        // A delayed packet is not a timestamp jump unless its timestamp went back: it is due to the network or a pause.
        let step = Int32(bitPattern: header.timestamp &- lastTimestamp)
        let limit = Double(jitter.clockRate) * Self.jumpSeconds
        let isBack = Double(step) < (isNext ? max(backTicks, -limit) : -limit)
        guard drift < -limit || isBack else { return }
        if jumps.note(isFirstPacket: packets <= 1) {
            stretches.finish(latestTimestamp, paused: 0)
            stretches.begin(header.timestamp)
        }
        news.insert(.timestampJump)
        slope.begin()
        guard !news.contains(.restart), packets > 1 else { return }
        let milliseconds = (isBack ? -Double(step) : -drift) * 1_000 / Double(jitter.clockRate)
        note(
            PacketFaults(isBack ? .timestampBack : .timestampJump), header, time: time, frame: frame,
            detail: Int(min(milliseconds, 1e12)))
    }

    /// Returns whether the timestamp is none of the last eight; with reordering, frames recur.
    @inline(__always)
    mutating func observeTimestamp(_ timestamp: UInt32, _ time: Timestamp) -> Bool {
        if timestamps > 0, timestamp == lastTimestamp { return false }
        if timestamps > 0, holds(timestamp) { return false }
        let (low, high) = (recentTimestamps.lowHalf, recentTimestamps.highHalf)
        recentTimestamps =
            timestamps == 0
            ? SIMD8(repeating: timestamp)
            : SIMD8(
                lowHalf: SIMD4(timestamp, low.x, low.y, low.z), highHalf: SIMD4(low.w, high.x, high.y, high.z))
        timestamps &+= 1
        lastFrameTime = time
        return true
    }

    /// Whether a timestamp is among the recent ones. Comparing all lanes at once takes more instructions.
    @inline(__always)
    func holds(_ timestamp: UInt32) -> Bool {
        let (low, high) = (recentTimestamps.lowHalf, recentTimestamps.highHalf)
        return low.x == timestamp || low.y == timestamp || low.z == timestamp || low.w == timestamp
            || high.x == timestamp || high.y == timestamp || high.z == timestamp || high.w == timestamp
    }
}
