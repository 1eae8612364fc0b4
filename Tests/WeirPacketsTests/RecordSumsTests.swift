import Testing
import WeirPackets

/// Sums of the records in blocks.
@Suite struct RecordSumsTests {
    private static let lengths = [46, 60, 0, 21, 22, 200, 46]

    /// Consecutive records, and the position and frame of each.
    private static func records() -> (octets: [UInt8], places: [(start: Int, frame: [UInt8])]) {
        var octets: [UInt8] = []
        var places: [(start: Int, frame: [UInt8])] = []
        for (number, length) in lengths.enumerated() {
            let frame = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 31 + number * 7 + 1) }
            places.append((octets.count, frame))
            for value in [UInt32(number), 0, UInt32(length), UInt32(length)] {
                octets += (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            }
            octets += frame
        }
        return (octets, places)
    }

    /// Wherever the blocks end, each record in one block has its sum, and no other has any.
    @Test func endAnywhere() throws {
        let (octets, places) = Self.records()
        for first in 0...octets.count {
            for second in [first + 1, first + 15, first + 16, first + 17, first + 90] where second <= octets.count {
                var reader = RecordSums(largest: 200)
                for block in [0..<first, first..<second, second..<octets.count] {
                    let sums = reader.read(Array(octets[block]).rawSpan, at: 1_000)
                    let whole = places.filter {
                        block.contains($0.start) && $0.start + 16 + $0.frame.count <= block.upperBound
                            && $0.frame.count >= 22
                    }
                    #expect(sums.map { Int($0.position) } == whole.map { $0.start - block.lowerBound + 1_000 })
                    for (sum, place) in zip(sums, whole) {
                        #expect(sum.octets.isKnown)
                        let expected = OctetSum(place.frame.rawSpan)
                        #expect(sum.octets == expected)
                    }
                }
            }
        }
    }

    /// Nothing after an impossible length is a record, in the same block or the next, however the header is divided.
    @Test func stopAtAnImpossibleLength() {
        let (octets, _) = Self.records()
        for end in [octets.count, 16 + 46 + 16 + 60 + 16 + 16 + 21 + 16 + 22 + 9] {
            var reader = RecordSums(largest: 100)
            var sums = reader.read(Array(octets[..<end]).rawSpan, at: 0)
            sums += reader.read(Array(octets[end...]).rawSpan, at: 0)
            sums += reader.read(octets.rawSpan, at: 0)
            #expect(sums.count == 3)
        }
    }
}
