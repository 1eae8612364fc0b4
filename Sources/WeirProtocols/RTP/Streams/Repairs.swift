import WeirPackets

/// What other packets say of the numbers that a stream lacks: they took another path, or were sent again.
package struct Repairs: Sendable, Hashable {
    /// Missing numbers that came on another path of the same stream, and were never lost.
    package private(set) var elsewhere = 0
    /// Lost numbers that were made good: by a retransmission, or by the twin of the stream.
    package private(set) var recovered = 0
    /// Numbers that were sent again before it was certain that they are missing.
    private var early: Set<UInt16> = []
    /// Those that were sent again afterwards.
    private var late: Set<UInt16> = []
    /// Numbers that error correction protects and of which more than one is missing, the latest last.
    private var groups: [[UInt16]] = []
    /// Most of them that are kept: later ones protect what is still wanted.
    private static let mostGroups = 32
    private let most: Int
    /// Numbers sent again that could not be remembered: whether they made good what was lost is not known.
    package private(set) var unkept = 0
    /// Packets sent again of which the capture lacks the original number: they may have made good anything.
    package private(set) var unread = 0
    /// What was told to be missing and stayed so.
    package private(set) var lost: LostRuns
    /// What error correction protects that has numbers of the same stream.
    private var cover = CorrectionCover()
    /// Numbers told to be missing that may be those of error correction.
    private var undecidedNumbers: Set<UInt16> = []
    /// How many they are.
    package var undecided: Int { undecidedNumbers.count }

    /// Begins with `most` numbers of each kind at most, and as many rows of them as there may be open holes.
    package init(most: Int = RTPLimits().repairs, holes: Int = RTPLimits().openHoles) {
        self.most = max(1, most)
        lost = LostRuns(most: holes)
    }

    /// A number that is missing was sent again; `isTold` says whether its gap was told.
    mutating func note(_ number: UInt16, isTold: Bool) {
        guard isTold else {
            if early.count < most { early.insert(number) } else if !early.contains(number) { unkept &+= 1 }
            return
        }
        if late.count >= most { late.removeAll() }
        guard late.insert(number).inserted else { return }
        recovered &+= 1
        undecidedNumbers.remove(number)
        lost.remove(number)
    }

    /// Something was sent again, and the capture lacks what.
    mutating func noteUnread() { unread &+= 1 }

    /// A gap is told: counts the numbers of it that were sent again, and those that may be of error correction.
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

    /// A gap was told: what of it nothing made good, but for numbers that came elsewhere.
    mutating func noteLost(
        _ gap: SequenceTracker.Gap, at place: SequenceHoles.Place?, but elsewhere: Set<UInt16>
    ) {
        // Mostly nothing was sent again: the hole is one row, however long.
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

    /// A packet of error correction came under a number of the stream that it protects.
    mutating func noteCorrection(_ number: UInt16, protects numbers: [UInt16]) {
        cover.note(own: number, protects: numbers)
        if !undecidedNumbers.isEmpty { undecidedNumbers.subtract(numbers) }
    }

    /// Error correction protects these numbers: one that is missing is made good when all others came.
    mutating func protect(_ numbers: [UInt16], _ sequence: SequenceTracker) {
        if groups.count >= Self.mostGroups { groups.removeFirst() }
        groups.append(numbers)
        settle(sequence)
    }

    /// Looks what error correction makes good by now: a packet that comes back may bring back another one.
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
                let (isMissing, isTold) = sequence.lacks(number)
                guard isMissing else { continue }
                note(number, isTold: isTold)
                mayGoOn = true
            }
        }
    }

    /// So many missing numbers came on another path; on a twin, both paths carry everything, and one makes good what the other
    /// loses (SMPTE ST 2022-7).
    mutating func note(elsewhere count: Int, isTwin: Bool) {
        if isTwin { recovered &+= count } else { elsewhere &+= count }
    }
}

/// What a stream sends again of another one.
package enum Retransmission: UInt8, Sendable {
    /// Nothing: it is media of its own.
    case none
    /// Packets whose original number stands at the front of the payload (RFC 4588 §4).
    case numbered
    /// Packets as they were, but for the lowest bit of the SSRC, as RIST does.
    case same
    /// Parity over packets, of the same stream or of others (RFC 5109, RFC 8627).
    case parity
    /// Earlier payloads beside its own (RFC 2198).
    case redundant
}

extension SequenceTracker {
    /// Where a number near the highest one lies; nil when it is too far away to know.
    private func position(of sequence: UInt16) -> Int64? {
        guard expected > 0 else { return nil }
        let step = Int64(Int16(bitPattern: sequence &- lastSequence))
        let number = extended(step)
        return step <= 0 && step > -Int64(Self.history) && number >= lowest ? number : nil
    }

    /// Whether a packet with this number came lately.
    func holds(_ sequence: UInt16) -> Bool { position(of: sequence).map { hasCome($0) } ?? false }

    /// How far ahead of the highest number one may be that is sent again: the tap may be nearer to the sender than the loss.
    private static let ahead = 64

    /// Whether this number is missing, or did not come yet; and whether that was told.
    func lacks(_ sequence: UInt16) -> (isMissing: Bool, isTold: Bool) {
        let step = Int16(bitPattern: sequence &- lastSequence)
        if expected > 0, step > 0, step < Self.ahead { return (true, false) }
        guard let number = position(of: sequence), !hasCome(number) else { return (false, false) }
        return (true, isSettled(number))
    }
}
