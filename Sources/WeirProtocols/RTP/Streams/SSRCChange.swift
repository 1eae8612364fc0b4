import WeirEngine
import WeirPackets

/// A stream that began where another one of the same format existed: its successor, or a second stream.
///
/// A source that restarts or resolves a collision takes another SSRC (RFC 3550 §8.2) and the media continues under it;
/// but simulcast layers and screens share a port and a payload type, too. The case is decided when one of the two
/// streams stays silent.
struct SSRCChange {
    /// The existing stream.
    let before: MediaEntry
    /// The new stream.
    let now: MediaEntry
    /// The header of its first packet.
    let header: RTPHeader
    /// The frame of its first packet.
    let frame: Int
}

/// Decides which sources have changed their SSRC, and which share one.
struct SourceChanges {
    let media: MediaStreams

    /// Seconds of silence after which a source is assumed to have ended; the upper bound is for low packet rates.
    private static let silence = 1.0...10.0
    /// Packets of the new source required for a decision.
    private static let packets = 3
    /// Maximum undecided streams per flow.
    private static let mostUndecided = 8

    /// Returns the latest stream of the same direction, channel and format.
    ///
    /// With another format it is another medium on the same port.
    private func predecessor(of entry: MediaEntry, _ header: RTPHeader, in streams: [MediaEntry]) -> MediaEntry? {
        let before = streams.last {
            $0 !== entry && $0.direction == entry.direction && $0.channel == entry.channel
        }
        return before?.payloadTypeBefore == header.payloadType ? before : nil
    }

    /// Records that a stream may continue another one.
    func noteChange(of entry: MediaEntry, _ header: RTPHeader, _ packets: MediaFlow, _ place: EventContext) {
        guard packets.ssrcChanges.count < Self.mostUndecided,
            let before = predecessor(of: entry, header, in: packets.streams)
        else { return }
        packets.ssrcChanges.append(SSRCChange(before: before, now: entry, header: header, frame: place.frame))
    }

    /// Emits decided changes, and discards candidates that are not changes.
    func resolve(_ packets: MediaFlow, _ place: EventContext) {
        guard !packets.ssrcChanges.isEmpty else { return }
        var decided: [SSRCChange] = []
        for change in packets.ssrcChanges {
            guard let isOver = isOver(change, place) else { continue }
            if isOver { emit(change, place) }
            decided.append(change)
        }
        for change in decided {
            packets.ssrcChanges.removeAll { $0.now === change.now }
            if !change.now.isEnded { media.follow(change.now, packets) }
        }
    }

    /// Returns whether the former source has ended, or nil if it may still send.
    private func isOver(_ change: SSRCChange, _ place: EventContext) -> Bool? {
        let before = change.before
        guard !before.isEnded, !change.now.isEnded else { return false }
        if media.streams[before.stream].lastFrame > change.frame { return false }
        if isNext(change) || media.streams[before.stream].reports.hasBye { return true }
        let seldom = Double(media.streams[before.stream].longestDelta) / 1_000_000_000 * 2
        let needed = min(max(seldom, Self.silence.lowerBound), Self.silence.upperBound)
        let silent = place.time.seconds(since: before.endTime(media.streams))
        guard silent >= needed else { return nil }
        let isFirst = place.frame == change.frame
        return isFirst || media.streams[change.now.stream].packets >= Self.packets ? true : nil
    }

    /// Flag in the detail of a change after which the sequence numbers continue; the SSRC uses the lower 32 bits.
    static let goesOn = 1 << 32

    /// Returns whether the new source continues the sequence numbers of the former one.
    private func isNext(_ change: SSRCChange) -> Bool {
        change.header.sequenceNumber == change.before.latestSequence(media.streams) &+ 1
    }

    /// Records a fault: a leaving source sends a BYE (RFC 3550 §8.2), unless the session was restarted.
    private func noteFault(_ change: SSRCChange) {
        let before = change.before
        guard !before.isEnded, !change.now.isEnded, !media.streams[before.stream].reports.hasBye,
            before.turn == change.now.turn
        else { return }
        media.streams[before.stream].note(
            PacketFaults(.sourceChange), change.header, time: media.streams[change.now.stream].startTime,
            frame: change.frame, detail: Int(change.now.ssrc) | (isNext(change) ? Self.goesOn : 0))
    }

    private func emit(_ change: SSRCChange, _ place: EventContext) {
        let before = change.before
        let source = RTPSourceChange(
            previous: before.ssrc, ssrc: change.now.ssrc, previousSequence: before.latestSequence(media.streams),
            sequence: change.header.sequenceNumber)
        media.emit(source, change.now, place, since: change.frame)
        noteFault(change)
    }
}

// Two sources with one SSRC (RFC 3550 §8.2).

extension SourceChanges {
    /// Returns an open stream with the same SSRC from elsewhere: from another address to the same one, or in the other
    /// direction of the flow. FEC for MPEG transport streams always has SSRC 0.
    func rival(of entry: MediaEntry, _ header: RTPHeader) -> MediaEntry? {
        guard entry.ssrc != 0 else { return nil }
        return media.bySSRC[entry.ssrc]?.last { other in
            guard !other.isEnded, other.channel == entry.channel else { return false }
            let isElsewhere =
                other.flow == entry.flow
                ? other.direction != entry.direction
                : other.destination == entry.destination && other.source.address != entry.source.address
            guard isElsewhere else { return false }
            // Equal sequence numbers are the same packets, captured on both sides of a NAT.
            let apart = Int16(bitPattern: header.sequenceNumber &- other.latestSequence(media.streams))
            return apart.magnitude > 64
        }
    }

    /// Records a collision of simultaneous sources.
    func noteCollision(of entry: MediaEntry) {
        guard let rival = entry.rival else { return }
        let began = media.streams[entry.stream].startTime
        guard rival.endTime(media.streams) > began, media.streams[entry.stream].packets > 2 else { return }
        media.streams[entry.stream].noteCollision()
    }
}
