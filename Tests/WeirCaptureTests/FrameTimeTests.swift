import Foundation
import Testing
import WeirCapture
import WeirPackets

@Suite("Times of frames")
struct FrameTimeTests {
    /// Seconds in the frames' headers, seconds they count as, number of wrong times, and the first of these.
    static let cases: [(name: String, bears: [UInt32], counts: [Int64], wrong: Int, first: Int?)] = [
        ("one an hour back", [7_000, 7_001, 3_401, 7_002], [7_000, 7_001, 7_001, 7_002], 1, 3),
        ("one half a minute back", [7_000, 7_001, 6_971, 7_002], [7_000, 7_001, 7_001, 7_002], 1, 3),
        (
            "two, with others between them", [7_000, 0, 7_001, 7_002, 0, 7_003],
            [7_000, 7_000, 7_001, 7_002, 7_002, 7_003], 2, 2
        ),
        (
            "ten in a row", [7_000] + (0..<10).map { 3_400 + $0 / 4 } + [7_001, 7_002],
            Array(repeating: 7_000, count: 11) + [7_001, 7_002], 10, 2
        ),
        (
            "a clock that comes to where it was", [7_000, 3_400, 3_460, 6_990, 7_010, 7_020],
            [7_000, 3_400, 3_460, 6_990, 7_010, 7_020], 0, nil
        ),
        ("one five hours ahead", [7_000, 25_001, 7_001, 7_002], [7_000, 7_000, 7_001, 7_002], 1, 2),
        (
            "three in a row an hour back", [7_000, 7_001, 3_401, 3_401, 3_402, 7_002],
            [7_000, 7_001, 7_001, 7_001, 7_001, 7_002], 3, 3
        ),
        (
            "three in a row an hour ahead", [7_000, 7_001, 10_601, 10_601, 10_602, 7_002],
            [7_000, 7_001, 7_001, 7_001, 7_001, 7_002], 3, 3
        ),
        (
            "a second capture whose times come near again, frame by frame",
            [7_000, 7_010, 7_000, 7_002, 7_004, 7_006, 7_008],
            [7_000, 7_010, 7_000, 7_002, 7_004, 7_006, 7_008], 0, nil
        ),
        (
            "more in a row than are looked at", [7_000] + [UInt32](repeating: 3_400, count: 65) + [7_001],
            [7_000] + [Int64](repeating: 3_400, count: 65) + [7_001], 0, nil
        ),
        (
            "as many in a row as are looked at", [7_000] + [UInt32](repeating: 3_400, count: 64) + [7_001],
            [Int64](repeating: 7_000, count: 65) + [7_001], 64, 2
        ),
        ("a clock that was set back", [7_000, 7_001, 3_401, 3_402], [7_000, 7_001, 3_401, 3_402], 0, nil),
        ("a clock that was set ahead", [7_000, 10_601, 10_602], [7_000, 10_601, 10_602], 0, nil),
        ("idle for an hour", [7_000, 10_600, 10_600, 14_200], [7_000, 10_600, 10_600, 14_200], 0, nil),
        ("out of order by a second", [7_000, 7_001, 7_000, 7_001], [7_000, 7_001, 7_000, 7_001], 0, nil),
        ("the last one, of which nothing tells", [7_000, 7_001, 3_401], [7_000, 7_001, 3_401], 0, nil),
    ]

    @Test("a time far from its neighbors counts as that of the previous frame", arguments: cases)
    func classic(_ known: (name: String, bears: [UInt32], counts: [Int64], wrong: Int, first: Int?)) throws {
        var file = CaptureBytes.pcap()
        for seconds in known.bears { file.record([1, 2, 3], seconds: seconds) }
        try check(file.octets, known)
    }

    @Test("the same in pcapng, with other blocks between the packets", arguments: cases)
    func blocks(_ known: (name: String, bears: [UInt32], counts: [Int64], wrong: Int, first: Int?)) throws {
        var file = CaptureBytes()
        file.section()
        file.interface()
        for seconds in known.bears {
            file.enhanced([1, 2, 3], units: UInt64(seconds) * 1_000_000)
            file.block(0x0BAD) { $0.add(UInt32(0)) }
        }
        try check(file.octets, known)
    }

    private func check(
        _ octets: [UInt8], _ known: (name: String, bears: [UInt32], counts: [Int64], wrong: Int, first: Int?)
    ) throws {
        let path = try temporaryFile(octets)
        defer { try? FileManager.default.removeItem(atPath: path) }
        var file = try CaptureFile(path)
        var times: [Int64] = []
        while let frame = try file.next() { times.append(frame.info.time.nanoseconds / 1_000_000_000) }
        #expect(times == known.counts)
        #expect(file.wrongTimes?.frames ?? 0 == known.wrong)
        #expect(file.wrongTimes?.first == known.first)
    }
}
