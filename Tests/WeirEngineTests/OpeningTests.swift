import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirTesting

/// Embryonic flows use little memory and are reported like all others.
@Suite("Embryonic flows")
struct OpeningTests {
    private static let client = PacketBuilder.client
    private static let server = PacketBuilder.server

    /// Passes packets with given times to an analyzer.
    private final class Scene {
        let timeline = AnalyzedTimeline()
        let analyzer: Analyzer
        private var frames = 0

        init(_ lower: (inout Limits) -> Void = { _ in }) {
            var options = AnalyzerOptions()
            lower(&options.limits)
            analyzer = Analyzer(options: options, sink: timeline)
            analyzer.begin(CaptureRecord(file: "memory", format: "pcap", linkTypes: [.raw], snapLength: nil))
        }

        func see(_ packet: [UInt8], at milliseconds: Int) {
            frames += 1
            let time = Timestamp(nanoseconds: 1_700_000_000_000_000_000 + Int64(milliseconds) * 1_000_000)
            KeptFrame(packet: packet, number: frames, time: time).use { analyzer.process($0) }
        }

        func end() -> AnalyzedTimeline {
            analyzer.finish()
            return timeline
        }
    }

    private static func stranger(_ number: Int) -> Endpoint {
        Endpoint(address: IPAddress(ipv4: 0x0A00_0000 + UInt32(number)), port: 2_000)
    }

    private static func syn(_ number: Int, to destination: Endpoint = server, copy: Int = 0) -> [UInt8] {
        PacketBuilder.tcp(
            from: stranger(number), to: destination, sequence: 7, flags: .syn, identification: 1 + copy)
    }

    @Test("a SYN flood is bounded, and a real session in it is reported")
    func flood() {
        let scene = Scene { $0.openings = 100 }
        let nobody = Endpoint(address: Self.server.address, port: 9_999)
        var most = 0
        var time = 0
        func rain(_ numbers: Range<Int>) {
            for number in numbers {
                time += 1
                scene.see(Self.syn(number, to: nobody), at: time)
                most = max(most, scene.analyzer.open.flows)
            }
        }
        func say(
            _ text: String, _ direction: Direction, _ sequence: UInt32, _ acknowledgment: UInt32, _ flags: TCPFlags
        ) {
            let isForward = direction == .clientToServer
            time += 1
            scene.see(
                PacketBuilder.tcp(
                    Array(text.utf8), from: isForward ? Self.client : Self.server,
                    to: isForward ? Self.server : Self.client, sequence: sequence, acknowledgment: acknowledgment,
                    flags: flags, identification: time), at: time)
        }
        rain(0..<500)
        say("", .clientToServer, 10, 0, .syn)
        rain(500..<550)
        say("", .serverToClient, 90, 11, [.syn, .ack])
        rain(550..<700)
        say("", .clientToServer, 11, 91, .ack)
        say("OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n", .clientToServer, 11, 91, .ack)
        rain(700..<900)
        say("RTSP/1.0 200 OK\r\nCSeq: 1\r\nPublic: OPTIONS\r\n\r\n", .serverToClient, 91, 42, .ack)
        let timeline = scene.end()
        #expect(most <= 102)
        #expect(timeline.lines.map(\.kind).filter { $0 != "connect" } == ["request", "response"])
        #expect(timeline.lines.first { $0.kind == "connect" }?.summary.hasPrefix("connected in 20") == true)
        #expect(timeline.summary?.limitsReached.contains(Text("limit.openings", .integer(800))) == true)
    }

    @Test("a connection attempt is reported with its number of SYNs, at the time of the last one")
    func attempts() {
        let scene = Scene()
        for (copy, second) in [0, 1, 3, 7].enumerated() {
            scene.see(Self.syn(1, copy: copy), at: second * 1_000)
            scene.see(Self.syn(2, copy: copy), at: second * 1_000 + 1)
        }
        let other = Self.stranger(2)
        scene.see(
            PacketBuilder.tcp(
                from: Self.server, to: other, sequence: 50, acknowledgment: 8, flags: [.syn, .ack]), at: 7_005)
        scene.see(PacketBuilder.tcp(from: other, to: Self.server, sequence: 8, acknowledgment: 51), at: 7_011)
        scene.see(
            PacketBuilder.tcp(
                Array("OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n".utf8), from: other, to: Self.server, sequence: 8,
                acknowledgment: 51), at: 7_020)
        // No response within the longest retransmission time.
        scene.see(PacketBuilder.udp([1], from: other, to: Self.server), at: 90_000)
        let lines = scene.timeline.lines.map(\.summary)
        #expect(lines.contains("connected in 10.0 ms"))
        #expect(lines.contains("no response captured to 4 connection attempts"))
        _ = scene.end()
    }

    private static func packets(_ timeline: AnalyzedTimeline) -> [Int] {
        timeline.streams.compactMap { ($0.details as? RTPStreamDetails)?.stream.packets }
    }

    /// A packet of a stream.
    private static func media(_ number: Int, _ source: Endpoint, _ destination: Endpoint) -> [UInt8] {
        var packet: [UInt8] = [0x80, 0, 0, UInt8(number), 0, 0, UInt8(number), 0, 1, 2, 3, 4]
        packet += [UInt8](repeating: 0x55, count: 160)
        return PacketBuilder.udp(packet, from: source, to: destination, identification: number)
    }

    @Test("media is recognized after an unrelated datagram in either direction", arguments: [false, true])
    func media(isBackward: Bool) {
        let scene = Scene()
        scene.see(PacketBuilder.udp([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], identification: 99), at: 0)
        let (source, destination) = isBackward ? (Self.server, Self.client) : (Self.client, Self.server)
        for number in 1...20 { scene.see(Self.media(number, source, destination), at: number * 20) }
        #expect(Self.packets(scene.end()) == [20])
    }

