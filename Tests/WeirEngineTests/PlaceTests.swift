import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirTesting

@testable import WeirProtocols

/// Events have the frame and time of the packet that shows them, even if they are confirmed later.
@Suite("When and where")
struct PlaceTests {
    private static func reported(_ capture: String, packets: Bool = false) throws -> AnalyzedTimeline {
        var options = AnalyzerOptions()
        options.packets = packets
        return AnalyzedTimeline.emit(
            try KeptFrame.read(RecordedCaptures.path("Captures/\(capture).pcap")), options: options)
    }

    @Test(
        "the parts of a handshake are reported where they are complete, even if identified later",
        arguments: [
            ("rtmp/rtmp-publish", ["C0": 6, "C1": 7, "S0": 10, "S1": 12, "S2": 16, "C2": 19]),
            ("rtmp/article-publish", ["C0": 5, "C1": 7, "S0": 9, "S1": 9, "S2": 11, "C2": 13]),
        ])
    func handshake(_ capture: String, _ frames: [String: Int]) throws {
        let timeline = try Self.reported(capture)
        for (line, place) in zip(timeline.lines, timeline.places) where line.kind == "handshake" {
            let name = String(line.summary.prefix(2))
            #expect(place.frames.upperBound == frames[name], "\(name)")
        }
    }

    @Test("a gap is between its adjacent packets", arguments: ["rtsp/rtsp-loss-udp", "rtsp/rtsp-retransmission"])
    func gaps(_ capture: String) throws {
        let timeline = try Self.reported(capture, packets: true)
        func number(_ frame: Int, _ source: Endpoint) -> Int? {
            let index = timeline.places.indices.first {
                timeline.places[$0].frames.upperBound == frame && timeline.lines[$0].kind == "packet"
                    && timeline.lines[$0].source == source
            }
            return index.flatMap { timeline.lines[$0].fields.integer("sequence") }
        }
        var gaps = 0
        for (line, place) in zip(timeline.lines, timeline.places)
        where line.kind == "gap" && line.protocolName == "rtp" {
            gaps += 1
            let first = try #require(line.fields.integer("firstSequence"))
            let last = try #require(line.fields.integer("lastSequence"))
            let behind = try #require(number(place.frames.upperBound, line.source), "\(line)")
            let before = try #require(number(place.frames.lowerBound, line.source), "\(line)")
            #expect(behind > last && before < first, "\(line)")
            #expect(place.frames.count > 1)
        }
        #expect(gaps > 0)
    }

    @Test(
        "an end has the frame of the stream's last packet",
        arguments: ["rtsp/rtsp-udp", "rtsp/rtsp-tcp-interleaved", "rtmp/rtmp-publish", "rtmp/rtmp-play"])
    func ends(_ capture: String) throws {
        let timeline = try Self.reported(capture, packets: true)
        let ends = zip(timeline.lines, timeline.places).filter { $0.0.kind == "end" }
        #expect(ends.count == timeline.streams.count)
        for (record, end) in zip(timeline.streams, ends) {
            #expect(end.1.frames.upperBound == record.lastFrame)
            #expect(end.0.source == record.source)
        }
    }

    @Test("text shows a gap in its place, before later events that were certain at once")
    func text() {
        let text = WholeAnalysis.reports("Captures/rtsp/rtsp-loss-udp.pcap").text
        let times = text.split(separator: "\n").compactMap { line -> Double? in
            guard line.contains("#"), let first = line.split(separator: " ").first else { return nil }
            return Double(first)
        }
        #expect(times.count > 20)
        #expect(times == times.sorted())
    }

    @Test("a jump of the capture clock is no jitter")
    func misstamped() throws {
        var stream = MediaStream(ssrc: 1)
        stream.configure(
            payloadType: 96, as: MediaFormat(mediaType: "video", encoding: "H264", clockRate: 90_000))
        for number in 0..<200 {
            let hour: Int64 = number % 50 == 49 ? 3_600_000_000_000 : 0
            let ticks = number * 36
            let packet: [UInt8] =
                [0x80, 96, 0, UInt8(number), 0, 0, UInt8(ticks >> 8), UInt8(ticks & 0xFF), 0, 0, 0, 1, 0x41, 0]
            let header = try RTPHeader(packet.rawSpan)
            _ = stream.observe(
                header, payload: packet.rawSpan,
                time: Timestamp(nanoseconds: 7_200_000_000_000 + Int64(number) * 400_000 - hour), frame: number + 1)
        }
        #expect(try #require(stream.jitter).meanMilliseconds < 5)
        #expect(stream.longestDelta < 1_000_000_000)
    }
}

extension [Field] {
    /// An integer member.
    fileprivate func integer(_ name: String) -> Int? {
        guard case .integer(let value)? = first(where: { $0.name == name })?.value else { return nil }
        return value
    }
}
