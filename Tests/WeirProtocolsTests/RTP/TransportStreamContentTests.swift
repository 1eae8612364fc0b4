import Testing
import WeirPackets

@testable import WeirProtocols

/// Clocks, timestamps, descriptors and texts of transport streams.
@Suite("Contents of transport streams") struct TransportStreamContentTests {
    /// A clock with a reference every 20 ms of the stream, at these packets, each shifted by ticks of 27 MHz.
    private func clock(_ packets: [Int], shift: [Int: Int64] = [:], arrival: [Int: Int64] = [:]) -> ProgramClock {
        var clock = ProgramClock()
        for (index, packet) in packets.enumerated() {
            let ticks = Int64(index) * 540_000 + (shift[index] ?? 0)
            clock.take(.init(value: ticks, time: Int64(index) * 20_000_000 + (arrival[index] ?? 0), packet: packet))
        }
        return clock
    }

    @Test("At a constant bit rate, accuracy is the deviation of a reference from its position")
    func accuracy() throws {
        let exact = clock((0..<40).map { $0 * 20 })
        #expect(exact.deviationNanoseconds == 0 && exact.count == 40)
        // 27 ticks are a microsecond.
        let shifted = clock((0..<40).map { $0 * 20 }, shift: [20: 27])
        #expect(try #require(shifted.deviationNanoseconds) == 1_000)
    }

    @Test("At a variable bit rate, accuracy is unknown")
    func variable() {
        let clock = clock((0..<40).map { $0 * 20 + ($0 % 3) * 7 })
        #expect(clock.deviationNanoseconds == nil && clock.intervalMilliseconds?.mean == 20)
    }

    @Test("Jitter is the difference between arrival and clock")
    func jitter() throws {
        let late = clock((0..<11).map { $0 * 20 }, arrival: [5: 8_000_000])
        let jitter = try #require(late.jitterMilliseconds)
        #expect(jitter.largest == 8 && abs(jitter.mean - 1.6) < 0.001)
    }

    @Test("Clocks and timestamps wrap")
    func wraps() {
        let turn = Int64(1) << 33
        let before = ProgramClock.Point(value: turn * 300 - 27_000, time: 0, packet: 0)
        #expect(ProgramClock.Point(value: 27_000, time: 0, packet: 1).step(since: before) == 2_000_000)
        #expect(PresentationTimes.distance(10, from: turn - 10) == 20)
        #expect(PresentationTimes.distance(turn - 10, from: 10) == -20)
    }

    @Test("Timestamps are read from the header of a PES packet")
    func timestamps() throws {
        let packet: [UInt8] = [
            0, 0, 1, 0xE0, 0, 0, 0x80, 0xC0, 10, 0x31, 0x00, 0x01, 0x1F, 0x41, 0x11, 0x00, 0x01, 0x00, 0x01,
        ]
        let found = PresentationTimes(packet.rawSpan)
        let times = try #require(found)
        #expect(times.presentation == 4_000 && times.decoding == 0 && times.reordering == 4_000)
        let truncated = PresentationTimes(Array(packet.prefix(12)).rawSpan)
        #expect(truncated == nil)
    }

    @Test("Descriptors name languages, teletext pages, access systems and codecs")
    func descriptors() {
        let octets: [UInt8] =
            [0x56, 10] + Array("eng".utf8) + [0x09, 0x00] + Array("deu".utf8) + [0x10, 0x88]
            + [0x09, 4, 0x05, 0x00, 0xE1, 0x00]
        let found = TransportStreamDescriptors(octets[...])
        #expect(found.codec == "teletext" && found.languages == ["eng", "deu"] && found.accessSystems == [0x0500])
        #expect(found.pages.map(\.number) == ["100", "888"] && found.pages.map(\.hasSubtitles) == [false, true])
        #expect(TransportStreamDescriptors([0x59, 8] + Array("fra".utf8) + [0x10, 0, 1, 0, 1]).languages == ["fra"])
        #expect(TransportStreamDescriptors([0x05, 4] + Array("Opus".utf8)).codec == "Opus")
        // A truncated descriptor ends the loop.
        #expect(TransportStreamDescriptors([0x6A, 9, 1]).codec == nil)
    }

    @Test(
        "Texts have the table that they name",
        arguments: [
            (Array("News".utf8), "News"), ([0x15] + Array("Zürich".utf8), "Zürich"),
            ([0xC8, 0x75, 0x72], "u\u{308}r"), ([0x10, 0, 1, 0xFC], "ü"), ([0x01, 0xB0, 0xD1], "Аб"),
            ([0x11, 0x4E, 0x2D], "中"), ([0x0B, 0xA4], "€"), ([0x86, 0x41, 0x87, 0x8A, 0x42], "A B"),
            ([0x05, 0xFD], "\u{FFFD}"), ([], ""),
        ] as [([UInt8], String)])
    func texts(_ octets: [UInt8], _ text: String) {
        #expect(DVBText.decoded(octets[...]) == text)
    }
}
