import Testing
import WeirPackets
import WeirTesting

@Suite struct CaptureDuplicatesTests {
    var table = CaptureDuplicates()
    var tally = CaptureDuplicates.Tally()
    /// The time of the previous packet.
    var latest = Timestamp(nanoseconds: 0)

    mutating func judge(
        _ fingerprint: UInt64,
        at place: UInt32 = 1,
        milliseconds: Double = 0,
        identified: Bool = true
    ) -> CaptureDuplicates.Verdict {
        let time = Timestamp(nanoseconds: Int64(milliseconds * 1e6))
        defer { latest = time }
        return table.judge(
            fingerprint: fingerprint, origin: place << 8, isIdentified: identified, flow: 1, latest: latest,
            time: time, tally: &tally)
    }

    /// Adds enough packets that a single repetition stands out.
    mutating func begin() {
        for packet in 0..<20 { #expect(judge(1_000 + UInt64(packet)) == .original) }
    }

    @Test mutating func theSamePacketElsewhereIsTheCapturesDoing() {
        #expect(judge(5) == .original)
        #expect(judge(5, at: 2, milliseconds: 0.2) == .captureDuplicate)
        #expect(judge(5, at: 3, milliseconds: 0.4) == .captureDuplicate)
        #expect(judge(5, at: 4, milliseconds: 0.4) == .captureDuplicate)
        #expect(table.count == 3)
    }

    @Test mutating func copiesMayComeInterleaved() {
        for packet in 0..<100 as Range<UInt64> {
            #expect(judge(packet, milliseconds: Double(packet)) == .original)
            if packet >= 3 { #expect(judge(packet - 3, at: 2, milliseconds: Double(packet)) == .captureDuplicate) }
        }
    }

    @Test mutating func copiesMayComeAfterABurst() {
        for packet in 0..<200 as Range<UInt64> { #expect(judge(packet) == .original) }
        for packet in 0..<200 as Range<UInt64> {
            #expect(judge(packet, at: 2, milliseconds: 1) == .captureDuplicate, "forgotten")
        }
    }

    @Test mutating func theNetworksDuplicateCountsAndIsSeenElsewhereToo() {
        begin()
        #expect(judge(5) == .original)
        #expect(judge(5, milliseconds: 1) == .networkDuplicate)
        #expect(judge(5, at: 2, milliseconds: 1.1) == .captureDuplicate)
        #expect(judge(5, at: 2, milliseconds: 1.2) == .captureDuplicate)
        #expect(judge(5, at: 2, milliseconds: 1.3) == .networkDuplicate, "a third packet")
    }

    @Test mutating func aMirrorPortDoublesEveryPacketAtOnePlace() {
        for packet in 0..<50 as Range<UInt64> {
            #expect(judge(packet, milliseconds: Double(packet)) == .original)
            #expect(judge(packet, milliseconds: Double(packet) + 0.01) == .captureDuplicate)
        }
    }

    @Test mutating func laterIsAnotherPacket() {
        #expect(judge(5) == .original)
        #expect(judge(5, at: 2, milliseconds: 1_200) == .original)
        #expect(judge(6, milliseconds: 2_000) == .original)
        #expect(judge(6, milliseconds: 2_100) == .original)
    }

    /// Two simultaneous captures merged with a given offset in milliseconds; packets are 10 ms apart.
    @Test(arguments: [50, 500, 2_000, 3_000]) mutating func aSecondCopyOfAllPacketsIsTheCapturesDoing(_ distance: Int) {
        var originals = 0
        for packet in 0..<1_200 {
            let now = Double(packet * 10)
            #expect(judge(UInt64(packet), milliseconds: now) == .original)
            guard packet * 10 >= distance else { continue }
            let copied = UInt64(packet - distance / 10)
            if judge(copied, milliseconds: now + 3) != .captureDuplicate { originals += 1 }
        }
        #expect(originals == 1, "the first one shows the distance")
    }

    @Test mutating func aCopyAfterASilenceMayBeAnotherConversation() {
        for packet in 0..<100 as Range<UInt64> { #expect(judge(packet, milliseconds: Double(packet)) == .original) }
        for packet in 0..<100 as Range<UInt64> {
            #expect(judge(packet, milliseconds: 6_000 + Double(packet)) == .original)
        }
    }

    /// Copies arrive between their originals, in reverse order.
    @Test mutating func copiesOfABurstAreTheCapturesDoing() {
        for burst in 0..<20 as Range<UInt64> {
            let (first, start) = (burst * 8, Double(burst) * 40)
            for packet in 0..<8 as Range<UInt64> {
                #expect(judge(first + packet, milliseconds: start) == .original)
            }
            for packet in (0..<8 as Range<UInt64>).reversed() {
                #expect(judge(first + packet, milliseconds: start + 0.3) == .captureDuplicate)
            }
        }
    }

    /// Hosts that retransmit do so at equal intervals, too.
    @Test mutating func withoutIdentificationItTakesManyCopiesInARow() {
        var originals = 0
        for packet in 0..<200 as Range<UInt64> {
            let now = Double(packet * 10)
            #expect(judge(packet, milliseconds: now, identified: false) == .original)
            guard packet >= 50 else { continue }
            if judge(packet - 50, milliseconds: now + 3, identified: false) == .original { originals += 1 }
        }
        #expect(originals == 32)
    }

    @Test mutating func onePacketThatIsSaidOverAndOverIsAnotherEachTime() {
        for turn in 0..<20 { #expect(judge(5, milliseconds: Double(turn) * 500) == .original) }
    }

    @Test mutating func withoutIdentificationLessTimeIsAllowed() {
        begin()
        #expect(judge(5, identified: false) == .original)
        #expect(judge(5, at: 2, milliseconds: 50, identified: false) == .captureDuplicate)
        #expect(judge(5, at: 3, milliseconds: 200, identified: false) == .original)
        #expect(judge(6, milliseconds: 300, identified: false) == .original)
        #expect(judge(6, milliseconds: 310, identified: false) == .original)
    }

    @Test mutating func equalPacketsOfOtherFlowsAreOthers() {
        #expect(judge(5) == .original)
        var other = CaptureDuplicates.Tally()
        let verdict = table.judge(
            fingerprint: 5, origin: 9, isIdentified: true, flow: 2, latest: latest, time: Timestamp(nanoseconds: 0),
            tally: &other)
        #expect(verdict == .original)
    }

    @Test mutating func anyTimesAndFingerprintsAreJudged() {
        var random = SeededGenerator(3)
        for _ in 0..<50_000 {
            _ = table.judge(
                fingerprint: random.next() % 64, origin: UInt32(truncatingIfNeeded: random.next() % 7),
                isIdentified: random.chance(2), flow: .random(in: .min ... .max, using: &random) % 2,
                latest: Timestamp(nanoseconds: random.chance(2) ? .random(in: .min ... .max, using: &random) : 0),
                time: Timestamp(nanoseconds: random.chance(2) ? .random(in: .min ... .max, using: &random) : 0),
                tally: &tally)
        }
        #expect(table.count > 0)
    }
}
