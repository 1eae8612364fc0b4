import WeirPackets

// Timers: idle flows and finished sessions end by the clock of the capture.
//
// The clock ticks at full seconds of packet time, before the first packet after them, and only when something may
// expire. A capture read from a file therefore ends everything at the same times as a live capture, where the clock
// advances without packets.

extension Analyzer {
    /// Advances the clock without a packet, and ends what has expired.
    ///
    /// For live captures. `time` must not be later than that of any packet still to arrive.
    package func advance(to time: Timestamp) {
        guard fastPaths.frames > 0, time >= nextTick else { return }
        tick(until: time)
        changePaths()
        restUntilDue()
    }

    /// Advances the clock to the time of a frame: ends what has expired and releases held data. The time may be the
    /// first, or follow a clock step.
    @inline(never)
    func moveClock(_ info: FrameInfo) {
        let time = info.time
        timeline.observe(time)
        let untilTick = nextTick.nanoseconds &- time.nanoseconds
        if UInt64(bitPattern: untilTick &- 1) >= Self.clockTolerance {
            if fastPaths.frames > 0, time >= nextTick {
                tick(until: time)
                changePaths()
            } else {
                nextTick = time.nextSecond
            }
        }
        if time >= held.until { releaseHeld(info) }
        restUntilDue()
    }

    /// Sets the interval in which frames need no clock check.
    func restUntilDue() {
        let tick = nextTick.nanoseconds
        let (start, underflow) = tick.subtractingReportingOverflow(Int64(Self.clockTolerance))
        fastPaths.rest(from: underflow ? .min : start, until: min(tick, held.until.nanoseconds))
    }

    private func tick(until time: Timestamp) {
        var patience = Self.ticksForClosing
        while nextTick <= time, nextTick.nanoseconds < Int64.max {
            let isClosing = patience > 0 && sessions.isClosing
            patience &-= 1
            let deadline = table.nextDeadline ?? time
            guard isClosing || deadline < nextTick else {
                // Nothing can expire earlier.
                nextTick = min(deadline, time).nextSecond
                continue
            }
            let moment = FrameInfo(
                number: max(1, fastPaths.frames), time: nextTick, capturedLength: 0, originalLength: 0, linkType: .raw)
            for index in table.idle(at: nextTick) { endFlow(index, at: moment) }
            endSessionsThatAreOver(at: moment)
            nextTick = nextTick.nextSecond
        }
    }

    /// The number of open flows, sessions and streams.
    package var open: (flows: Int, sessions: Int, streams: Int) {
        (table.count, sessions.count, sessionOutlet.openStreams)
    }

    private func endSessionsThatAreOver(at info: FrameInfo) {
        let over = sessions.allClosing.filter { $0.isOver(at: info.time) }
        for session in over { endSession(session, at: info) }
        forget(over)
    }

    /// The maximum number of consecutive ticks for closing sessions. They end long before, unless the capture's
    /// timestamps are implausible.
    private static let ticksForClosing = 3_600

    /// The time in nanoseconds by which a packet may precede the clock before a clock step is assumed.
    static let clockTolerance: UInt64 = 60_000_000_000
}

extension Timestamp {
    /// The first full second after this time.
    fileprivate var nextSecond: Timestamp {
        let second: Int64 = 1_000_000_000
        var past = nanoseconds % second
        if past < 0 { past += second }
        let (next, overflow) = nanoseconds.addingReportingOverflow(second - past)
        return Timestamp(nanoseconds: overflow ? Int64.max : next)
    }
}
