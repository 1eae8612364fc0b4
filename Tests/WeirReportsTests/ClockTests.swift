import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirReports
import WeirTesting

/// Timeouts by the clock, and the effect of dropped packets on verdicts.
@Suite("Clock and dropped packets")
struct ClockTests {
    /// Analyzes frames into NDJSON; `before` is called before each frame, and with nil at the end.
    private static func records(
        _ frames: [KeptFrame], format: String = "pcap", before: (Analyzer, KeptFrame?) -> Void = { _, _ in }
    ) -> [Substring] {
        let output = MemoryOutput()
        let report = NDJSONReport(ReportOptions(), output: output)
        let analyzer = Analyzer(sink: RuleEngine(rules: BuiltIn.rules, sink: report))
        analyzer.begin(CaptureRecord(file: "memory", format: format, linkTypes: [.ethernet], snapLength: nil))
        for frame in frames {
            before(analyzer, frame)
            frame.use { analyzer.process($0) }
        }
        before(analyzer, nil)
        analyzer.finish()
        report.finish()
        return output.text.split(separator: "\n")
    }

    /// A recorded session, and one more packet long after it.
    private static func withLateFrame(_ name: String, seconds: Int64) throws -> [KeptFrame] {
        var frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/\(name)"))
        var last = try #require(frames.last)
        last.info.number += 1
        last.info.time.nanoseconds += seconds * 1_000_000_000
        frames.append(last)
        return frames
    }

    @Test(
        "the clock of a live capture ends everything as later packets do",
        arguments: ["rtsp-udp.pcap", "rtsp-client-gone.pcap", "rtsp-tcp-interleaved.pcap"])
    func sameWithAndWithoutPackets(name: String) throws {
        let frames = try Self.withLateFrame(name, seconds: 2_000)
        var time = try #require(frames.first?.info.time)
        var ended = 0
        let live = Self.records(frames) { analyzer, next in
            guard let next else { return }
            // Four times a second, one second late, until the packet arrives.
            while time.nanoseconds + 1_000_000_000 < next.info.time.nanoseconds {
                let open = analyzer.open.flows
                analyzer.advance(to: time)
                ended += open - analyzer.open.flows
                time.nanoseconds += 250_000_000
            }
        }
        #expect(ended > 0, "the clock alone ends flows")
        #expect(live == Self.records(frames))
        #expect(live.contains { $0.contains(#""record":"session""#) })
    }

    @Test("nothing stays open forever, and an end is at its own last packet")
    func nothingIsLeft() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-client-gone.pcap"))
        var openBefore = 0
        let records = Self.records(frames) { analyzer, next in
            guard next == nil, let last = frames.last?.info.time else { return }
            openBefore = analyzer.open.flows
            analyzer.advance(to: Timestamp(nanoseconds: last.nanoseconds + 2_000_000_000_000))
            #expect(analyzer.open == (flows: 0, sessions: 0, streams: 0))
        }
        #expect(openBefore > 0)
        let ends = records.filter { $0.contains(#""protocol":"rtp","kind":"end""#) }
        #expect(!ends.isEmpty)
        #expect(ends.allSatisfy { !$0.contains(".000000000Z") })
    }

    @Test("times that jump ahead and back do not stop the clock")
    func steppingBack() throws {
        var frames: [KeptFrame] = []
        func add(port: UInt16, second: Int64) {
            let from = Endpoint(address: PacketBuilder.client.address, port: port)
            frames.append(
                KeptFrame(
                    packet: PacketBuilder.udp([1, 2, 3], from: from, identification: frames.count + 1),
                    number: frames.count + 1, time: Timestamp(nanoseconds: second * 1_000_000_000 + 1)))
        }
        add(port: 1, second: 1_000)
        add(port: 2, second: 9_000_000)
        for step in 0..<300 { add(port: 3, second: 1_001 + Int64(step)) }
        var open = 0
        _ = Self.records(frames) { analyzer, next in if next == nil { open = analyzer.open.flows } }
        #expect(open == 2, "the flow that still speaks, and the one of the future")
    }

    @Test("times at the ends of the range")
    func extremes() {
        let times: [Int64] = [.min, .max, 0, .max, .min, -1, .max - 1, 1]
        let frames = times.enumerated().map { index, time in
            KeptFrame(
                packet: PacketBuilder.udp([1], identification: index + 1), number: index + 1,
                time: Timestamp(nanoseconds: time))
        }
        let records = Self.records(frames) { analyzer, next in
            if next == nil { analyzer.advance(to: Timestamp(nanoseconds: .max)) }
        }
        #expect(records.last?.contains(#""packets":8"#) == true)
    }

    @Test("what dropped packets may explain is no peer's fault")
    func drops() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-loss-udp.pcap"))
        func verdicts(_ records: [Substring]) -> Set<String> {
            Set(
                records.filter { $0.contains(#""rule":"RTP-SEQ-LOSS""#) }.map {
                    $0.contains(#""verdict":"inconclusive""#) ? "inconclusive" : "fail"
                })
        }
        #expect(verdicts(Self.records(frames)) == ["fail"])
        let dropped = Self.records(frames, format: "live") { analyzer, next in
            if next?.info.number == 30, let time = next?.info.time { analyzer.noteDrops(2, at: time) }
        }
        #expect(verdicts(dropped) == ["inconclusive"])
        #expect(dropped.last?.contains(#""droppedPackets":2"#) == true)
        // Long before: these packets are from another time.
        let early = Self.records(frames, format: "live") { analyzer, next in
            guard let next, next.info.number == 1 else { return }
            analyzer.noteDrops(1, at: Timestamp(nanoseconds: next.info.time.nanoseconds - 60_000_000_000))
        }
        #expect(verdicts(early) == ["fail"])
        #expect(Self.records(frames, format: "live").last?.contains(#""droppedPackets":0"#) == true)
        #expect(Self.records(frames).last?.contains("droppedPackets") == false)
    }
}