    @Test("flows with unknown protocols are bounded, and the latest are still recognized")
    func undecided() {
        let scene = Scene { $0.undecidedFlows = 40 }
        for number in 0..<400 {
            scene.see(Self.media(1, Self.stranger(number), Self.server), at: number)
        }
        for number in 2...20 { scene.see(Self.media(number, Self.stranger(399), Self.server), at: 400 + number) }
        let timeline = scene.end()
        #expect(Self.packets(timeline) == [20])
        #expect(timeline.summary?.limitsReached.contains { $0.key == "limit.undecided" } == true)
    }

    @Test("a session evicted by another one releases its connection")
    func eviction() {
        let scene = Scene { $0.sessions = 1 }
        func ask(_ number: Int, _ sequence: UInt32, _ count: Int, at time: Int) {
            let text = "OPTIONS * RTSP/1.0\r\nCSeq: \(count)\r\n\r\n"
            scene.see(
                PacketBuilder.tcp(
                    Array(text.utf8), from: Self.stranger(number), to: Self.server, sequence: sequence,
                    identification: time + 1), at: time)
        }
        for turn in 0..<3 {
            for number in 1...2 { ask(number, 1 + UInt32(turn) * 31, turn + 1, at: turn * 10 + number) }
        }
        let timeline = scene.end()
        #expect(timeline.sessions.map(\.id) == [1, 2, 3, 4, 5, 6], "each was told once")
        #expect(scene.analyzer.open.sessions == 0)
    }

    /// A segment of the connection from `stranger(1)`, of which the SYN has the number 7 and the SYN-ACK the number 50.
    private struct Segment {
        var text = ""
        var isForward = true
        var sequence: UInt32 = 8
        var acknowledgment: UInt32 = 51
        var flags: TCPFlags = .ack
    }

    private static let request = "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n"
    private static let synACK = Segment(isForward: false, sequence: 50, acknowledgment: 8, flags: [.syn, .ack])

    /// Returns the timeline of a SYN and these segments, every 10 ms.
    private func timeline(_ segments: [Segment], _ lower: (inout Limits) -> Void = { _ in }) -> AnalyzedTimeline {
        let scene = Scene(lower)
        let stranger = Self.stranger(1)
        scene.see(Self.syn(1), at: 0)
        for (number, segment) in segments.enumerated() {
            scene.see(
                PacketBuilder.tcp(
                    Array(segment.text.utf8), from: segment.isForward ? stranger : Self.server,
                    to: segment.isForward ? Self.server : stranger, sequence: segment.sequence,
                    acknowledgment: segment.acknowledgment, flags: segment.flags, identification: 10 + number),
                at: 10 + 10 * number)
        }
        return scene.end()
    }

    @Test(
        "an answered opening continues in any way",
        arguments: [
            ("as usual", [synACK, Segment(), Segment(text: request)], ["connected in 20.0 ms", "OPTIONS *"]),
            (
                "without a separate acknowledgment", [synACK, Segment(text: request)],
                ["connected in 20.0 ms", "OPTIONS *"]
            ),
            (
                "with a SYN-ACK sent again", [synACK, synACK, Segment(), Segment(text: request)],
                ["connected in 30.0 ms", "OPTIONS *"]
            ),
            (
                "in two segments",
                [
                    synACK, Segment(), Segment(text: String(request.prefix(9))),
                    Segment(text: String(request.dropFirst(9)), sequence: 17),
                ], ["connected in 20.0 ms", "OPTIONS *"]
            ),
            (
                "out of order",
                [
                    synACK, Segment(), Segment(text: String(request.dropFirst(9)), sequence: 17),
                    Segment(text: String(request.prefix(9))),
                ], ["connected in 20.0 ms", "OPTIONS *"]
            ),
            (
                "with a request of the server",
                [synACK, Segment(), Segment(text: request, isForward: false, sequence: 51, acknowledgment: 8)],
                ["connected in 20.0 ms", "OPTIONS *"]
            ),
            ("with another protocol", [synACK, Segment(), Segment(text: "EHLO example.org\r\n")], []),
            ("with nothing", [synACK, Segment()], []),
            ("with a FIN", [synACK, Segment(), Segment(flags: [.fin, .ack])], []),
        ] as [(String, [Segment], [String])])
    private func answered(name: String, segments: [Segment], expected: [String]) {
        #expect(timeline(segments).lines.map(\.summary) == expected, "\(name)")
    }

    @Test("connections without data are bounded like others that are undecided")
    func idleConnections() {
        let scene = Scene { $0.undecidedFlows = 40 }
        func open(_ number: Int) {
            let stranger = Self.stranger(number)
            scene.see(Self.syn(number), at: number)
            scene.see(
                PacketBuilder.tcp(
                    from: Self.server, to: stranger, sequence: 50, acknowledgment: 8, flags: [.syn, .ack],
                    identification: 2 * number), at: number)
        }
        func ask(_ number: Int) {
            scene.see(
                PacketBuilder.tcp(
                    Array(Self.request.utf8), from: Self.stranger(number), to: Self.server, sequence: 8,
                    acknowledgment: 51, identification: 2 * number + 1), at: 500)
        }
        for number in 1...100 { open(number) }
        ask(1)
        ask(100)
        let timeline = scene.end()
        #expect(timeline.lines.map(\.summary).filter { $0 == "OPTIONS *" }.count == 1)
        #expect(timeline.summary?.limitsReached.contains { $0.key == "limit.undecided" } == true)
    }
}
