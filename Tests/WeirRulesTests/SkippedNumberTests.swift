import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// GStreamer's server skips a sequence number of each stream when media is paused or repositioned. Recorded: PLAY,
/// PAUSE, PLAY with a Range, PAUSE, PLAY with another.
@Suite("Sequence numbers skipped by servers")
struct SkippedNumberTests {
    /// Returns the frames without the client's reports, which may show what was received.
    private static func recorded() throws -> [KeptFrame] {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-pause-seek.pcap"))
        let client = frames.lazy.compactMap { $0.ports?.source }.first
        return frames.filter { $0.datagram == nil || $0.ports?.source != client }.numbered
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

    /// Returns the indexes of RTP packets, with their SSRCs and sequence numbers.
    private static func media(_ frames: [KeptFrame]) -> [(place: Int, ssrc: [UInt8], number: Int)] {
        frames.indices.compactMap { place in
            guard let datagram = frames[place].datagram.map(Array.init), datagram.count > 12, datagram[0] == 0x80,
                !(200...207).contains(datagram[1])
            else { return nil }
            return (place, Array(datagram[8..<12]), Int(datagram[2]) << 8 | Int(datagram[3]))
        }
    }

    private static func skipped(_ frames: [KeptFrame]) -> (skipped: Int, lost: Int) {
        let streams = AnalyzedTimeline.emit(frames).streams.compactMap { ($0.details as? RTPStreamDetails)?.stream }
        return (
            streams.reduce(0) { $0 + $1.skips.count }, streams.reduce(0) { $0 + $1.sequence.missing - $1.skips.count }
        )
    }

    @Test("occur at PAUSE or seek, and are no loss")
    func atTurns() throws {
        let frames = try Self.recorded()
        let (skipped, lost) = Self.skipped(frames)
        #expect(skipped > 0 && lost == 0)
        #expect(Set(Self.judged(frames).said("RTP-SEQ-LOSS")) == ["note RTP-SEQ-LOSS.skipped"])
    }

    /// A packet between two skips, of either medium, in each of the three parts.
    @Test("a gap elsewhere is loss, in addition", arguments: [0.5, 1.2, 4.2, 5.0, 6.2, 7.0])
    func elsewhere(_ seconds: Double) throws {
        let frames = try Self.recorded()
        let whole = Self.skipped(frames)
        let start = try #require(frames.first).info.time
        let media = Self.media(frames)
        for ssrc in Set(media.map(\.ssrc)) {
            let place = try #require(
                media.first { $0.ssrc == ssrc && frames[$0.place].info.time.seconds(since: start) > seconds }
            ).place
            let rest = (frames[..<place] + frames[(place + 1)...]).map { $0 }.numbered
            let (skipped, lost) = Self.skipped(rest)
            #expect(skipped == whole.skipped && lost == 1, "without frame \(place + 1)")
            let judged = Self.judged(rest)
            #expect(
                judged.said("RTP-SEQ-LOSS").contains { $0.hasSuffix(" RTP-SEQ-LOSS.lost") },
                "without frame \(place + 1)")
            #expect(judged.outcomes.joined().contains("outcome.lost"), "without frame \(place + 1)")
        }
    }

    /// The responses to PLAY in turn give a wrong sequence number for the first medium.
    @Test("RTP-Info of every PLAY is compared with the packets", arguments: [0, 1, 2])
    func announced(_ turn: Int) throws {
        let frames = try Self.recorded()
        #expect(Self.judged(frames).said("RTSP-RTPINFO-SEQ").allSatisfy { $0.hasPrefix("inconclusive") })
        let answers = frames.indices.filter {
            String(decoding: frames[$0].octets, as: UTF8.self).contains("RTP-Info:")
        }
        #expect(answers.count == 3)
        let place = answers[turn]
        let text = String(decoding: frames[place].octets, as: UTF8.self)
        let digits = try #require(text.firstMatch(of: #/seq=(\d+)/#)).output.1
        var wrong = frames
        // Some thousands further, with the same number of digits.
        let other = digits.hasPrefix("5") ? "4" + digits.dropFirst() : "5" + digits.dropFirst()
        wrong[place] = frames[place].replacing("seq=\(digits)", with: "seq=\(other)")
        let found = Self.judged(wrong).findings.filter { $0.rule == "RTSP-RTPINFO-SEQ" && $0.verdict == .fail }
        #expect(found.count == 1)
        // The finding is at a packet after this response and before the next.
        let frame = try #require(found.first?.frame)
        let next = turn + 1 < answers.count ? answers[turn + 1] : frames.count
        #expect((place + 1...next + 1).contains(frame), "frame \(frame)")
    }
}
