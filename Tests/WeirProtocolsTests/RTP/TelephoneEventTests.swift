import Testing
import WeirPackets
@testable import WeirProtocols

@Suite("Telephone events")
struct TelephoneEventTests {
    /// A packet of a telephone event, or of audio if the key is nil.
    struct Packet: Sendable {
        var number: UInt16
        var key: UInt8?
        var timestamp: UInt32
        var duration: UInt16 = 0
        var marker = false
        var isEnd = false
        /// Captured octets of the payload.
        var octets = 4
    }

    /// Packets of a key press, 160 ticks apart, the last with the end bit.
    private static func press(_ key: UInt8, from number: UInt16, at timestamp: UInt32, isEnded: Bool = true) -> [Packet]
    {
        (0..<4).map { place in
            Packet(
                number: number + place, key: key, timestamp: timestamp, duration: (place + 1) * 160, marker: place == 0,
                isEnd: isEnded && place == 3)
        }
    }

    private static func sound(_ numbers: Range<UInt16>, at timestamp: UInt32) -> [Packet] {
        numbers.map { Packet(number: $0, timestamp: timestamp + UInt32($0 - numbers.lowerBound) * 160) }
    }

    /// Returns the faults of packets 20 ms apart, and the number of events.
    private static func faults(_ packets: [Packet]) throws -> (faults: [PacketFault: Int], events: Int) {
        var stream = MediaStream(ssrc: 7)
        stream.configure(
            payloadType: 101, as: MediaFormat(mediaType: "audio", encoding: "telephone-event", clockRate: 8_000))
        for (place, packet) in packets.enumerated() {
            let payload: [UInt8] =
                packet.key.map { key in
                    [key, packet.isEnd ? 0x8A : 0x0A, UInt8(packet.duration >> 8), UInt8(packet.duration & 0xFF)]
                } ?? [UInt8](repeating: 0x5A, count: 160)
            let octets: [UInt8] =
                [
                    0x80, (packet.marker ? 0x80 : 0) | (packet.key == nil ? 0 : 101), UInt8(packet.number >> 8),
                    UInt8(packet.number & 0xFF),
                ] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: packet.timestamp >> $0) } + [0, 0, 0, 7] + payload
            let kept = packet.octets < 4 ? Array(octets.prefix(12 + packet.octets)) : octets
            let header = try RTPHeader(kept.rawSpan, wireLength: octets.count)
            let time = Timestamp(nanoseconds: Int64(place) * 20_000_000)
            let news = stream.observe(header, payload: kept.rawSpan.clamped(12), time: time, frame: place + 1)
            if news.contains(.gap) { while stream.takeGap(at: time) != nil {} }
        }
        stream.finish()
        while stream.takeLastGap() != nil {}
        stream.finishEvents()
        let found = stream.faults.entries.map { ($0.fault, $0.count) }
        return (Dictionary(uniqueKeysWithValues: found), stream.content.telephone?.count ?? 0)
    }

    @Test("a key that is held, pressed again or reported late breaks nothing")
    func kept() throws {
        let twice = Self.press(5, from: 1, at: 0) + Self.press(5, from: 5, at: 2_000) + Self.sound(9..<60, at: 4_000)
        #expect(try Self.faults(twice) == ([:], 2))
        // The first end packet is overtaken by the second.
        var late = twice
        late.swapAt(3, 4)
        #expect(try Self.faults(late).faults == [:])
        // The end is sent three times.
        let end = Packet(number: 5, key: 5, timestamp: 0, duration: 640, isEnd: true)
        let again = Packet(number: 6, key: 5, timestamp: 0, duration: 640, isEnd: true)
        #expect(try Self.faults(Self.press(5, from: 1, at: 0) + [end, again]) == ([:], 1))
        // A long event, in segments.
        let long = [
            Packet(number: 1, key: 5, timestamp: 0, duration: 0x8000, marker: true),
            Packet(number: 2, key: 5, timestamp: 0, duration: 0xFFFF),
            Packet(number: 3, key: 5, timestamp: 0xFFFF, duration: 0x8000),
            Packet(number: 4, key: 5, timestamp: 0xFFFF, duration: 0x9000, isEnd: true),
        ]
        #expect(try Self.faults(long + Self.sound(5..<60, at: 200_000)).faults == [:])
        // A state ended by another.
        let states = Self.press(40, from: 1, at: 0, isEnded: false) + Self.press(41, from: 5, at: 2_000, isEnded: false)
        #expect(try Self.faults(states + Self.sound(9..<60, at: 4_000)).faults == [:])
    }

    @Test("a key without an end, before the next one and at the end of the stream")
    func unended() throws {
        let first = Self.press(5, from: 1, at: 0, isEnded: false)
        let second = Self.press(6, from: 5, at: 2_000)
        #expect(try Self.faults(first + second + Self.sound(9..<60, at: 4_000)) == ([.eventEnd: 1], 2))
        #expect(try Self.faults(first + Self.sound(5..<60, at: 2_000)) == ([.eventEnd: 1], 1))
        #expect(
            try Self.faults(first + Self.sound(5..<90, at: 2_000) + Self.press(6, from: 90, at: 20_000)).faults.count
                == 1)
        // Nothing shows that it has ended.
        #expect(try Self.faults(first + Self.sound(5..<20, at: 2_000)).faults == [:])
        #expect(try Self.faults(first).faults == [:])
    }

    @Test("missing packets may have ended it")
    func lost() throws {
        let first = Self.press(5, from: 1, at: 0, isEnded: false)
        let second = Self.press(6, from: 9, at: 2_000)
        #expect(try Self.faults(first + second + Self.sound(13..<60, at: 4_000)).faults == [:])
        #expect(try Self.faults(first + Self.sound(6..<60, at: 2_000)).faults == [:])
        #expect(try Self.faults(first + Self.sound(5..<50, at: 2_000) + Self.sound(51..<120, at: 9_360)).faults == [:])
        // Truncated before the end bit.
        let cut = Packet(number: 5, key: 5, timestamp: 0, duration: 800, octets: 1)
        #expect(try Self.faults(first + [cut] + Self.sound(6..<60, at: 2_000)).faults == [:])
        // Lost before its start.
        let early = Self.sound(0..<1, at: 0) + Self.press(5, from: 4, at: 640, isEnded: false)
        #expect(try Self.faults(early + Self.sound(8..<60, at: 2_000)).faults == [.eventEnd: 1])
    }

    @Test("a timestamp that advances during a key press: still one event")
    func moves() throws {
        var packets = Self.press(5, from: 1, at: 0) + Self.press(6, from: 5, at: 2_000)
        for place in packets.indices { packets[place].timestamp += UInt32(place % 4) * 160 }
        let found = try Self.faults(packets + Self.sound(9..<60, at: 4_000))
        #expect(found == ([.eventTimestamp: 6], 2))
        // A packet in between is lost: the next may belong to another event.
        let torn = packets.filter { ![2, 3].contains($0.number) }
        #expect(try Self.faults(torn).faults[.eventTimestamp].map { $0 < 6 } ?? true)
    }
}
