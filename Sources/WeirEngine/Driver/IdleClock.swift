import WeirPackets

// What happens when nothing does: flows that fall silent and sessions that are over end by the clock of the capture.
//
// The clock ticks at full seconds of the packets' own time, before the first packet behind them, and only when something
// may be over. So a capture that is read from a file ends everything at the same moments as one that is watched live,
// where the clock goes on without packets.

extension Analyzer {
    /// Lets the time pass without a packet: what has been idle for too long by then ends.
    ///
    /// For live captures. `time` must not be later than that of any packet that is still to come.
    package func advance(to time: Timestamp) {
        guard fastPaths.frames > 0, time >= nextTick else { return }
        tick(until: time)
        changePaths()
        restUntilDue()
    }

    /// A frame comes at a time at which something else may be due: ends what is over by then, and hands on what waited
    /// long enough. Its time may be the first, or from before a step of the clock.
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

    /// Until something is due, frames need not look at the clock.
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
                // Nothing can be over before.
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

    /// How much is open, for who watches.
    package var open: (flows: Int, sessions: Int, streams: Int) {
        (table.count, sessions.count, storyOutlet.openStreams)
    }

    private func endSessionsThatAreOver(at info: FrameInfo) {
        let over = sessions.allClosing.filter { $0.isOver(at: info.time) }
        for session in over { endSession(session, at: info) }
        forget(over)
    }

    /// For how many ticks in a row a session that is closing keeps the clock from leaping: it is over long before, unless
    /// the capture's times make no sense.
    private static let ticksForClosing = 3_600

    /// How far a packet's time may be behind the clock before that is believed to have been set back, in nanoseconds.
    static let clockTolerance: UInt64 = 60_000_000_000
}

extension Timestamp {
    /// The first full second after this moment.
    fileprivate var nextSecond: Timestamp {
        let second: Int64 = 1_000_000_000
        var past = nanoseconds % second
        if past < 0 { past += second }
        let (next, overflow) = nanoseconds.addingReportingOverflow(second - past)
        return Timestamp(nanoseconds: overflow ? Int64.max : next)
    }
}
