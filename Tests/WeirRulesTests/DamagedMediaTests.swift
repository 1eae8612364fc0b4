import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// Healthy media with missing packets: what is not captured is nobody's fault.
@Suite("Media with missing packets")
struct DamagedMediaTests {
    /// A modification of a recorded capture.
    enum Damage: Sendable {
        case cut(Int)
        case secondHalf
        case without(ClosedRange<Double>)
        case each(Int)
        case eachReport(Int)
        case oneSide(isFirst: Bool)

        func frames(_ frames: [KeptFrame]) -> [KeptFrame] {
            let count = Double(frames.count)
            switch self {
            case .cut(let length): return Less.cut(to: length, of: frames).frames
            case .secondHalf: return Less.begun(behind: frames.count / 2, of: frames).frames
            case .without(let part):
                return numbered(frames.enumerated().filter { !part.contains(Double($0.offset) / count) }.map(\.element))
            case .each(let step):
                return numbered(frames.enumerated().filter { $0.offset % step != step / 2 }.map(\.element))
            case .eachReport(let step):
                var number = 0
                return numbered(
                    frames.filter { frame in
                        guard Self.isReport(frame) else { return true }
                        number += 1
                        return number % step != 0
                    })
            case .oneSide(let isFirst): return Less.oneSide(isFirst: isFirst, of: frames).frames
            }
        }

        var takesDatagrams: Bool {
            switch self {
            case .without, .each, .oneSide: true
            case .cut, .secondHalf, .eachReport: false
            }
        }

        private static func isReport(_ frame: KeptFrame) -> Bool {
            frame.octets.count > 44 && frame.octets[23] == 17 && frame.octets[42] >> 6 == 2
                && 200...207 ~= frame.octets[43]
        }

        private func numbered(_ frames: [KeptFrame]) -> [KeptFrame] {
            var frames = frames
            for index in frames.indices { frames[index].info.number = index + 1 }
            return frames
        }
    }

    private static func faults(_ frames: [KeptFrame]) -> [String] {
        PlantedFaultTests.judged(frames).findings.filter { $0.verdict == .fail && $0.severity != .note }
            .map(Collector.line)
    }

