import CaptureTesting
import Testing
@testable import WeirEngine
@testable import WeirProtocols
import WeirPackets

@Suite("Faults planted in healthy media")
struct PlantedFaultTests {
    /// The rules about single packets and about payload formats.
    static let rules = MediaExamples.all.keys.sorted()

    static func judged(
        _ frames: [KeptFrame], _ name: String = "planted", decodeAs: [AnalyzerOptions.DecodeAs] = []
    ) -> Collector {
        let collector = Collector()
        var options = AnalyzerOptions()
        options.decodeAs = decodeAs
        let analyzer = Analyzer(
            options: options, sink: RuleEngine(rules: BuiltIn.rules, of: BuiltIn.plugins, sink: collector))
        analyzer.begin(CaptureRecord(file: name, format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return collector
    }

    /// Returns the media streams of a capture.
    static func streams(_ frames: [KeptFrame]) -> [StreamRecord] {
        final class Streams: ReportSink {
            var all: [StreamRecord] = []
            func stream(_ stream: StreamRecord, session: SessionReference?) { all.append(stream) }
        }
        let streams = Streams()
        let analyzer = Analyzer(sink: RuleEngine(rules: [], of: BuiltIn.plugins, sink: streams))
        analyzer.begin(CaptureRecord(file: "streams", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return streams.all
    }

    @Test("are reported once, at the packet that shows them", arguments: PlantedFaults.all)
    func planted(_ fault: PlantedFault) throws {
        var capture = try PlantedCapture(RecordedCaptures.path("Captures/\(fault.capture).pcap"))
        capture.change(payloadType: fault.payloadType, fault.plant)
        try expect(fault, in: capture)
    }

    @Test(
        "in reports are reported at the datagram that shows them",
        arguments: PlantedFaults.reports + PlantedFaults.brokenReports)
    func plantedReports(_ fault: PlantedFault) throws {
        var capture = try PlantedCapture(RecordedCaptures.path("Captures/\(fault.capture).pcap"))
        capture.changeReports(fault.plant)
        try expect(fault, in: capture)
    }

    private func expect(_ fault: PlantedFault, in capture: PlantedCapture) throws {
        let first = try #require(capture.changed.first)
        let all = Self.judged(capture.frames, decodeAs: PlantedFaults.meanings(fault.capture)).findings
        let found = all.filter { $0.rule == fault.rule && $0.verdict == .fail }
        let words = fault.said.split(separator: " ").map(String.init)
        let said = found.filter { $0.message.key == "\(fault.rule).\(words[1])" }
        #expect(said.first?.severity.rawValue == words[0], "\(found.map(Collector.line))")
        if fault.payloadType > 0 { #expect(said.count == 1) }
        guard let finding = said.first, let frame = finding.frame else { return }
        switch fault.pointsAt {
        case .changed: #expect(frame == first)
        case .after: #expect(frame > first)
        case .anywhere: #expect(frame >= first)
        }
        let time = try #require(capture.frames.first { $0.info.number == frame }).info.time
        #expect(finding.time == time)
    }

    @Test("with another version are not missing packets")
    func version() throws {
        var capture = try PlantedCapture(RecordedCaptures.path("Captures/rtsp/rtsp-udp.pcap"))
        capture.change(payloadType: 96) { packet, number in
            guard number % 10 == 5 else { return false }
            packet[0] = packet[0] & 0x3F | 0x40
            return true
        }
        #expect(Self.judged(capture.frames).said("RTP-SEQ-LOSS") == [])
    }

    @Test("losses before the capture are not reported by a report after its start")
    func lostBefore() throws {
        var capture = try PlantedCapture(RecordedCaptures.path("Captures/rtsp/rtsp-standstill-udp.pcap"))
        capture.changeReports { packet, _ in PlantedFaults.reportLoss(in: &packet, from: 0, to: 120) }
        #expect(!capture.changed.isEmpty)
        #expect(Self.judged(capture.frames).said("RTCP-RR-LOSS") == [])
    }

    @Test("a requested key frame that never arrived; one that did")
    func keyframes() throws {
        var capture = try PlantedCapture(RecordedCaptures.path("Captures/rtsp/rtsp-standstill-udp.pcap"))
        let video: [UInt8] = [0x8A, 0xBA, 0x8F, 0x7F]
        capture.changeReports { packet, number in
            guard number == 0 else { return false }
            packet += [0x81, 206, 0, 2] + packet[4..<8] + video
            return true
        }
        #expect(Self.judged(capture.frames).tally("RTCP-PLI-SERVED").pass == 1)
        var asked = try PlantedCapture(RecordedCaptures.path("Captures/rtsp/rtsp-standstill-udp.pcap"))
        asked.changeReports { packet, number in
            guard number == 0 else { return false }
            packet += [0x81, 206, 0, 2] + packet[4..<8] + video
            return true
        }
        let frame = try #require(asked.changed.first)
        asked.change(payloadType: 96) { packet, _ in
            guard [5, 7].contains(packet[12] & 0x1F) else { return false }
            packet[12] = packet[12] & 0xE0 | 12
            return true
        }
        let collector = Self.judged(asked.frames)
        #expect(collector.said("RTCP-PLI-SERVED") == ["warning RTCP-PLI-SERVED.never"])
        #expect(collector.findings.first { $0.rule == "RTCP-PLI-SERVED" }?.frame == frame)
    }

    @Test("audio and video that drift apart by 80 ms in 5 s, and which of them drifted")
    func skew() throws {
        var capture = try PlantedCapture(RecordedCaptures.path("Captures/rtsp/rtsp-udp.pcap"))
        #expect(Self.judged(capture.frames).tally("RTP-SKEW").pass == 1)
        var first: UInt32?
        capture.change(payloadType: 96) { packet, _ in
            let timestamp = packet[4..<8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let begin = first ?? timestamp
            first = begin
            let moved = timestamp &+ UInt32(Double(timestamp &- begin) * 0.016)
            packet.replaceSubrange(4..<8, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: moved >> $0) })
            return true
        }
        #expect(Self.judged(capture.frames).said("RTP-SKEW") == ["warning RTP-SKEW.video"])
    }

    @Test("media with a far higher bit rate than described", arguments: [("b=AS:05", false), ("b=AS:64", true)])
    func bandwidth(limit: String, isKept: Bool) throws {
        var frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp.pcap"))
        for index in frames.indices {
            guard let place = frames[index].octets.firstRange(of: Array("b=AS:64".utf8)) else { continue }
            frames[index].octets.replaceSubrange(place, with: Array(limit.utf8))
        }
        let said = Self.judged(frames).said("SDP-BW")
        #expect(said == (isKept ? [] : ["warning SDP-BW.exceeded"]))
    }

    @Test("a correct full intra request")
    func fullPictures() throws {
        var capture = try PlantedCapture(RecordedCaptures.path("Captures/rtsp/rtsp-standstill-udp.pcap"))
        capture.changeReports { packet, _ in
            guard packet[1] == 201 else { return false }
            packet += [0x84, 206, 0, 4] + packet[4..<8] + [0, 0, 0, 0] + packet[8..<12] + [5, 0, 0, 0]
            return true
        }
        let collector = Self.judged(capture.frames)
        #expect(collector.said("RTCP-FIR") == [] && collector.tally("RTCP-FIR").pass > 1)
    }

    @Test("an MPEG program stream is reported")
    func programStream() throws {
        var stream = MediaStream(ssrc: 7)
        stream.configure(payloadType: 96, as: MediaFormat(mediaType: "video", encoding: "PS", clockRate: 90_000))
        let packet: [UInt8] = [0x80, 96, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 1, 0xBA, 0x44, 0]
        let header = try RTPHeader(packet.rawSpan)
        _ = stream.observe(
            header, payload: packet.rawSpan.clamped(12), time: Timestamp(nanoseconds: 0), frame: 9)
        #expect(stream.faults[.programStream]?.frames == [9])
    }

    @Test("media in IP fragments is reported")
    func fragments() throws {
        let collector = Collector()
        try WholeAnalysis.run(RecordedCaptures.path("Captures/transport/fragments-rtp.pcap"), into: collector)
        #expect(collector.said("RTP-FRAGMENT") == ["warning RTP-FRAGMENT.fragmented"])
    }

    @Test("are not found in media whose formats are known", arguments: PlantedFaults.unsignaled)
    func healthyUnsignaled(_ name: String) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        let found = Self.judged(frames, decodeAs: PlantedFaults.meanings(name)).findings
        #expect(found.filter { Self.rules.contains($0.rule) && $0.verdict == .fail }.map(Collector.line) == [])
    }

    @Test("H.265 PACI packets, also with fragments, break nothing")
    func extensions() throws {
        var capture = try PlantedCapture(RecordedCaptures.path("Captures/rtsp/rtsp-h265-opus.pcap"))
        capture.change(payloadType: 96) { packet, _ in
            guard packet[12] >> 1 & 0x3F == 49, packet[14] & 0x40 == 0 else { return false }
            // PHSsize 0: the fragment follows.
            packet.replaceSubrange(12..<14, with: [50 << 1, 1, 49 << 1, 0])
            return true
        }
        #expect(!capture.changed.isEmpty)
        let found = Self.judged(capture.frames).findings.filter { $0.rule.hasPrefix("H265-") && $0.verdict == .fail }
        #expect(found.map(Collector.line) == [])
    }

    @Test("a telephone event whose last packet is missing may have ended", arguments: [7, 15, 23])
    func eventEnds(_ last: Int) throws {
        let name = "rtp/rtp-telephone-event"
        let meanings = PlantedFaults.meanings(name)
        var capture = try PlantedCapture(RecordedCaptures.path("Captures/\(name).pcap"))
        capture.change(payloadType: 101) { _, number in number == last }
        let frame = try #require(capture.changed.first)
        let rest = capture.frames.filter { $0.info.number != frame }
        let lost = Self.judged(rest, decodeAs: meanings)
        #expect(lost.findings.filter { $0.rule == "TEL-EVENT" && $0.verdict == .fail }.isEmpty)
        #expect(lost.tally("TEL-EVENT").pass == 1)
        // The packet arrived and had no end.
        capture.change(payloadType: 101) { packet, number in
            packet[13] &= 0x7F
            return number == last
        }
        #expect(Self.judged(capture.frames, decodeAs: meanings).said("TEL-EVENT") == ["error TEL-EVENT.end"])
    }

    /// Faults that recorded peers have (Documentation/findings.md).
    private static let faultsOfPeers = [
        // The description of the script that implements RTSP there lacks the packetization mode.
        "rtsp-srtp-sdes": "H264-MODE",
        // A PCR every 80 ms, and sender reports that count no packets.
        "mpegts-subtitles": "TS-PCR", "rtp-rist-librist": "RTCP-SR-COUNT",
        "rtp-rist-bonding": "RTCP-SR-COUNT",
    ]

    @Test("are not found in the recorded captures", arguments: RecordedCaptures.all.filter { $0.contains("/rt") })
    func healthy(_ path: String) throws {
        let collector = Collector()
        try WholeAnalysis.run(RecordedCaptures.path(path), into: collector)
        // Known habits of peers are reported, and occur in some captures.
        let found = collector.findings.filter {
            Self.rules.contains($0.rule) && $0.verdict == .fail && $0.quirk == nil
        }
        let wrong = Self.faultsOfPeers.first { path.contains($0.key) }?.value
        #expect(found.map(\.rule) == wrong.map { [$0] } ?? [], "\(found.map(Collector.line))")
    }
}
