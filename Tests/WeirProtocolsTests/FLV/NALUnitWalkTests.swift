import Testing
import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

@Suite struct NALUnitWalkTests {
    private static let header = hex("17 01 000000")

    /// Returns a NAL unit prefixed with its length of four octets.
    private static func unit(_ digits: String) -> [UInt8] {
        let octets = hex(digits)
        return [0, 0, 0, UInt8(octets.count)] + octets
    }

    private func walk(_ octets: [UInt8], pieces: Int = .max, lengthOctets: Int = 4) -> NALUnits? {
        var follower = NALUnitFollower()
        var lengths = UnitLengths()
        lengths.record(lengthOctets, of: UnitTrack(messageStreamID: 1), most: 1)
        var kept: [UInt8] = []
        var start = 0
        while start < octets.count {
            let piece = Array(octets[start..<min(octets.count, start &+ min(pieces, octets.count))])
            kept += piece.prefix(max(0, MediaPrefix.frameOctets - kept.count))
            follower.pass(
                kept: kept, piece: piece.rawSpan, from: start, length: octets.count, messageStreamID: 1,
                lengthOctets: lengths)
            start += piece.count
        }
        return follower.finished(length: octets.count)
    }

    @Test func typesAreFoundHoweverCut() throws {
        // Delimiter, parameter sets, SEI (user data, then a recovery point), a slice of 200 octets.
        let octets =
            Self.header + Self.unit("09F0") + Self.unit("674D401E") + Self.unit("68EE3C80")
            + Self.unit("06 05 04 01020304 06 01 C4 80") + [0, 0, 0, 200, 0x41] + [UInt8](repeating: 0, count: 199)
        let whole = try #require(walk(octets))
        #expect(whole.count == 5 && whole.problem == nil)
        #expect((0..<64).filter(whole.has) == [1, 6, 7, 8, 9])
        #expect(whole.hasRecoveryPoint && !whole.hasRandomAccess(isHEVC: false) && whole.hasPicture(isHEVC: false))
        for pieces in 1..<octets.count { #expect(walk(octets, pieces: pieces) == whole, "pieces of \(pieces)") }
    }

    @Test func lengthsOfOneAndTwoOctets() {
        let one = Self.header + hex("02 65AA 03 41BBCC 02 0900 02 0900")
        #expect(walk(one, lengthOctets: 1)?.count == 4)
        let two = Self.header + hex("0002 65AA 0003 41BBCC 0002 0900 0002 0900")
        #expect(walk(two, lengthOctets: 2)?.count == 4)
        #expect(walk(two, lengthOctets: 2)?.hasRandomAccess(isHEVC: false) == true)
    }

    @Test func h265() throws {
        let octets = hex("1C 01 000000") + Self.unit("4001AABB") + Self.unit("2601AA") + Self.unit("4E01 06 01 C4 80")
        let units = try #require(walk(octets))
        #expect((0..<64).filter(units.has) == [19, 32, 39])
        #expect(units.hasRandomAccess(isHEVC: true) && units.hasPicture(isHEVC: true) && units.hasRecoveryPoint)
        let inter = try #require(walk(hex("91 68766331 000000") + Self.unit("0201AA") + Self.unit("0201AABBCC")))
        #expect(inter.hasPicture(isHEVC: true) && !inter.hasRandomAccess(isHEVC: true))
    }

    @Test(arguments: [
        ("00000009 6501", NALUnits.Problem.overrun(needed: 9, left: 2)), ("00000002 6501 0000", .leftover(2)),
        ("00000001 67 4D401E00000001 68", .startCodes), ("FFFFFFFF 65", .overrun(needed: 0xFFFF_FFFF, left: 1)),
        ("00000008 65010203040506", .overrun(needed: 8, left: 7)),
    ])
    func problems(_ digits: String, _ problem: NALUnits.Problem) {
        let octets = Self.header + hex(digits)
        #expect(walk(octets + [])?.problem == problem)
        #expect(walk(octets, pieces: 1)?.problem == problem)
    }

    @Test func whatHasNoUnitsIsNotFollowed() {
        for digits in [
            "1700 000000 0142401EFFE10000", "22 0000000265AA", "57 00", "92 68766331", "91 61763031 0000000265AA",
        ] {
            #expect(walk(hex(digits)) == nil)
        }
    }

    @Test(arguments: 0..<3) func damagedOctetsDoNoHarm(_ seed: UInt64) {
        var generator = SeededGenerator(seed)
        for _ in 0..<2_000 {
            let octets = Self.header + generator.octets(Int(generator.next() % 300))
            let pieces = Int(generator.next() % 64) + 1
            #expect(walk(octets) == walk(octets, pieces: pieces))
        }
    }
}
