import CaptureTesting
import Testing
@testable import WeirEngine
@testable import WeirProtocols

/// Packets with the sequence number of an earlier packet: duplicates, or others.
@Suite("Repeated sequence numbers") struct RepeatedNumberTests {
    private static let text = """
        v=0
        o=- 1 1 IN IP4 10.0.0.1
        s=-
        c=IN IP4 10.0.0.2
        t=0 0
        m=audio 6000 RTP/AVP 0
        """

    private func judged(_ media: MadeMedia, isDescribed: Bool = true) -> Collector {
        PlantedFaultTests.judged(
            media.frames, decodeAs: isDescribed ? SessionDescription.decodeAs(Self.text) : [])
    }

    private func duplicates(_ media: MadeMedia) -> Int {
        AnalyzedTimeline.emit(media.frames).streams.compactMap { ($0.details as? RTPStreamDetails)?.stream }
            .reduce(0) { $0 + $1.sequence.duplicates }
    }

    @Test("with a payload type that a description does not contain are reported as such")
    func otherTypes() {
        var media = MadeMedia()
        media.sound(60)
        for index in 20..<40 {
            media.media(at: Double(index) * 0.02 + 0.001, 1_000 + index, timestamp: index * 160, type: 50, [1, 2, 3])
        }
        let collector = judged(media)
        #expect(collector.said("RTP-PT") == ["error RTP-PT.unknown"])
        #expect(collector.findings.first { $0.rule == "RTP-PT" }?.frame == 22)
        #expect(collector.said("RTP-SEQ-DUP") == [] && collector.said("RTP-SEQ-LOSS") == [])
        #expect(duplicates(media) == 0)
        // Without a description the packets may belong to another medium.
        let bare = judged(media, isDescribed: false)
        #expect(bare.said("RTP-PT") == [] && bare.said("RTP-SEQ-DUP") == ["inconclusive RTP-SEQ-DUP.again"])
    }

    @Test("far from the numbering, with a payload type that a description does not contain, are reported as such")
    func distantTypes() {
        var media = MadeMedia()
        media.sound(60)
        for index in 20..<28 {
            media.media(at: Double(index) * 0.02 + 0.001, 40_000, timestamp: index * 160, type: 50, [1, 2, 3])
        }
        let collector = judged(media)
        #expect(collector.said("RTP-PT") == ["error RTP-PT.unknown"])
        #expect(collector.findings.first { $0.rule == "RTP-PT" }?.frame == 22)
        #expect(collector.said("RTP-SEQ-RESTART") == [] && collector.said("RTP-SEQ-LOSS") == [])
        #expect(judged(media, isDescribed: false).said("RTP-PT") == [])
    }

    @Test("with another timestamp are other packets")
    func otherTimes() {
        var media = MadeMedia()
        media.sound(60)
        media.media(at: 0.601, 1_030, timestamp: 30 * 160 + 80)
        let collector = judged(media)
        #expect(collector.said("RTP-SEQ-DUP") == ["warning RTP-SEQ-DUP.again"])
        #expect(collector.findings.first { $0.rule == "RTP-SEQ-DUP" }?.frame == 32)
        #expect(duplicates(media) == 0)
    }

    @Test("with another payload are other packets, from the second one on")
    func otherPayloads() {
        var media = MadeMedia()
        media.sound(60)
        for index in [20, 30, 40] {
            media.media(
                at: Double(index) * 0.02 + 0.001, 1_000 + index, timestamp: index * 160,
                [UInt8](repeating: 7, count: 160))
        }
        #expect(judged(media).said("RTP-SEQ-DUP") == ["warning RTP-SEQ-DUP.again"])
        #expect(duplicates(media) == 1)
    }

