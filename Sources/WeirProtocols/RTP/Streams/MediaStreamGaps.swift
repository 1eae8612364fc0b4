import WeirPackets

// What of a stream is missing, and what makes good of it.

extension MediaStream {
    /// The next gap that is over at `time`, and where it is; ask until nil when `observe` said `.gap`.
    package mutating func takeGap(at time: Timestamp) -> (gap: RTPGap, place: SequenceHoles.Place?)? {
        sequence.takeGap(at: time).map { located($0) }
    }

    /// The next gap at the end of the stream, and where it is; ask until nil.
    package mutating func takeLastGap() -> (gap: RTPGap, place: SequenceHoles.Place?)? {
        sequence.takeLastGap().map { located($0, isLast: true) }
    }

    /// Notes that missing numbers were skipped by the sender, or may have been, and where.
    mutating func noteSkip(_ numbers: Int, _ place: SequenceHoles.Place, isGuessed: Bool) {
        skipped &+= numbers
        if isGuessed { perhapsSkipped &+= numbers }
        longestSkip = max(longestSkip, numbers)
        if firstSkip == nil { firstSkip = place }
    }

    /// Notes what of a gap stayed lost, but for numbers that came elsewhere.
    mutating func noteLost(_ gap: RTPGap, at place: SequenceHoles.Place?, but elsewhere: Set<UInt16>) {
        let missing = SequenceTracker.Gap(first: gap.firstSequence, count: gap.count)
        repairs.noteLost(missing, at: place, but: elsewhere)
    }

    private mutating func located(
        _ gap: SequenceTracker.Gap, isLast: Bool = false
    ) -> (gap: RTPGap, place: SequenceHoles.Place?) {
        content.lose(gap)
        repairs.settle(sequence)
        let (repaired, undecided) = repairs.take(gap, sequence)
        let place = holes.take(behind: gap.first &+ UInt16(truncatingIfNeeded: gap.count))
        // What came before the first packet moved the beginning, and made the hole.
        let isFirst = place.map { $0.time.nanoseconds &- startTime.nanoseconds < Self.edge } ?? (holes.unkept == 0)
        if isFirst || isLast { missingAtEdges &+= gap.count }
        return (
            RTPGap(ssrc: ssrc, firstSequence: gap.first, count: gap.count, recovered: repaired, undecided: undecided),
            place
        )
    }

    /// Media is told to go on.
    mutating func expectResumption() { turn.insert(.resumed) }

    /// Media that was told to stop then is asked to go on.
    mutating func expectEndOfPause(since time: Timestamp) {
        turn.insert(.pauseEnded)
        pausedSince = time
    }

    /// It sends packets of another stream again.
    mutating func resends(_ kind: Retransmission) { retransmission = kind }

    mutating func originalNumber(_ header: RTPHeader, _ payload: RawSpan) -> UInt16? {
        switch retransmission {
        case .none: nil
        case .same: header.sequenceNumber
        case .numbered: payload.uint16(at: 0)
        case .parity, .redundant: correct(header, payload)
        }
    }

    /// Reads what a packet makes good beside its own payload; its number when that is anything.
    mutating func correct(_ header: RTPHeader, _ payload: RawSpan) -> UInt16? {
        latestProtected = protected(header, payload)
        latestIsCorrection = !latestProtected.isEmpty && isCorrection(header, payload)
        return latestProtected.isEmpty ? nil : header.sequenceNumber
    }

    /// Error correction protects these numbers: one that is missing among them is made good when all others came.
    mutating func protect(_ numbers: [UInt16]) { repairs.protect(numbers, sequence) }

    /// The packet of error correction that came last has a number of this stream, and protects these.
    mutating func noteCorrection(_ numbers: [UInt16]) {
        if latestIsCorrection { repairs.noteCorrection(latestSequence, protects: numbers) }
    }

    /// Nanoseconds within which packets overtake each other.
    private static var edge: Int64 { 500_000_000 }

    /// Nothing more comes, and nothing more is known to be missing.
    mutating func finishPictures() { integrity.finish(timestamps, at: endTime) }

    /// Packets are missing that nothing made good.
    mutating func noteDamage(_ gap: RTPGap, _ place: SequenceHoles.Place) {
        integrity.note(gap, place, needsOthers: formats[payloadType]?.payload != .jpeg)
    }

    /// A packet with this number was sent again.
    mutating func noteRepair(of number: UInt16, at time: Timestamp) {
        reports.requests.arrived(number, at: time)
        let (isMissing, isTold) = sequence.lacks(number)
        if isMissing { repairs.note(number, isTold: isTold) }
    }

    /// A packet was sent again, and the capture lacks which.
    mutating func noteUnreadRepair() { repairs.noteUnread() }

    /// So many missing numbers came on another path.
    mutating func note(elsewhere count: Int, isTwin: Bool) { repairs.note(elsewhere: count, isTwin: isTwin) }

    /// Packets that never came, on no path, without numbers that the sender skipped; of what is only sent again nothing is
    /// missed.
    package var lost: Int {
        retransmission == .same ? 0 : max(0, sequence.missing &- repairs.elsewhere &- skipped)
    }
    /// Those of them that were made good.
    package var recovered: Int { min(lost, repairs.recovered) }
    /// Others of them that may be packets of error correction, which nobody misses.
    package var undecided: Int { min(lost &- recovered, repairs.undecided) }
    /// Those that stayed lost.
    package var unrecovered: Int { lost &- recovered &- undecided }
    /// Those that stayed lost here and not on their way, as a later report of their receiver tells: the capture lacks them.
    package var arrived: Int {
        // Of numbers behind its last report the receiver says nothing.
        guard let losses = reports.losses, let until = reports.lossesUntil,
            let behind = repairs.lost.count(behind: until), retransmission == .none, recovered == 0,
            sequence.restarts == 0, sequence.duplicates == 0
        else { return 0 }
        return max(0, unrecovered &- behind &- max(0, Int(losses.last)))
    }
    /// Whether it makes up for losses of another stream.
    package var isRepair: Bool {
        retransmission == .same || retransmission == .numbered || mainFormat?.isRepair == true
    }
}
