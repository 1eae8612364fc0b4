import WeirPackets

/// Recovery of missing numbers by other packets: on another path, by retransmission, or by FEC.
package struct Repairs: Sendable, Hashable {
    /// Missing numbers received on another path of the same stream, and never lost.
    package private(set) var elsewhere = 0
    /// Lost numbers recovered by a retransmission, FEC, or the stream's twin.
    package private(set) var recovered = 0
    /// Those of them that the stream's twin recovered.
    package private(set) var twins = 0
    /// Numbers retransmitted before their loss was final.
    private var early: Set<UInt16> = []
    /// Numbers retransmitted afterwards.
    private var late: Set<UInt16> = []
    /// Groups of FEC-protected numbers with more than one missing, most recent last.
    private var groups: [[UInt16]] = []
    /// Maximum groups kept; later ones protect what is still needed.
    private static let mostGroups = 32
    private let most: Int
    /// Retransmitted numbers that could not be kept; whether they recovered lost packets is unknown.
    package private(set) var unkept = 0
    /// Retransmissions whose original number was not captured; they may have recovered anything.
    package private(set) var unread = 0
    /// Numbers reported missing and not recovered.
    package private(set) var lost: LostRuns
    /// The coverage of FEC that shares the stream's sequence numbers.
    private var cover = CorrectionCover()
    /// Numbers reported missing that may be FEC packets.
    private var undecidedNumbers: Set<UInt16> = []
    /// Number of missing packets that may be FEC.
    package var undecided: Int { undecidedNumbers.count }

    /// Creates an empty state with at most `most` numbers of each kind, and as many runs as open gaps.
    package init(most: Int = RTPLimits().repairs, holes: Int = RTPLimits().openGaps) {
        self.most = max(1, most)
        lost = LostRuns(most: holes)
    }

    /// Records the retransmission of a missing number; `isReported` is whether its gap was reported.
    mutating func note(_ number: UInt16, isReported: Bool) {
        guard isReported else {
            if early.count < most { early.insert(number) } else if !early.contains(number) { unkept &+= 1 }
            return
        }
        if late.count >= most { late.removeAll() }
        guard late.insert(number).inserted else { return }
        recovered &+= 1
        undecidedNumbers.remove(number)
        lost.remove(number)
    }

    /// Records a retransmission whose original number was not captured.
    mutating func noteUnread() { unread &+= 1 }

    /// Counts the numbers of a gap, when it is reported, that were retransmitted or may be FEC.
    mutating func take(_ gap: SequenceTracker.Gap, _ sequence: SequenceTracker) -> (made: Int, undecided: Int) {
        guard !early.isEmpty || !cover.isEmpty else { return (0, 0) }
        var (made, open) = (0, 0)
        for number in gap.numbers {
            if early.remove(number) != nil {
                made &+= 1
                late.insert(number)
            } else if cover.mayBeOwn(number, sequence), undecidedNumbers.count < most {
                open &+= 1
                undecidedNumbers.insert(number)
            }
        }
        recovered &+= made
        return (made, open)
    }

    /// Records the lost numbers of a reported gap, without those that arrived elsewhere.
    mutating func noteLost(
        _ gap: SequenceTracker.Gap, at place: SequenceGaps.Place?, but elsewhere: Set<UInt16>
    ) {
        // Usually nothing was retransmitted, so the gap is one run of any length.
        guard !late.isEmpty || !undecidedNumbers.isEmpty || !elsewhere.isEmpty else { return lost.note([gap], place) }
        var rows: [SequenceTracker.Gap] = []
        var row = SequenceTracker.Gap(first: gap.first, count: 0)
        for number in gap.numbers {
            if late.contains(number) || undecidedNumbers.contains(number) || elsewhere.contains(number) {
                if row.count > 0 { rows.append(row) }
                row = SequenceTracker.Gap(first: number &+ 1, count: 0)
            } else {
                row.count &+= 1
            }
        }
        if row.count > 0 { rows.append(row) }
        lost.note(rows, place)
    }

    /// Records an FEC packet under a sequence number of the stream that it protects.
    mutating func noteCorrection(_ number: UInt16, protects numbers: [UInt16]) {
        cover.note(own: number, protects: numbers)
        if !undecidedNumbers.isEmpty { undecidedNumbers.subtract(numbers) }
    }

    /// Records numbers protected by FEC: a single missing one is recovered when all others were received.
    mutating func protect(_ numbers: [UInt16], _ sequence: SequenceTracker) {
        if groups.count >= Self.mostGroups { groups.removeFirst() }
        groups.append(numbers)
        settle(sequence)
    }

    /// Applies FEC recovery; a recovered packet may in turn recover another one.
    mutating func settle(_ sequence: SequenceTracker) {
        guard !groups.isEmpty else { return }
        var mayGoOn = true
        while mayGoOn {
            mayGoOn = false
            for (index, group) in groups.enumerated().reversed() {
                let missing = group.filter { !sequence.holds($0) && !early.contains($0) && !late.contains($0) }
                guard missing.count < 2 else { continue }
                groups.remove(at: index)
                guard let number = missing.first else { continue }
                let (isMissing, isReported) = sequence.lacks(number)
                guard isMissing else { continue }
                note(number, isReported: isReported)
                mayGoOn = true
            }
        }
    }

    /// Records missing numbers received on another path. Twins carry everything on both paths, so each recovers the
    /// losses of the other (SMPTE ST 2022-7).
    mutating func note(elsewhere count: Int, isTwin: Bool) {
        guard isTwin else {
            elsewhere &+= count
            return
        }
        recovered &+= count
        twins &+= count
    }
}

/// How a stream repeats or protects packets of another one.
package enum Retransmission: UInt8, Sendable {
    /// Not a repair stream.
    case none
    /// Retransmissions with the original sequence number before the payload (RFC 4588 §4).
    case numbered
    /// Unmodified retransmissions except for the lowest bit of the SSRC, as in RIST.
    case same
    /// FEC parity over packets of the same stream or of others (RFC 5109, RFC 8627).
    case parity
    /// Redundant earlier payloads in the same packet (RFC 2198).
    case redundant
}

extension SequenceTracker {
    /// Returns the extended position of a number near the highest one, or nil if it is too far away.
    private func position(of sequence: UInt16) -> Int64? {
        guard expected > 0 else { return nil }
        let step = Int64(Int16(bitPattern: sequence &- lastSequence))
        let number = extended(step)
        return step <= 0 && step > -Int64(Self.history) && number >= lowest ? number : nil
    }

    /// Returns whether a packet with this number was received recently.
    func holds(_ sequence: UInt16) -> Bool { position(of: sequence).map { isReceived($0) } ?? false }

    /// How far ahead of the highest number a retransmission may be: the tap may be closer to the sender than the loss.
    private static let ahead = 64

    /// Returns whether this number is missing or not yet received, and whether that was reported.
    func lacks(_ sequence: UInt16) -> (isMissing: Bool, isReported: Bool) {
        let step = Int16(bitPattern: sequence &- lastSequence)
        if expected > 0, step > 0, step < Self.ahead { return (true, false) }
        guard let number = position(of: sequence), !isReceived(number) else { return (false, false) }
        return (true, isSettled(number))
    }
}