    @Test("with the same content are duplicates, reported at the first", arguments: [1, 4, 40])
    func duplicates(_ behind: Int) {
        var media = MadeMedia()
        media.sound(60)
        for index in [50, 54] {
            media.media(at: Double(index) * 0.02 + 0.001, 1_000 + index - behind, timestamp: (index - behind) * 160)
        }
        let collector = judged(media)
        #expect(collector.said("RTP-SEQ-DUP") == ["note RTP-SEQ-DUP.twice"])
        #expect(collector.findings.first { $0.rule == "RTP-SEQ-DUP" }?.frame == 52)
        #expect(duplicates(media) > 0)
    }

    @Test("late packets are reported at the first")
    func late() {
        var media = MadeMedia()
        media.sound(60) { $0 == 20 || $0 == 30 }
        media.media(at: 0.45, 1_020, timestamp: 20 * 160)
        media.media(at: 0.65, 1_030, timestamp: 30 * 160)
        let finding = judged(media).findings.first { $0.rule == "RTP-SEQ-REORDER" }
        #expect(finding?.frame == 23)
    }
}

/// Sequence numbers that restart under the same SSRC.
@Suite("Restarts of sequence numbers") struct NumberingRestartTests {
    @Test("are reported at the first packet of the new numbering", arguments: [1, 40_000])
    func restart(_ first: Int) {
        var media = MadeMedia()
        media.sound(200, first: 20_000)
        media.sound(200, first: first, at: 4)
        let collector = Collector.of(media.frames)
        #expect(collector.said("RTP-SEQ-RESTART") == ["warning RTP-SEQ-RESTART.restarts"])
        #expect(collector.findings.first { $0.rule == "RTP-SEQ-RESTART" }?.frame == 201)
    }

    @Test("are not reported after a long loss or silence, of another source, or after BYE")
    func healthy() {
        var lost = MadeMedia()
        lost.sound(5_000, without: { 200..<4_000 ~= $0 })
        var silent = MadeMedia()
        silent.sound(200, first: 20_000)
        silent.sound(200, first: 1, at: 8)
        var other = MadeMedia()
        other.sound(200, first: 20_000)
        other.sound(200, first: 1, at: 4, ssrc: 0x55)
        var left = MadeMedia()
        left.sound(200, first: 20_000)
        left.bye(at: 3.99)
        left.sound(200, first: 1, at: 4)
        for media in [lost, silent, other, left] {
            #expect(Collector.of(media.frames).said("RTP-SEQ-RESTART") == [])
        }
    }

    /// A second PLAY with a range, whose RTP-Info may announce the numbers.
    private static func seek(_ info: String) -> String {
        """
        C: PLAY rtsp://h/live/ RTSP/1.0
        CSeq: 51
        Session: 63A3E5E6
        Range: npt=30-

        S: RTSP/1.0 200 OK
        CSeq: 51
        Session: 63A3E5E6
        Range: npt=30-
        \(info)
        P 5000 6000 30000 20

        V 5001 6001 S
        """
    }

    @Test("are expected after PLAY, and reported if it announced other numbers")
    func seeks() throws {
        let info = "RTP-Info: url=rtsp://h/live/track1;seq=30000;rtptime=9000\n"
        for said in ["", info] {
            let play = try #require(Conversations.play.replacing([("V 5001 6001 S", Self.seek(said))]))
            #expect(play.judged().said("RTP-SEQ-RESTART") == [])
        }
        let other = "RTP-Info: url=rtsp://h/live/track1;seq=120;rtptime=9000\n"
        let play = try #require(Conversations.play.replacing([("V 5001 6001 S", Self.seek(other))]))
        #expect(play.judged().said("RTP-SEQ-RESTART") == ["warning RTP-SEQ-RESTART.restarts"])
    }

    @Test("are undecided if messages may not have been captured")
    func gaps() throws {
        let edits = [("V 5001 6001 S", "G S 200\n\nP 5000 6000 30000 20\n\nV 5001 6001 S")]
        let play = try #require(Conversations.play.replacing(edits))
        #expect(play.judged().said("RTP-SEQ-RESTART") == ["inconclusive RTP-SEQ-RESTART.inconclusive"])
    }
}
