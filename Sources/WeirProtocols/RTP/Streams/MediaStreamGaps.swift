import WeirPackets

// Missing packets of a stream, and their recovery.

extension MediaStream {
    /// Returns the next gap that is final at `time`, with its position; called until nil after `observe` returned
    /// `.gap`.
    package mutating func takeGap(at time: Timestamp) -> (gap: RTPGap, place: SequenceGaps.Place?)? {
        sequence.takeGap(at: time).map { located($0) }
    }

    /// Returns the next gap at the end of the stream, with its position; called until nil.
    package mutating func takeLastGap() -> (gap: RTPGap, place: SequenceGaps.Place?)? {
        sequence.takeLastGap().map { located($0, isLast: true) }
    }

    /// Records the lost packets of a gap, without numbers that arrived elsewhere.
    mutating func noteLost(_ gap: RTPGap, at place: SequenceGaps.Place?, but elsewhere: Set<UInt16>) {
        let missing = SequenceTracker.Gap(first: gap.firstSequence, count: gap.count)
        repairs.noteLost(missing, at: place, but: elsewhere)
        // The usual interval of so few packets is unknown, and so is whether the sender paused.
        let received = Int(gap.firstSequence &- sequence.firstSequence)
        if let place, !place.isSilent, received <= Self.silenceDistances,
            place.time.nanoseconds &- place.timeBefore.nanoseconds > Self.silenceNanoseconds
        {
            silence.missing &+= gap.count
        }
    }

    private mutating func located(
        _ gap: SequenceTracker.Gap, isLast: Bool = false
    ) -> (gap: RTPGap, place: SequenceGaps.Place?) {
        content.lose(gap)
        repairs.settle(sequence)
        let (repaired, undecided) = repairs.take(gap, sequence)
        let place = holes.take(behind: gap.first &+ UInt16(truncatingIfNeeded: gap.count))
        // Packets received before the first one moved the start of the stream and caused the gap.
        let isFirst = place.map { $0.time.nanoseconds &- startTime.nanoseconds < Self.edge } ?? (holes.unkept == 0)
        if isFirst || isLast { missingAtEdges &+= gap.count }
        return (
            RTPGap(ssrc: ssrc, firstSequence: gap.first, count: gap.count, recovered: repaired, undecided: undecided),
            place
        )
    }

    /// Records that media is requested to continue.
    mutating func expectResumption() { turn.insert(.resumed) }

    /// Records that media, stopped at `time`, is requested to continue.
    mutating func expectEndOfPause(since time: Timestamp) {
        turn.insert(.pauseEnded)
        pausedSince = time
    }

    /// Marks the stream as one that repairs another.
    mutating func resends(_ kind: Retransmission) { retransmission = kind }

    mutating func originalNumber(_ header: RTPHeader, _ payload: RawSpan) -> UInt16? {
        switch retransmission {
        case .none: nil
        case .same: header.sequenceNumber
        case .numbered: payload.uint16(at: 0)
        case .parity, .redundant: correct(header, payload)
        }
    }

    /// Parses the redundancy or FEC in a packet; returns its sequence number if there is any.
    mutating func correct(_ header: RTPHeader, _ payload: RawSpan) -> UInt16? {
        latestRepair.protected = protected(header, payload)
        latestRepair.isCorrection = !latestRepair.protected.isEmpty && isCorrection(header, payload)
        return latestRepair.protected.isEmpty ? nil : header.sequenceNumber
    }

    /// Records numbers protected by FEC: if only one of them is missing, it is recovered.
    mutating func protect(_ numbers: [UInt16]) { repairs.protect(numbers, sequence) }

    /// Records that the last FEC packet has a number of this stream and protects these numbers.
    mutating func noteCorrection(_ numbers: [UInt16]) {
        if latestRepair.isCorrection { repairs.noteCorrection(latestSequence, protects: numbers) }
    }

    /// Nanoseconds within which packets are reordered.
    private static var edge: Int64 { 500_000_000 }

    /// Completes the picture statistics at the end of the stream.
    mutating func finishPictures() { integrity.finish(timestamps, at: endTime) }

    /// Records missing packets that were not recovered.
    mutating func noteDamage(_ gap: RTPGap, _ place: SequenceGaps.Place) {
        integrity.note(gap, place, needsOthers: formats[payloadType]?.payload != .jpeg)
    }

    /// Records the retransmission of a packet.
    mutating func noteRepair(of number: UInt16, at time: Timestamp) {
        reports.requests.arrived(number, at: time)
        let (isMissing, isReported) = sequence.lacks(number)
        if isMissing { repairs.note(number, isReported: isReported) }
    }

    /// Records a retransmission whose original number was not captured.
    mutating func noteUnreadRepair() { repairs.noteUnread() }

    /// Records missing numbers that arrived on another path.
    mutating func note(elsewhere count: Int, isTwin: Bool) { repairs.note(elsewhere: count, isTwin: isTwin) }

    /// Packets that never arrived on any path, without numbers skipped by the sender; 0 for retransmission streams.
    @inline(__always)
    package var lost: Int {
        retransmission == .same ? 0 : max(0, sequence.missing &- repairs.elsewhere &- skips.count)
    }
    /// Lost packets that were recovered.
    @inline(__always)
    package var recovered: Int { min(lost, repairs.recovered) }
    /// Lost packets that may be FEC packets, whose loss does no harm.
    @inline(__always)
    package var undecided: Int { min(lost &- recovered, repairs.undecided) }
    /// Lost packets that were not recovered.
    @inline(__always)
    package var unrecovered: Int { lost &- recovered &- undecided }
    /// Missing packets that were received according to a later receiver report, but not captured.
    package var arrived: Int {
        // The receiver's reports do not cover numbers after its last one.
        guard let losses = reports.losses, let until = reports.lossesUntil,
            let behind = repairs.lost.count(behind: until), retransmission == .none, recovered == 0,
            sequence.restarts == 0, sequence.duplicates == 0
        else { return 0 }
        return max(0, unrecovered &- behind &- max(0, Int(losses.last)))
    }
    /// Whether it repairs another stream.
    package var isRepair: Bool {
        retransmission == .same || retransmission == .numbered || mainFormat?.isRepair == true
    }
}
