import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirTesting

/// What is recognized and what is not: similar traffic of other protocols, and media after unknown datagrams.
@Suite("Recognition") struct RecognitionTests {
    /// Traffic of another protocol.
    struct Stranger: Sendable, CustomTestStringConvertible {
        var name: String
        var make: @Sendable (inout Wire) -> Void
        var startsLate = false

        init(_ name: String, startsLate: Bool = false, _ make: @escaping @Sendable (inout Wire) -> Void) {
            self.name = name
            self.startsLate = startsLate
            self.make = make
        }

        var testDescription: String { name }
    }

    private static func random(_ count: Int, _ seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed)
        return generator.octets(count)
    }

    /// Two chained interleaved frames that appear by chance in other data.
    private static let chance: [UInt8] =
        random(100, 3).map { $0 == 0x24 ? 0 : $0 } + [0x24, 7, 0, 40, 0x80, 0x61] + [UInt8](repeating: 9, count: 38)
        + [0x24, 77, 0x12, 0, 0x91] + random(900, 4).map { $0 == 0x24 ? 0 : $0 }

    private static func bacnet(_ length: Int) -> [UInt8] {
        [0x81, 0x0B, UInt8(length >> 8), UInt8(length & 255)] + [UInt8](repeating: 0x20, count: length - 4)
    }

    static let strangers = [
        Stranger("a download on port 80") { wire in
            wire.serverPort = 80
            wire.connect()
            wire.send(fromClient: true, Array("GET /a.zip HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
            wire.send(fromClient: false, Array("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\nPK\u{3}\u{4}".utf8))
            wire.send(fromClient: false, chance + random(4_000, 5))
        },
        Stranger("a download on port 80 whose beginning was missed") { wire in
            wire.serverPort = 80
            wire.send(fromClient: false, chance + random(20_000, 6))
        },
        Stranger("octets by chance on any port") { wire in
            wire.serverPort = 9_000
            wire.send(fromClient: false, chance)
            wire.send(fromClient: true, chance)
        },
        Stranger("BACnet/IP") { wire in
            for number in 0..<40 {
                wire.datagram(
                    fromClient: number % 2 == 0, clientPort: 47_808, serverPort: 47_808, bacnet(18 + number % 12))
            }
        },
        Stranger("DNS") { wire in
            for number in 0..<20 {
                let question: [UInt8] = [0x80 | UInt8(number), UInt8(number), 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0x61, 0]
                wire.datagram(
                    fromClient: true, clientPort: 5_353, serverPort: 53, question + [0, 1, 0, 1])
            }
        },
        Stranger("random datagrams") { wire in
            for number in 0..<300 {
                wire.datagram(fromClient: true, clientPort: 7_000, serverPort: 7_001, random(200, UInt64(number + 10)))
            }
        },
        Stranger("a game's datagrams: a kind, a counter, a player") { wire in
            for (place, kind) in ([3, 4, 9, 10, 11, 15, 18] as [UInt8]).enumerated() {
                let port = UInt16(7_100 + place)
                for number in 0..<60 {
                    // The counter is followed by another one, or by a constant.
                    let second = kind % 2 == 0 ? 7 : UInt8(number)
                    let head: [UInt8] = [0x80, kind, 0, UInt8(number), 0, 0, 0, second, 1, 2, 3, 4]
                    wire.datagram(
                        fromClient: true, clientPort: port, serverPort: 7_099,
                        head + random(60, UInt64(number + 500)))
                }
            }
        },
        Stranger("a game's datagrams: a kind that never changes, and a length") { wire in
            for kind in UInt8(200)...207 {
                let port = UInt16(7_200 + Int(kind))
                for number in 0..<200 {
                    wire.datagram(
                        fromClient: true, clientPort: port, serverPort: 7_098,
                        [0x80, kind, 0, 1] + random(40, UInt64(number) + UInt64(kind) * 1_000))
                    wire.datagram(
                        fromClient: true, clientPort: port &+ 100, serverPort: 7_098,
                        [0x80, kind, 0, 10, UInt8(number), 0, 0, 0] + [UInt8](repeating: 0, count: 36))
                }
            }
        },
        Stranger("one datagram again and again") { wire in
            let same = [0x80, 0x60, 0, 1, 0, 0, 0, 2, 1, 2, 3, 4] + random(100, 8)
            for _ in 0..<50 { wire.datagram(fromClient: true, clientPort: 7_002, serverPort: 7_003, same) }
        },
        Stranger("a line of text on RTMP's port") { wire in
            wire.serverPort = 1_935
            wire.connect()
            wire.send(fromClient: true, Array("\u{3}hello\r\n".utf8) + random(3_000, 9))
        },
        Stranger("an interface of JSON whose paths are RTMPT's") { wire in
            wire.serverPort = 8_085
            wire.connect()
            let head = "HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\n{\"a\": 1}"
            wire.send(fromClient: true, Array("POST /send/12/3 \(head)".utf8))
            wire.send(fromClient: false, Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8))
        },
        Stranger("a game's datagrams whose first octet is that of DTLS 1.3 now and then") { wire in
            for number in 0..<200 {
                let head: [UInt8] = [UInt8(number + 10 & 0xFF), 0, 0, 20, UInt8(number), 0x2C]
                wire.datagram(
                    fromClient: number % 2 == 0, clientPort: 7_300, serverPort: 7_301,
                    head + random(60 + number % 50, UInt64(number + 900)))
            }
        },
        Stranger("a text about RTSP on RTSP's port, whose beginning was missed") { wire in
            wire.serverPort = 554
            let text = """
                The client asks for a description, as in

                    DESCRIBE rtsp://h/cam RTSP/1.0
                    CSeq: 2

                DESCRIBE rtsp://h/cam RTSP/1.0
                CSeq: 2

                RTSP/1.0 404 Not Found
                CSeq: 2

                and gets no such thing.

                """
            for _ in 0..<20 { wire.send(fromClient: false, Array("of it.\n\(text)".utf8)) }
        },
        Stranger("a recorded dialogue of RTSP that somebody downloads, whose beginning was missed") { wire in
            wire.serverPort = 8_080
            let text =
                "OPTIONS rtsp://h/cam RTSP/1.0\r\nCSeq: 1\r\n\r\nRTSP/1.0 200 OK\r\nCSeq: 1\r\nPublic: OPTIONS\r\n\r\n"
            for _ in 0..<20 { wire.send(fromClient: false, Array(text.utf8)) }
        },
        Stranger("octets by chance behind an HTTP upgrade") { wire in
            wire.serverPort = 8_080
            wire.connect()
            wire.send(fromClient: true, Array("GET /x HTTP/1.1\r\nUpgrade: websocket\r\n\r\n".utf8))
            wire.send(fromClient: false, Array("HTTP/1.1 101 Switching Protocols\r\n\r\n".utf8) + chance)
        },
    ]

    @Test("Other traffic yields nothing", arguments: strangers)
    func negative(_ stranger: Stranger) {
        var wire = Wire()
        stranger.make(&wire)
        let found = Self.found(wire)
        #expect(found.protocols.isDisjoint(with: ["rtsp", "rtp", "rtcp", "rtmp", "sdp"]), "\(found.protocols)")
        #expect(found.streams == 0 && found.sessions == 0)
    }

    @Test("Random data with its start missing yields nothing")
    func randomConnections() {
        var generator = SeededGenerator(7_826)
        var sessions = 0
        for _ in 0..<200 {
            var wire = Wire()
            wire.serverPort = UInt16(20_000 + Int(generator.octets(1)[0]))
            wire.send(fromClient: false, generator.octets(14_000))
            sessions += Self.found(wire).sessions
        }
        #expect(sessions == 0)
    }

    /// Datagrams that may precede media.
    static let openings: [(name: String, octets: [[UInt8]])] = [
        ("nothing", []), ("a word", [Array("hello".utf8)]), ("an octet", [[0]]),
        ("a datagram of an unknown kind", [random(64, 20).map { $0 | 0xC0 }]),
        ("three of them", [[0xFF, 1, 2, 3, 4, 5], [0xFE, 1, 2, 3, 4, 5], [0xFD, 1, 2, 3, 4, 5]]),
        ("STUN", [[0, 1, 0, 0, 0x21, 0x12, 0xA4, 0x42] + random(12, 21)]),
    ]

    @Test("Media is recognized after unknown datagrams", arguments: openings.indices, [true, false])
    func positive(_ index: Int, _ fromClient: Bool) {
        var wire = Wire()
        for octets in Self.openings[index].octets {
            wire.datagram(fromClient: fromClient, clientPort: 7_004, serverPort: 7_006, octets)
        }
        for number in 0..<100 {
            let header: [UInt8] = [0x80, 0x60, 0, UInt8(number), 0, 0, UInt8(number), 0, 0x11, 0x22, 0x33, 0x44]
            wire.datagram(
                fromClient: fromClient, clientPort: 7_004, serverPort: 7_006, header + Self.random(160, 22))
        }
        let found = Self.found(wire)
        #expect(found.streams == 1, "\(Self.openings[index].name)")
        #expect(found.packets == 100)
    }

    @Test("Media is recognized after any number of them, which are then dropped")
    func farBehind() {
        var wire = Wire()
        for number in 0..<40 {
            wire.datagram(
                fromClient: number % 2 == 0, clientPort: 7_004, serverPort: 7_006, [0xFF, UInt8(number), 1, 2, 3, 4])
        }
        for number in 0..<200 {
            let header: [UInt8] = [0x80, 0x60, 0, UInt8(number), 0, 0, UInt8(number), 0, 0x11, 0x22, 0x33, 0x44]
            wire.datagram(fromClient: true, clientPort: 7_004, serverPort: 7_006, header + Self.random(160, 22))
        }
        let found = Self.found(wire)
        #expect(found.streams == 1)
        #expect((150...200).contains(found.packets))
    }

    @Test("Interleaved media is recognized on any port, also late", arguments: [554, 9_554] as [UInt16])
    func late(_ port: UInt16) {
        var wire = Wire()
        wire.serverPort = port
        wire.send(fromClient: false, Self.random(700, 30).map { $0 == 0x24 ? 0 : $0 })
        for number in 0..<40 {
            let header: [UInt8] = [0x80, 0x60, 0, UInt8(number), 0, 0, UInt8(number), 0, 0x11, 0x22, 0x33, 0x44]
            wire.send(fromClient: false, [0x24, 0, 0, 172] + header + Self.random(160, 31))
        }
        #expect(Self.found(wire).streams == 1)
    }

    private static func found(_ wire: Wire) -> Found {
        let found = Found()
        let analyzer = Analyzer(sink: found)
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.raw], snapLength: nil))
        for (index, packet) in wire.packets.enumerated() {
            KeptFrame(packet: packet.octets, number: index + 1, time: Timestamp(nanoseconds: packet.nanoseconds))
                .use { analyzer.process($0) }
        }
        analyzer.finish()
        return found
    }

    private final class Found: TimelineSink {
        var protocols: Set<String> = []
        var sessions = 0
        var streams = 0
        var packets = 0

        func begin(_ capture: CaptureRecord) {}
        func event(_ event: Event, session: Session?) { protocols.insert(event.message.protocolName) }
        func flow(_ flow: FlowRecord) {}
        func stream(_ stream: StreamRecord, session: Session?) {
            streams += 1
            for field in stream.details.fields(.masked) where field.name == "packets" {
                if case .integer(let count) = field.value { packets += count }
            }
        }
        func session(_ record: SessionRecord, session: Session) { sessions += 1 }
        func end(_ summary: SummaryRecord) {}
    }
}
