import WeirEngine
import WeirPackets

/// A stream that began where another of the same format was: the other's successor, or a second one beside it.
///
/// A source that restarts, or resolves a collision, takes another SSRC (RFC 3550 §8.2), and the media goes on under that;
/// but layers and screens that are sent together share a port and a payload type, too. Which it is shows when one of
/// the two stays silent.
struct SSRCChange {
    /// The stream that was there.
    let before: MediaEntry
    /// The stream that began.
    let now: MediaEntry
    /// The header of its first packet.
    let header: RTPHeader
    /// The frame of its first packet.
    let frame: Int
}

extension MediaStreams {
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
    func noteChange(of entry: MediaEntry, _ header: RTPHeader, _ packets: MediaFlow, _ place: EventContext) {
        guard packets.ssrcChanges.count < Self.mostUndecided,
            let before = predecessor(of: entry, header, in: packets.streams)
        else { return }
        packets.ssrcChanges.append(SSRCChange(before: before, now: entry, header: header, frame: place.frame))
    }

    /// Tells of changes that are known by now, and forgets those that turned out to be none.
    func resolve(_ packets: MediaFlow, _ place: EventContext) {
        guard !packets.ssrcChanges.isEmpty else { return }
        var decided: [SSRCChange] = []
        for change in packets.ssrcChanges {
            guard let isOver = isOver(change, place) else { continue }
            if isOver { tell(change, place) }
            decided.append(change)
        }
        for change in decided {
            packets.ssrcChanges.removeAll { $0.now === change.now }
            if !change.now.isEnded { follow(change.now, packets) }
        }
    }

    /// Whether the former source has gone; nil when it may still send.
    private func isOver(_ change: SSRCChange, _ place: EventContext) -> Bool? {
        let before = change.before
        guard !before.isEnded, !change.now.isEnded else { return false }
        if streams[before.stream].lastFrame > change.frame { return false }
        if isNext(change) || streams[before.stream].reports.hasBye { return true }
        let seldom = Double(streams[before.stream].longestDelta) / 1_000_000_000 * 2
        let needed = min(max(seldom, Self.silence.lowerBound), Self.silence.upperBound)
        let silent = place.time.seconds(since: before.endTime(streams))
        guard silent >= needed else { return nil }
        let isFirst = place.frame == change.frame
        return isFirst || streams[change.now.stream].packets >= Self.packets ? true : nil
    }

    /// Set in the detail of a change after which the numbers go on: beside the source, which has 32 bits.
    static let goesOn = 1 << 32

    /// Whether the new source goes on with the numbers of the former.
    private func isNext(_ change: SSRCChange) -> Bool {
        change.header.sequenceNumber == change.before.latestSequence(streams) &+ 1
    }

    /// A source that leaves says goodbye (RFC 3550 §8.2), unless the session was told to begin anew.
    private func noteFault(_ change: SSRCChange) {
        let before = change.before
        guard !before.isEnded, !change.now.isEnded, !streams[before.stream].reports.hasBye,
            before.turn == change.now.turn
        else { return }
        streams[before.stream].note(
            PacketFaults(.sourceChange), change.header, time: streams[change.now.stream].startTime,
            frame: change.frame, detail: Int(change.now.ssrc) | (isNext(change) ? Self.goesOn : 0))
    }

    private func tell(_ change: SSRCChange, _ place: EventContext) {
        let before = change.before
        let source = RTPSourceChange(
            previous: before.ssrc, ssrc: change.now.ssrc, previousSequence: before.latestSequence(streams),
            sequence: change.header.sequenceNumber)
        tell(source, change.now, place, since: change.frame)
        noteFault(change)
    }
}

// Two sources with one SSRC (RFC 3550 §8.2).

extension MediaStreams {
    /// An open stream of the same source number that comes from elsewhere: from another address to the same one, or the
    /// other way on the same flow. Error correction of MPEG transport streams has the source 0 wherever it comes from.
    func rival(of entry: MediaEntry, _ header: RTPHeader) -> MediaEntry? {
        guard entry.ssrc != 0 else { return nil }
        return bySSRC[entry.ssrc]?.last { other in
            guard !other.isEnded, other.channel == entry.channel else { return false }
            let isElsewhere =
                other.flow == entry.flow
                ? other.direction != entry.direction
                : other.destination == entry.destination && other.source.address != entry.source.address
            guard isElsewhere else { return false }
            // Numbers that go on alike are the same packets, seen on both sides of a router that translates addresses.
            let apart = Int16(bitPattern: header.sequenceNumber &- other.latestSequence(streams))
            return apart.magnitude > 64
        }
    }

    /// Notes a collision where both were sent at the same time.
    func noteCollision(of entry: MediaEntry) {
        guard let rival = entry.rival else { return }
        let began = streams[entry.stream].startTime
        guard rival.endTime(streams) > began, streams[entry.stream].packets > 2 else { return }
        streams[entry.stream].noteCollision()
    }
}
