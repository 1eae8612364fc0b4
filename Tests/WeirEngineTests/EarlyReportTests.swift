import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirTesting

/// Packets that arrive before the flow is recognized as media are not lost.
@Suite("Before media is recognized")
struct EarlyReportTests {
    private static let caller = Endpoint(address: IPAddress(ipv4: 0xC000_0201), port: 40_000)
    private static let callee = Endpoint(address: IPAddress(ipv4: 0xC000_0202), port: 50_000)

    private static func rtp(_ sequence: UInt8, type: UInt8 = 8, ssrc: UInt8 = 9) -> [UInt8] {
        [0x80, type, 1, sequence, 0, 0, 1, sequence, 0, 0, 0, ssrc] + [UInt8](repeating: 0xD5, count: 160)
    }

    /// An encrypted receiver report without a recognizable trailer.
    private static let encrypted: [UInt8] =
        [0x81, 0xC9, 0, 7, 0, 0, 0, 9] + [UInt8](repeating: 0xA7, count: 24) + [UInt8](repeating: 0x3C, count: 20)

    private func emit(_ datagrams: [[UInt8]], repeated: Set<Int> = []) -> AnalyzedTimeline {
        var frames: [KeptFrame] = []
        for (index, datagram) in datagrams.enumerated() {
            let packet = PacketBuilder.udp(
                datagram, from: Self.caller, to: Self.callee, identification: 100 + index)
            for _ in 0...(repeated.contains(index) ? 1 : 0) {
                let time = Timestamp(nanoseconds: Int64(index) * 20_000_000)
                frames.append(KeptFrame(packet: packet, number: frames.count + 1, time: time))
            }
        }
        return AnalyzedTimeline.emit(frames)
    }

    /// A single packet is no stream; the second one confirms that the first started it.
    @Test("RTCP before the first RTP is reported at its own frame")
    func reports() {
        let timeline = emit([Self.encrypted, Self.rtp(1), Self.encrypted, Self.rtp(2), Self.rtp(3)])
        let steps = zip(timeline.lines, timeline.places).map { "\($0.kind) \($1.frames.upperBound)" }
        #expect(steps == ["receiverReport 1", "receiverReport 3", "start 2", "end 5"])
        #expect(timeline.lines.first?.summary == "receiver report, encrypted (SRTCP), 52 octets")
    }

    @Test("RTCP without following media is ignored")
    func noMedia() {
        #expect(emit([Self.encrypted, [9, 9, 9, 9, 9, 9, 9, 9], Self.encrypted]).lines.isEmpty)
    }

    @Test("buffered packets count from the first one on")
    func duplicates() throws {
        let timeline = emit((1...5).map { Self.rtp($0) }, repeated: [0, 1, 4])
        let stream = try #require(timeline.streams.first?.details as? RTPStreamDetails)
        #expect(stream.stream.packets == 5 && stream.stream.captureDuplicates == 3)
    }

    @Test("a second format on the port is a second stream; the same format under another source is its successor")
    func successors() {
        let first = (1...4).map { Self.rtp($0) }
        let video = (1...4).map { Self.rtp($0, type: 96, ssrc: 7) }
        let again = (1...80).map { Self.rtp($0, ssrc: 8) }
        #expect(!emit(first + video).lines.map(\.kind).contains("sourceChange"))
        #expect(emit(first + again).lines.map(\.kind).contains("sourceChange"))
    }
}
