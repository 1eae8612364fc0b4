import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// Media over UDP that is missing from the capture but was received.
@Suite("Packets missing only from the capture")
struct ReceivedTests {
    private static let source: [UInt8] = [0x0C, 0xCF, 0x2C, 0xD1]

    /// Returns the indexes of the frames with packets of the source.
    private static func media(_ frames: [KeptFrame]) -> [Int] {
        frames.indices.filter { place in
            guard let datagram = frames[place].datagram, datagram.count > 12 else { return false }
            let first = datagram.startIndex
            return datagram[first] == 0x80
                && datagram[(first + 8)..<(first + 12)].elementsEqual(source)
        }
    }

    private static func judged(_ frames: [KeptFrame]) -> Collector {
        let collector = Collector()
        var options = AnalyzerOptions()
        options.verifiesChecksums = false
        let analyzer = Analyzer(options: options, sink: RuleEngine(rules: BuiltIn.rules, sink: collector))
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return collector
    }

    @Test("are no loss if a later receiver report counts them", arguments: [1, 3])
    func arrived(count: Int) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp-gst.pcap"))
        let media = Self.media(frames)
        #expect(media.count > 100)
        let missing = Set(media[40..<(40 + count)])
        let rest = frames.indices.filter { !missing.contains($0) }.map { frames[$0] }.numbered
        let found = Self.judged(rest).findings.filter { $0.rule == "RTP-SEQ-LOSS" }
        #expect(found.map(\.message.key) == ["RTP-SEQ-LOSS.arrived"] && found.map(\.verdict) == [.inconclusive])
        let keys = AnalyzedTimeline.emit(rest).sessions.flatMap(\.outcome).map(\.key)
        #expect(keys.contains("outcome.arrived") && !keys.contains("outcome.lost"))
    }

    @Test("remain lost if the receiver counts them as lost", arguments: [(4, "error"), (1, "warning"), (-1, nil)])
    func reported(_ last: Int, _ severity: String?) throws {
        var frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp-gst.pcap"))
        let media = Self.media(frames)
        // The receiver's second report; the first counted one packet more than were captured.
        let octets = frames[272].octets.count - 84
        #expect(Array(frames[272].octets[octets..<(octets + 2)]) == [0x81, 0xC9])
        let count = UInt32(bitPattern: Int32(last))
        for place in 0..<3 { frames[272].octets[octets + 13 + place] = UInt8(count >> (16 - 8 * place) & 0xFF) }
        let missing = Set(stride(from: 60, to: 72, by: 2).map { media[$0] })
        let rest = frames.indices.filter { !missing.contains($0) }.map { frames[$0] }.numbered
        let found = Self.judged(rest).findings.filter { $0.rule == "RTP-SEQ-LOSS" }
        #expect(found.map(\.message.key) == ["RTP-SEQ-LOSS." + (severity == nil ? "arrived" : "reported")])
        #expect(found.map(\.verdict) == [severity == nil ? .inconclusive : .fail])
        if let severity {
            #expect(found.first?.severity.rawValue == severity)
            #expect(found.first?.message.arguments.first == .integer(last + 1))
        }
    }

    @Test("may be lost if no later report follows")
    func unknown() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp-gst.pcap"))
        let missing = Set(Self.media(frames).dropLast(3).suffix(2))
        let rest = frames.indices.filter { !missing.contains($0) }.map { frames[$0] }.numbered
        let found = Self.judged(rest).findings.filter { $0.rule == "RTP-SEQ-LOSS" }
        #expect(found.map(\.message.key) == ["RTP-SEQ-LOSS.lost"] && found.map(\.verdict) == [.fail])
    }

    @Test("are no loss although others are missing after the last report")
    func both() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp-gst.pcap"))
        let media = Self.media(frames)
        let missing = Set(media[40..<43] + media.dropLast(3).suffix(2))
        let rest = frames.indices.filter { !missing.contains($0) }.map { frames[$0] }.numbered
        let outcome = AnalyzedTimeline.emit(rest).sessions.flatMap(\.outcome)
        #expect(outcome.contains { $0.key == "outcome.arrived" && $0.arguments == [.integer(3)] })
        #expect(outcome.contains { $0.key == "outcome.lost" && $0.arguments == [.integer(2)] })
    }

    @Test("gaps after a sequence number are counted, and one around it in part")
    func behind() {
        var runs = LostRuns(most: 2)
        #expect(runs.count(behind: 7) == 0)
        runs.note([.init(first: 65_530, count: 4), .init(first: 3, count: 5)], nil)
        #expect(runs.count(behind: 65_520) == 9 && runs.count(behind: 65_531) == 7)
        #expect(runs.count(behind: 1) == 5 && runs.count(behind: 4) == 3 && runs.count(behind: 7) == 0)
        runs.note([.init(first: 20, count: 1)], nil)
        #expect(runs.count(behind: 65_520) == nil && runs.count(behind: 10) == 1)
    }
}
