import Testing
import WeirPackets
@testable import WeirProtocols

@Suite("Frames of Opus packets")
struct OpusPacketTests {
    /// A packet: a TOC octet of 20 ms (configuration 31) with a frame count code, the following header octets, and the
    /// length of the frames.
    struct Packet: Sendable {
        var code: UInt8
        var head: [UInt8] = []
        var frames = 0
        var isWellFormed = true

        var octets: [UInt8] { [31 << 3 | code] + head + [UInt8](repeating: 0x5A, count: frames) }
    }

    static let packets: [Packet] = [
        // R2: one frame, possibly empty.
        Packet(code: 0, frames: 0), Packet(code: 0, frames: 1_275),
        Packet(code: 0, frames: 1_276, isWellFormed: false),
        // R3: two frames of equal length.
        Packet(code: 1, frames: 40), Packet(code: 1, frames: 41, isWellFormed: false),
        Packet(code: 1, frames: 2_552, isWellFormed: false),
        // R4: two frames, the first with a length of one or two octets.
        Packet(code: 2, isWellFormed: false), Packet(code: 2, head: [0]),
        Packet(code: 2, head: [1], isWellFormed: false),
        Packet(code: 2, head: [252], isWellFormed: false), Packet(code: 2, head: [252, 1], frames: 256),
        Packet(code: 2, head: [252, 1], frames: 255, isWellFormed: false),
        Packet(code: 2, head: [20], frames: 30), Packet(code: 2, head: [20], frames: 1_296, isWellFormed: false),
        // R5: a frame count, and 120 ms at most.
        Packet(code: 3, isWellFormed: false), Packet(code: 3, head: [0], frames: 30, isWellFormed: false),
        Packet(code: 3, head: [6], frames: 60), Packet(code: 3, head: [7], frames: 70, isWellFormed: false),
        // R6: frames of equal length, without the padding.
        Packet(code: 3, head: [3], frames: 61, isWellFormed: false), Packet(code: 3, head: [0x43, 1], frames: 61),
        Packet(code: 3, head: [0x43, 255, 6], frames: 320),
        Packet(code: 3, head: [0x41, 9], frames: 8, isWellFormed: false),
        Packet(code: 3, head: [0x41], isWellFormed: false), Packet(code: 3, head: [0x41, 255], isWellFormed: false),
        // R7: each frame except the last has a length.
        Packet(code: 3, head: [0x83, 10, 20], frames: 40), Packet(code: 3, head: [0x83, 10, 20], frames: 30),
        Packet(code: 3, head: [0x83, 10, 20], frames: 29, isWellFormed: false),
        Packet(code: 3, head: [0x83, 10], isWellFormed: false),
        Packet(code: 3, head: [0xC2, 5, 10], frames: 14, isWellFormed: false),
        Packet(code: 3, head: [0xC2, 4, 10], frames: 14),
    ]

    @Test("match the TOC octet, or do not", arguments: packets.indices)
    func wellFormed(_ index: Int) {
        let packet = Self.packets[index]
        let octets = packet.octets
        let isWellFormed = OpusPacket.isWellFormed(octets.rawSpan)
        #expect(isWellFormed == packet.isWellFormed, "\(packet.code) \(packet.head) \(packet.frames)")
    }

    @Test("an empty payload is no packet")
    func empty() {
        let octets: [UInt8] = []
        let isWellFormed = OpusPacket.isWellFormed(octets.rawSpan)
        #expect(!isWellFormed)
    }

    @Test("have the duration given by the TOC octet, at 48 kHz")
    func samples() {
        let samples = [0, 1, 2, 3, 11, 12, 13, 15, 16, 17, 18, 19, 31].map { OpusPacket.frameSamples(UInt8($0) << 3) }
        #expect(samples == [480, 960, 1_920, 2_880, 2_880, 480, 960, 960, 120, 240, 480, 960, 960])
    }

    /// Returns what packets of 20 ms show whose timestamps advance by `advance`, from the sequence number `first` on.
    private func short(
        _ advance: UInt32, first: Int = 0, count: Int = 64, marker: Bool = false
    ) -> OpusDurations.Short? {
        var durations = OpusDurations()
        var order = PacketOrder()
        let octets: [UInt8] = [31 << 3]
        for number in 0..<count {
            order.isNext = number > 0
            order.marker = marker
            order.timestamp = UInt32(number) &* advance
            order.frame = number + 1
            durations.observe(octets.rawSpan, isSound: true, UInt16(first + number), order)
        }
        return durations.short
    }

    @Test("last longer than timestamps advance, 20 times in a row")
    func durations() throws {
        let found = try #require(short(160))
        #expect(found.advance == 160 && found.duration == 960 && found.frame == 1)
        #expect(short(160, first: 40, count: 100)?.frame == 25)
        #expect(short(160, count: 20) == nil && short(160, marker: true) == nil)
        for advance: UInt32 in [0, 960, 1_920] { #expect(short(advance) == nil) }
    }
}
