import WeirEngine
import WeirPackets

/// A stream that began where another of the same format was: the other's successor, or a second one beside it.
///
/// A source that restarts, or resolves a collision, takes another SSRC (RFC 3550 §8.2), and the media goes on under that;
/// but layers and screens that are sent together share a port and a payload type, too. Which it is shows when one of
/// the two stays silent.
struct Succession {
    /// The stream that was there.
    let before: MediaEntry
    /// The stream that began.
    let now: MediaEntry
    /// The header of its first packet.
    let header: RTPHeader
    /// The frame of its first packet.
    let frame: Int
}

extension Analyzer {
    /// Seconds of silence after which a source is taken to be gone, and the most, however seldom it sends.
    private static let silence = 1.0...10.0
    /// Packets of the new source.
    private static let packets = 3
    /// Most streams of a flow of which it is asked at once.
    private static let mostUndecided = 8

    /// The latest stream of the same direction, channel and format, if there is one.
    ///
    /// With another format it is another medium on the same port.
    private func predecessor(of entry: MediaEntry, _ header: RTPHeader, in streams: [MediaEntry]) -> MediaEntry? {
        let before = streams.last {
            $0 !== entry && $0.direction == entry.direction && $0.channel == entry.channel
        }
        return before?.payloadTypeBefore == header.payloadType ? before : nil
    }

    /// Notes that a stream may go on with what another began.
    func noteSuccession(_ entry: MediaEntry, _ header: RTPHeader, _ state: FlowState, _ moment: Moment) {
        guard state.successions.count < Self.mostUndecided,
            let before = predecessor(of: entry, header, in: state.streams)
        else { return }
        state.successions.append(Succession(before: before, now: entry, header: header, frame: moment.frame))
    }

    /// Tells of successions that are known by now, and forgets those that turned out to be none.
    func settle(_ state: FlowState, _ moment: Moment) {
        guard !state.successions.isEmpty else { return }
        var decided: [Succession] = []
        for succession in state.successions {
            guard let isOver = isOver(succession, moment) else { continue }
            if isOver { tell(succession, moment) }
            decided.append(succession)
        }
        for succession in decided {
            state.successions.removeAll { $0.now === succession.now }
            if !succession.now.isEnded { follow(succession.now, state) }
        }
    }

    /// Whether the former source has gone; nil when it may still send.
    private func isOver(_ succession: Succession, _ moment: Moment) -> Bool? {
        let before = succession.before
        guard !before.isEnded, !succession.now.isEnded else { return false }
        if intake.streams[before.stream].lastFrame > succession.frame { return false }
        let isNext = succession.header.sequenceNumber == before.latestSequence(intake.streams) &+ 1
        if isNext || intake.streams[before.stream].reports.hasBye { return true }
        let seldom = Double(intake.streams[before.stream].longestDelta) / 1_000_000_000 * 2
        let needed = min(max(seldom, Self.silence.lowerBound), Self.silence.upperBound)
        let silent = moment.time.seconds(since: before.endTime { intake.streams[$0].endTime })
        guard silent >= needed else { return nil }
        let isFirst = moment.frame == succession.frame
        return isFirst || intake.streams[succession.now.stream].packets >= Self.packets ? true : nil
    }

    private func tell(_ succession: Succession, _ moment: Moment) {
        let before = succession.before
        let change = RTPSourceChange(
            previous: before.ssrc, ssrc: succession.now.ssrc, previousSequence: before.latestSequence(intake.streams),
            sequence: succession.header.sequenceNumber)
        emit(change, succession.now, moment, since: succession.frame)
    }
}
