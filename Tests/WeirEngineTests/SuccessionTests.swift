import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols

/// A second source on a port succeeds the first only after that has stopped.
@Suite("One source after another")
struct SuccessionTests {
    private func emit(_ media: String) -> AnalyzedTimeline { AnalyzedTimeline.emit(Transcript(media).frames) }

    /// Kind, first and last frame of events: starts and changes only.
    private func steps(_ timeline: AnalyzedTimeline) -> [String] {
        zip(timeline.lines, timeline.places).filter { ["start", "sourceChange"].contains($0.0.kind) }
            .map { "\($0.0.kind) \($0.1.frames.lowerBound - 3)...\($0.1.frames.upperBound - 3)" }
    }

    private static let first = "D 192.0.2.2:6000 192.0.2.1:5000 96 100 AAAA 30"

    @Test("a source that continues another one's stream is reported after a long enough silence")
    func silent() {
        let timeline = emit(Self.first + "\n\nD 192.0.2.2:6000 192.0.2.1:5000 96 7000 BBBB 100")
        // Packets are 20 ms apart, so that 51 packets exceed one second of silence.
        #expect(steps(timeline) == ["start 1...1", "start 31...31", "sourceChange 31...81"])
        let change = timeline.lines.first { $0.kind == "sourceChange" }
        #expect(change?.summary == "SSRC 0x0000aaaa → 0x0000bbbb at seq 7000")
    }

    @Test("after a pause it is recognized at once")
    func pause() {
        let timeline = emit(Self.first + "\n\n+3\n\nD 192.0.2.2:6000 192.0.2.1:5000 96 7000 BBBB 5")
        #expect(steps(timeline) == ["start 1...1", "sourceChange 31...31", "start 31...31"])
    }

    @Test("likewise if the sequence numbers continue")
    func sequence() {
        let timeline = emit(Self.first + "\n\nD 192.0.2.2:6000 192.0.2.1:5000 96 130 BBBB 5")
        #expect(steps(timeline) == ["start 1...1", "sourceChange 31...31", "start 31...31"])
    }

    @Test("two sources that both send are two streams", arguments: [1, 4])
    func both(_ packets: Int) {
        var media = Self.first
        for turn in 0..<30 {
            media += "\n\nD 192.0.2.2:6000 192.0.2.1:5000 96 \(7_000 + turn) BBBB 1"
            if turn % packets == 0 {
                media += "\n\nD 192.0.2.2:6000 192.0.2.1:5000 96 \(130 + turn / packets) AAAA 1"
            }
        }
        media += "\n\nD 192.0.2.2:6000 192.0.2.1:5000 96 7030 BBBB 80"
        let timeline = emit(media)
        #expect(steps(timeline) == ["start 1...1", "start 31...31"])
        #expect(timeline.streams.count == 2)
    }

    @Test("the same for interleaved channels")
    func interleaved() {
        let frames = { (count: Int, ssrc: UInt8, first: Int, from: Int64) in
            (0..<count).map { index -> (Int64, [UInt8]) in
                let payload: [UInt8] = [0x65, 1, 2, 3]
                let number = first + index
                let packet: [UInt8] =
                    [0x80, 96, UInt8(number >> 8), UInt8(number & 0xFF), 0, 0, UInt8(index), 0, 0, 0, 0, ssrc] + payload
                return (from + Int64(index) * 20_000_000, [0x24, 0, 0, UInt8(packet.count)] + packet)
            }
        }
        let alone = frames(30, 1, 100, 0) + frames(100, 2, 7_000, 600_000_000)
        let mixed = (frames(60, 1, 100, 0) + frames(100, 2, 7_000, 600_000_000)).sorted { $0.0 < $1.0 }
        for (octets, changes) in [(alone, 1), (mixed, 0)] {
            var wire = Wire()
            wire.connect()
            for (time, frame) in octets {
                wire.seconds = Double(time) / 1_000_000_000 + 1
                wire.send(fromClient: false, frame)
            }
            let timeline = AnalyzedTimeline.emit(
                wire.packets.enumerated().map { index, packet in
                    KeptFrame(
                        packet: packet.octets, number: index + 1, time: Timestamp(nanoseconds: packet.nanoseconds))
                })
            #expect(timeline.lines.filter { $0.kind == "sourceChange" }.count == changes)
            let packets = timeline.streams.map { ($0.details as? RTPStreamDetails)?.stream.packets }
            #expect(packets == (changes == 1 ? [30, 100] : [60, 100]))
        }
    }

    @Test("a source that restarts its numbers: both ranges are reported, and jitter restarts")
    func restart() throws {
        let timeline = emit(Self.first + "\n\nD 192.0.2.2:6000 192.0.2.1:5000 96 30000 AAAA 30")
        let change = try #require(timeline.lines.first { $0.kind == "sourceChange" })
        #expect(change.summary == "SSRC 0x0000aaaa restarts: seq 129 → 30000")
        #expect(steps(timeline).last == "sourceChange 31...32")
        var stream = MediaStream(ssrc: 1)
        stream.configure(payloadType: 0, as: MediaFormat(mediaType: "audio", encoding: "PCMU", clockRate: 8_000))
        for index in 0..<20 {
            let isLater = index >= 10
            let number = UInt16(index) &+ (isLater ? 30_000 : 0)
            let ticks = UInt32(index) * 160 &+ (isLater ? 5_000_000 : 0)
            let octets: [UInt8] =
                [0x80, 0, UInt8(number >> 8), UInt8(number & 0xFF)]
                + [24, 16, 8, 0].map { UInt8(ticks >> UInt32($0) & 0xFF) } + [0, 0, 0, 1, 0x55]
            _ = stream.observe(
                try RTPHeader(octets.rawSpan), payload: octets.rawSpan.clamped(12),
                time: Timestamp(nanoseconds: Int64(index) * 20_000_000), frame: index + 1)
        }
        #expect(stream.sequence.restarts == 1 && stream.jitter?.maximumTicks == 0)
        #expect(stream.jumps.count == 0)
    }

    @Test("late recognition is remarked on")
    func late() {
        let timeline = emit(Self.first)
        let start = timeline.lines.first { $0.kind == "start" }
        #expect(start?.fields.contains(Field("recognizedFrame", .integer(6))) == true)
        #expect(start?.remarks == ["expect.heuristic"])
    }
}
