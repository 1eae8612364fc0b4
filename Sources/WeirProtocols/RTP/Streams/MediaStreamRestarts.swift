import WeirEngine
import WeirPackets

// Restarts of sequence numbers.

extension MediaStream {
    /// Records a stray packet. A payload type that was not negotiated is reported whatever the sequence number.
    @inline(never)
    mutating func noteStray(_ header: RTPHeader, _ time: Timestamp, _ frame: Int) {
        places.stray = (frame, time)
        guard header.payloadType != payloadType, !agreement.value.allows(header.payloadType) else { return }
        packetsOfType &-= 1
        types.noteOther(header.payloadType)
        checkPayloadType(header)
    }

    /// Returns the restart that a packet, the successor of a stray, confirms.
    @inline(never)
    func restart(_ header: RTPHeader) -> NumberingRestart {
        let first = header.sequenceNumber &- 1
        let before = sequence.sequenceBeforeRestart
        // Where the numbers would be if they had continued at the same rate.
        let seconds = lastFrameTime.seconds(since: startTime)
        let rate = seconds > 0 ? Double(packets) / seconds : .infinity
        let elapsed = places.stray.time.seconds(since: lastFrameTime)
        return NumberingRestart(
            frame: places.stray.frame, time: places.stray.time, timeBefore: lastFrameTime, before: before, first: first,
            mayBeLoss: Double(first &- before) / rate <= 2 * elapsed + 0.5)
    }

    /// Records a restart that was not requested.
    mutating func note(_ restart: NumberingRestart) {
        faults.note(
            .numberingRestart, sequence: restart.first, time: restart.time, frame: restart.frame,
            detail: Int(restart.before))
    }
}

extension MediaStreams {
    /// Seconds of silence after which a sender without known signaling may have been asked to restart.
    private static let secondsOfSilence = 1.0

    /// Records a restart of the sequence numbers unless the session requested it: a server may renumber media after
    /// PLAY. A source that sent a BYE has left.
    func judgeRestart(of entry: MediaEntry, _ place: EventContext) {
        guard let restart = streams[entry.stream].latestRestart, !restart.mayBeLoss,
            !streams[entry.stream].reports.hasBye
        else { return }
        if let owner = entry.owner {
            guard
                !owner.isTurn(of: entry.medium, to: restart.first, between: restart.timeBefore, and: place.time)
            else { return }
        } else if restart.time.seconds(since: restart.timeBefore) > Self.secondsOfSilence {
            return
        }
        streams[entry.stream].note(restart)
    }
}
