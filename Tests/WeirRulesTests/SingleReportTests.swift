import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// Single reports that differ from the others, and the frames that show faults of reports first.
@Suite("Single reports") struct SingleReportTests {
    /// Audio with a sender report every 5 seconds; `change` may replace the report at a time.
    private func media(
        seconds: Int = 40, every interval: Double = 5, change: (inout MadeMedia, Double) -> Bool = { _, _ in false }
    ) -> MadeMedia {
        var media = MadeMedia()
        media.sound(seconds * 50)
        for time in stride(from: interval + 0.001, to: Double(seconds), by: interval) where !change(&media, time) {
            media.senderReport(at: time)
        }
        return media
    }

    private func frame(_ media: MadeMedia, at time: Double) -> Int? {
        let frames = media.frames
        guard let first = frames.first else { return nil }
        return frames.first { $0.info.time.seconds(since: first.info.time) > time - 0.0005 }?.info.number
    }

    private func expect(_ rule: String, _ said: [String], at time: Double?, _ media: MadeMedia) {
        let collector = Collector.of(media.frames)
        #expect(collector.said(rule) == said)
        if let time { #expect(collector.findings.first { $0.rule == rule }?.frame == frame(media, at: time)) }
    }

    @Test("of a clock that is seconds off", arguments: [-3.0, 4.0])
    func clock(_ off: Double) {
        let odd = media { media, time in
            guard time > 20, time < 21 else { return false }
            media.senderReport(at: time, wallClock: time + off)
            return true
        }
        expect("RTCP-SR-CLOCK", ["warning RTCP-SR-CLOCK.step"], at: 20.001, odd)
        expect("RTCP-SR-CLOCK", [], at: nil, media())
    }

    @Test("of a receiver that counts half of the packets as lost")
    func fraction() {
        func reports(_ odd: UInt32) -> MadeMedia {
            var media = media()
            for index in 1...7 {
                media.receiverReport(
                    at: Double(index) * 5 + 0.002, lost: index == 4 ? odd : 0, highest: UInt32(1_000 + index * 250))
            }
            return media
        }
        expect("RTCP-RR-LOSS", ["note RTCP-RR-LOSS.fraction"], at: 20.002, reports(0x8000_0000))
        // The total, too, which later reports contradict.
        expect("RTCP-RR-LOSS", ["note RTCP-RR-LOSS.behind"], at: 20.002, reports(0x8000_0100))
        expect("RTCP-RR-LOSS", [], at: nil, reports(0x0200_0001))
    }

    @Test("that count packets wrongly are reported at the first of them")
    func count() {
        let odd = media { media, time in
            guard time > 20 else { return false }
            media.senderReport(at: time, counting: UInt32(time / 0.02) + 500)
            return true
        }
        expect("RTCP-SR-COUNT", ["warning RTCP-SR-COUNT.packets"], at: 20.001, odd)
    }

    @Test("that are too frequent are reported at the second of them")
    func interval() {
        expect("RTCP-INTERVAL", ["note RTCP-INTERVAL.often"], at: 0.401, media(seconds: 20, every: 0.2))
    }

    @Test("BYE of a source without sender reports, which continues")
    func bye() {
        var media = MadeMedia()
        media.sound(400)
        media.bye(at: 4.001)
        expect("RTCP-BYE", ["note RTCP-BYE.goesOn"], at: 4.001, media)
    }

    @Test("packets with fewer samples than their timestamps advance")
    func samples() {
        func sound(_ octets: Int) -> MadeMedia {
            var media = MadeMedia()
            for index in 0..<100 {
                media.media(
                    at: Double(index) * 0.02, 1_000 + index, timestamp: index * 160,
                    [UInt8](repeating: 0xD5, count: octets))
            }
            return media
        }
        expect("PCM-SIZE", ["note PCM-SIZE.timestamps"], at: 0, sound(80))
        expect("PCM-SIZE", [], at: nil, sound(160))
        // Without packets in silences.
        var talk = MadeMedia()
        for index in 0..<200 where index % 50 < 40 || index > 150 {
            talk.media(at: Double(index) * 0.02, 1_000 + talk.frames.count, timestamp: index * 160)
        }
        expect("PCM-SIZE", [], at: nil, talk)
    }

    @Test("media that an answer rejects")
    func rejected() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/webrtc/webrtc-call.pcap"))
        #expect(PlantedFaultTests.judged(frames).said("OA-REJECT") == [])
        let answered = frames.map { $0.replacing("m=video 57347 UDP", with: "m=video 0     UDP") }
        let collector = PlantedFaultTests.judged(answered)
        #expect(Set(collector.said("OA-REJECT")) == ["error OA-REJECT.flows"])
    }

    @Test("a rejected medium is said in the outcome")
    func rejectedOutcome() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/webrtc/webrtc-call.pcap"))
        let answered = frames.map { $0.replacing("m=video 57347 UDP", with: "m=video 0     UDP") }
        let keys = PlantedFaultTests.judged(answered).outcomes.flatMap(\.self)
        #expect(keys.contains("webrtc.outcome.rejected"))
        #expect(!PlantedFaultTests.judged(frames).outcomes.flatMap(\.self).contains("webrtc.outcome.rejected"))
    }

    @Test("absent reports are reported at the packet by which they were due")
    func absent() throws {
        let edits = [("P 5000 6000 100 20", "P 5000 6000 101 30"), ("V 5001 6001 S\n\ncV 5001 6001 R\n\n", "")]
        let play = try #require(Conversations.play.replacing(edits))
        let findings = play.judged().findings.filter { $0.rule == "RTCP-SR-ABSENT" || $0.rule == "RTCP-RR-ABSENT" }
        let frames = play.frames.filter { $0.octets.count == 48 }
        let first = try #require(frames.first)
        let due = try #require(frames.first { $0.info.time.seconds(since: first.info.time) >= 15 })
        #expect(findings.count == 2 && findings.allSatisfy { $0.frame == due.info.number })
    }

    @Test(
        "video without a key frame is said in the outcome of a session whose start was not captured",
        arguments: [12, 8])
    func keyless(_ seconds: Int) throws {
        // Every hundredth picture is a key frame.
        let pictures = (0..<seconds * 8).map { "U 5000 6000 \($0 + 101) \(9_000 + $0 * 11_250)\n\n+0.124" }
        let edits = [("P 5000 6000 100 20", pictures.joined(separator: "\n\n")), ("seq=100;", "seq=101;")]
        var play = try #require(Conversations.play.replacing(edits))
        play.startsLate = true
        let keys = play.judged().outcomes.flatMap(\.self)
        #expect(keys.contains("outcome.noKeyframe") == (seconds == 12), "\(keys)")
    }

    @Test("RTCP on the channel of RTP is reported at its first packet")
    func channels() throws {
        let play = try #require(Conversations.interleaved.replacing([("R 1 S", "R 1 S\n\nR 0 S")]))
        let findings = play.judged().findings.filter { $0.rule == "RTSP-IL-PARITY" }
        let whole = try #require(Conversations.interleaved.replacing([("R 1 S", "R 1 S\n\nR 1 S")]))
        let frames = Set(play.frames.indices.filter { play.frames[$0].octets != whole.frames[$0].octets })
        #expect(findings.count == 1)
        #expect(findings.first?.frame.map { frames.contains($0 - 1) } == true)
    }
}