    @Test(
        "has no fault that the complete capture does not have",
        arguments: [
            ("rtsp/rtsp-http-tunnel", Damage.cut(400)), ("rtsp/rtsp-http-tunnel-gst", .cut(400)),
            ("rtp/rtp-static", .cut(400)), ("rtsp/rtsp-standstill-tcp", .cut(400)),
            ("rtsp/rtsp-standstill-tcp", .without(0.4...0.6)), ("rtsp/rtsp-standstill-udp", .without(0.4...0.6)),
            ("rtsp/rtsp-retransmission", .secondHalf), ("rtsp/rtsp-retransmission", .cut(120)),
            ("rtsp/rtsp-retransmission", .cut(400)), ("rtsp/rtsp-retransmission", .each(33)),
            ("rtsp/rtsp-retransmission", .each(5)), ("rtsp/rtsp-multicast", .secondHalf),
            ("rtsp/rtsp-multicast", .cut(120)), ("rtsp/rtsp-multicast", .without(0.4...0.6)),
            ("rtsp/rtsp-multicast", .oneSide(isFirst: true)), ("rtsp/rtsp-multicast", .oneSide(isFirst: false)),
            ("rtsp/rtsp-digest-gst", .eachReport(2)), ("rtsp/rtsp-vp9-l24", .each(7)),
            ("rtsp/rtsp-mpeg4-l16", .each(33)), ("rtmp/rtmpt-publish", .oneSide(isFirst: false)),
            ("rtmp/rtmpt-publish", .oneSide(isFirst: true)), ("rtmp/rtmpt-publish", .without(0.1...0.2)),
        ])
    func blamesNobody(_ name: String, _ damage: Damage) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        let whole = Set(Self.faults(frames))
        var faults = Self.faults(damage.frames(frames)).filter { !whole.contains($0) }
        // Missing single datagrams look like network loss; so do those of a retransmission stream that is named only at
        // the end of a description.
        if damage.takesDatagrams || name.hasSuffix("retransmission") || name.hasSuffix("multicast") {
            faults.removeAll { $0.contains("RTP-SEQ-LOSS") }
        }
        #expect(faults == [])
    }

    /// A synthetic capture in which a rule must not fail.
    struct Made: Sendable, CustomTestStringConvertible {
        var rule: String
        var testDescription: String
        var make: @Sendable (inout MadeMedia) -> Void

        init(_ rule: String, _ name: String, _ make: @escaping @Sendable (inout MadeMedia) -> Void) {
            (self.rule, testDescription, self.make) = (rule, "\(rule): \(name)", make)
        }
    }

    static let made: [Made] = [
        Made("RTCP-SR-COUNT", "3 500 packets in a row are missing") { media in
            media.sound(7_000) { 1_500..<5_000 ~= $0 }
            for time in stride(from: 0.0, to: 140, by: 5) where !(30..<100 ~= time) { media.senderReport(at: time) }
        },
        Made("RTCP-RR-LOSS", "packets were lost before the capture began") { media in
            media.sound(3_000)
            for time in stride(from: 0.5, to: 60, by: 5) {
                media.senderReport(at: time)
                media.receiverReport(at: time, lost: 200)
            }
            media.lose { $0 < 10 }
        },
        Made("RTP-SSRC-CHANGE", "the reports are not in the capture") { media in
            media.sound(500)
            media.sound(500, first: 40_000, at: 12, ssrc: 0x9988_7766)
        },
        Made("RTP-SSRC-CHANGE", "the source says goodbye") { media in
            media.sound(500)
            media.senderReport(at: 1)
            media.bye(at: 10)
            media.sound(500, first: 40_000, at: 12, ssrc: 0x9988_7766)
        },
        Made("RTCP-NACK-SERVED", "asked again while the packet was on its way") { media in
            media.sound(1_500) { $0 == 700 }
            media.request(1_700, at: 14.03)
            media.request(1_700, at: 14.09)
            media.media(at: 14.10, 1_700, timestamp: 700 * 160)
            media.request(1_700, at: 14.105)
        },
        Made("RTCP-NACK-SERVED", "sent again with the lowest bit of the source set (RIST)") { media in
            media.sound(1_500) { [700, 701, 800].contains($0) }
            for number in [700, 701, 800] {
                let time = Double(number) * 0.02
                media.request(1_000 + number, at: time + 0.05)
                media.media(
                    at: time + 0.1, 1_000 + number, timestamp: number * 160, ssrc: MadeMedia.ssrc | 1)
            }
        },
        Made("RTCP-RR-LSR", "a report of some time ago is named") { media in
            media.sound(1_500)
            let names = (0..<250).map { media.senderReport(at: Double($0) * 0.1 + 0.001) }
            media.receiverReport(at: 10.05, lastReport: names[90])
            media.receiverReport(at: 15.05, lastReport: names[140])
        },
        Made("RTCP-FIR", "a request is missing") { media in
            media.sound(500)
            media.requestPicture(1, at: 1)
            media.requestPicture(3, at: 3)
        },
        Made("RTCP-INTERVAL", "reports are missing") { media in
            media.sound(6_000)
            for time in stride(from: 0.001, to: 120, by: 5) where time < 20 || time > 75 {
                media.senderReport(at: time)
            }
            media.lose { 20..<75 ~= $0 }
        },
        Made("RTCP-INTERVAL", "two of three reports are missing") { media in
            media.sound(6_000)
            for time in [0.001, 5.0, 50, 110] { media.senderReport(at: time) }
        },
    ]

    @Test("breaks no rule", arguments: made)
    func breaksNone(_ made: Made) {
        var media = MadeMedia()
        made.make(&media)
        let collector = PlantedFaultTests.judged(media.frames)
        #expect(collector.findings.filter { $0.rule == made.rule && $0.verdict == .fail }.map(Collector.line) == [])
    }

    @Test("A request before the capture that was answered is answered")
    func answered() throws {
        var media = MadeMedia()
        media.sound(1_500) { $0 == 700 }
        media.request(1_700, at: 14.03)
        media.media(at: 14.10, 1_700, timestamp: 700 * 160)
        media.request(1_700, at: 14.105)
        media.request(1_701, at: 14.2)
        let stream = try #require(PlantedFaultTests.streams(media.frames).first?.media)
        #expect(stream.reports.requests.answeredPackets == 1)
        #expect(stream.reports.requests.openPackets.map(\.sequence) == [1_701])
    }

    @Test("Sender reports that are always far apart are infrequent")
    func seldom() {
        var media = MadeMedia()
        media.sound(6_000)
        for time in stride(from: 0.001, to: 120, by: 20) { media.senderReport(at: time) }
        #expect(PlantedFaultTests.judged(media.frames).said("RTCP-INTERVAL") == ["note RTCP-INTERVAL.seldom"])
    }

    @Test("A source whose sequence numbers continue, without reports in the capture, is replaced without BYE")
    func replaced() {
        var media = MadeMedia()
        media.sound(500)
        media.sound(500, first: 1_500, at: 10, ssrc: 0x9988_7766)
        #expect(
            PlantedFaultTests.judged(media.frames).said("RTP-SSRC-CHANGE") == ["warning RTP-SSRC-CHANGE.changed"])
    }

    // MARK: - Transport streams

    private static let transport = "Captures/rtp/rtp-mpegts.pcap"

    private static func transportFaults(_ frames: [KeptFrame]) -> [String] {
        faults(frames).filter { $0.contains(" TS-") }
    }

    @Test("A pause of ten seconds delays nothing in the transport stream")
    func pause() throws {
        var frames = try KeptFrame.read(RecordedCaptures.path(Self.transport))
        for index in frames.indices.dropFirst(frames.count / 2) {
            frames[index].info.time = Timestamp(nanoseconds: frames[index].info.time.nanoseconds + 10_000_000_000)
        }
        #expect(Self.transportFaults(frames) == [])
    }

    @Test("Truncated packets among complete ones cause no counter jump")
    func cutAmongWhole() throws {
        var frames = try KeptFrame.read(RecordedCaptures.path(Self.transport))
        for index in frames.indices where index % 3 == 1 {
            frames[index].octets = Array(frames[index].octets.prefix(600))
            frames[index].info.capturedLength = frames[index].octets.count
        }
        #expect(Self.transportFaults(frames) == [])
    }

    @Test("A clock reference that wraps after 33 bits continues")
    func turnOfTheClock() throws {
        var capture = try PlantedCapture(RecordedCaptures.path(Self.transport))
        var shift: UInt64?
        var last: UInt64 = 0
        var turns = 0
        capture.change(payloadType: 33) { packet, _ in
            for start in stride(from: 12, to: packet.count - 187, by: 188) {
                guard packet[start + 3] & 0x20 != 0, packet[start + 4] > 0, packet[start + 5] & 0x10 != 0 else {
                    continue
                }
                let field = start + 6..<start + 11
                let octets = packet[field].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                // The second half of the clock is after its wrap.
                let move = shift ?? (1 << 33 &- (octets >> 7) &- 90_000)
                shift = move
                let base = ((octets >> 7) &+ move) & ((1 << 33) - 1)
                if base < last { turns += 1 }
                last = base
                let moved = base << 7 | octets & 0x7F
                packet.replaceSubrange(field, with: [32, 24, 16, 8, 0].map { UInt8(truncatingIfNeeded: moved >> $0) })
            }
            return true
        }
        #expect(turns == 1)
        #expect(Self.transportFaults(capture.frames) == [])
    }

    @Test("A packet with the transport error indicator has no other findings")
    func damagedOnTheWay() throws {
        var capture = try PlantedCapture(RecordedCaptures.path(Self.transport))
        capture.change(payloadType: 33) { packet, number in
            guard number == 20 else { return false }
            packet[13] |= 0x80
            packet[15] ^= 0x05
            return true
        }
        #expect(Set(Self.transportFaults(capture.frames)) == ["error TS-TEI.set"])
    }

    // MARK: - Parameter sets, pictures, gaps

    @Test(
        "A truncated parameter set is not a different one",
        arguments: ["rtsp/rtsp-udp", "rtsp/rtsp-h265-opus"])
    func cutParameterSets(_ name: String) throws {
        var frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        for index in frames.indices where frames[index].octets[23] == 17 {
            frames[index].octets = Array(frames[index].octets.prefix(62))
            frames[index].info.capturedLength = frames[index].octets.count
        }
        #expect(Self.faults(frames).filter { $0.contains("SPROP") } == [])
    }

    @Test("One of 300 pictures takes longer than the frame interval: the 99th percentile does not")
    func pace() {
        var pacing = FramePacing()
        for index in 0..<300 {
            let start = Int64(index) * 40_000_000
            let length: Int64 = index == 150 ? 47_000_000 : 34_000_000
            pacing.begin(
                at: Timestamp(nanoseconds: start), frame: index + 1, last: Timestamp(nanoseconds: start - 6_000_000))
            pacing.finish(Timestamp(nanoseconds: start + length))
        }
        #expect(pacing.percentile99AtLeast <= 34_000_000 && pacing.percentile99 >= 34_000_000)
    }

    @Test("One missing number in a slow stream is lost; after a pause it was skipped")
    func slowOrPaused() throws {
        // The payload type is unknown: there is no clock rate to compare with.
        var slow = MadeMedia()
        for index in 0..<60 where index != 40 {
            slow.media(at: Double(index) * 0.4, 1_000 + index, timestamp: index * 6_720, type: 120)
        }
        let lost = try #require(PlantedFaultTests.streams(slow.frames).first?.media)
        #expect(lost.lost == 1 && lost.skips.count == 0)
        var paused = MadeMedia()
        for index in 0..<200 where index != 100 {
            let start = index < 100 ? 0.0 : 1.0
            paused.media(at: start + Double(index) * 0.02, 1_000 + index, timestamp: index * 960, type: 120)
        }
        let skipped = try #require(PlantedFaultTests.streams(paused.frames).first?.media)
        // No pause was signaled.
        #expect(skipped.lost == 0 && skipped.skips.count == 1 && skipped.skips.inferred == 1)
    }

    @Test("Numbers missing at an unsignaled pause are undecided, neither lost nor skipped")
    func perhapsSkipped() throws {
        var paused = MadeMedia()
        for index in 0..<100 where !(50...52).contains(index) {
            let start = index < 50 ? 0.0 : 1.0
            paused.media(at: start + Double(index) * 0.02, 1_000 + index, timestamp: index * 960, type: 120)
        }
        let found = Collector.of(paused.frames).findings.filter { $0.rule == "RTP-SEQ-LOSS" }
        #expect(found.map(\.message) == [Text("RTP-SEQ-LOSS.perhapsSkipped", .integer(3))])
        #expect(found.map(\.verdict) == [.inconclusive])
    }

    @Test("Numbers missing after a silence are not lost because others are", arguments: [0, 20])
    func besideSilence(missing: Int) throws {
        var made = MadeMedia()
        for index in 0..<500 where !(200..<200 + missing).contains(index) {
            made.media(at: Double(index) * 0.02, 1_000 + index, timestamp: index * 160, type: 0)
        }
        for index in 2_217..<2_717 {
            made.media(at: Double(index) * 0.02, 1_000 + index, timestamp: index * 160, type: 0)
        }
        let found = PlantedFaultTests.judged(made.frames).findings.filter { $0.rule == "RTP-SEQ-LOSS" }
        #expect(found.map(\.verdict) == [missing > 0 ? .fail : .inconclusive])
        #expect(found.first?.message.arguments.first == .integer(missing > 0 ? missing : 1_717))
    }

    @Test("A gap is in the hole that has its numbers, not in a filled one")
    func holes() throws {
        var holes = SequenceGaps()
        func time(_ seconds: Int64) -> Timestamp { Timestamp(nanoseconds: seconds * 1_000_000_000) }
        holes.note(from: 10, behind: 12, restarts: 0, (1, time(1)), (2, time(2)), pictures: nil)
        #expect(holes.take(behind: 9) == nil)
        #expect(holes.take(behind: 11)?.frame == 2)
        holes.note(from: 20, behind: 30, restarts: 1, (3, time(3)), (4, time(4)), pictures: nil)
        #expect(holes.take(behind: 12) == nil)
        #expect(holes.take(behind: 25)?.frame == 4)
    }
}
