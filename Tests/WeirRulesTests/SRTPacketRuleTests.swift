import CaptureTesting
import Testing
import WeirEngine
import WeirKit
import WeirPackets

@testable import WeirProtocols

/// The rules about data, acknowledgements and the other packets of an SRT connection, each met and violated.
@Suite("SRT packets")
struct SRTPacketRuleTests {
    /// A packet after the handshake.
    struct Packet {
        var isClient = true
        var octets: [UInt8]
        var after = 0.01
    }

    static func words(_ values: UInt32...) -> [UInt8] {
        values.flatMap { value in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) } }
    }

    static func data(
        _ sequence: UInt32, message: UInt32? = nil, position: UInt32 = 3, key: UInt32 = 0, again: Bool = false,
        time: UInt32? = nil, socket: UInt32 = 98, after: Double = 0.01
    ) -> Packet {
        let flags = position << 30 | key << 27 | (again ? 1 << 26 : 0) | (message ?? sequence - 6)
        return Packet(
            octets: words(sequence, flags, time ?? sequence * 1_000, socket) + [UInt8](repeating: 1, count: 100),
            after: after)
    }

    private static func ack(_ number: UInt32) -> Packet {
        Packet(isClient: false, octets: words(0x8002_0000, number, 5, 99, 8, 20_000, 100, 8_000, 100, 1_000, 50_000))
    }
    private static func lightACK(_ number: UInt32) -> Packet {
        Packet(isClient: false, octets: words(0x8002_0000, number, 5, 99, 8))
    }
    private static func ackACK(_ number: UInt32) -> Packet { Packet(octets: words(0x8006_0000, number, 5, 98, 0)) }
    static func nak(_ sequence: UInt32, after: Double = 0.01) -> Packet {
        Packet(isClient: false, octets: words(0x8003_0000, 0, 5, 99, sequence), after: after)
    }
    private static let keepAlive = Packet(octets: words(0x8001_0000, 0, 5, 98, 0), after: 1)
    private static let serverKeepAlive = Packet(isClient: false, octets: words(0x8001_0000, 0, 5, 99, 0), after: 4)
    static let shutdown = Packet(octets: words(0x8005_0000, 0, 6, 98, 0))

    /// The handshake of a caller and a listener with these socket IDs.
    static func handshakes(_ caller: UInt32, _ listener: UInt32) -> [Packet] {
        func handshake(_ kind: UInt32, _ version: UInt32, _ field: UInt32, _ socket: UInt32, _ cookie: UInt32)
            -> [UInt8]
        {
            words(0x8000_0000, 0, 1, 0, version, field, 7, 1_500, 8_192, kind, socket, cookie, 1, 0, 0, 0)
        }
        func parameters(_ type: UInt32) -> [UInt8] { words(type << 16 | 3, 0x0001_0501, 0xBF, 120 << 16 | 120) }
        return [
            Packet(octets: handshake(1, 4, 2, caller, 0)),
            Packet(isClient: false, octets: handshake(1, 5, 0x4A17, listener, 5)),
            Packet(octets: handshake(0xFFFF_FFFF, 5, 1, caller, 5) + parameters(1)),
            Packet(isClient: false, octets: handshake(0xFFFF_FFFF, 5, 1, listener, 5) + parameters(2)),
        ]
    }

    /// Analyzes packets after a handshake in which both sides start with sequence number 7.
    static func analyzed(_ packets: [Packet], closes: Bool = true) -> AnalysisResult {
        var dialogue = Dialogue(.udp, port: 9_710)
        for packet in handshakes(99, 98) + packets + (closes ? [shutdown] : []) {
            if packet.isClient {
                dialogue.client(packet.octets, after: packet.after)
            } else {
                dialogue.server(packet.octets, after: packet.after)
            }
        }
        return dialogue.analyzed()
    }

    static func verdicts(_ result: AnalysisResult) -> Set<String> {
        Set(result.findings.filter { $0.rule.hasPrefix("SRT-") && $0.verdict == .fail }.map(\.rule))
    }

    private static let naks = [nak(8), nak(8, after: 1), keepAlive, nak(8), nak(8, after: 1)]

    /// Each rule with packets that violate it alone, and with similar ones that do not.
    private static let cases: [(rule: String, broken: [Packet], kept: [Packet])] = [
        ("SRT-FIRST-SEQUENCE", [data(90_000)], [data(8)]),
        ("SRT-KK", [data(7, key: 3)], [data(7, key: 1)]),
        ("SRT-TIMESTAMP", [data(7), data(8, time: 10)], [data(7, time: 0xFFFF_FFF0), data(8, time: 10)]),
        ("SRT-MESSAGE", [data(7), data(8, message: 9)], [data(7, message: 0x3FF_FFFF), data(8, message: 1)]),
        (
            "SRT-POSITION", [data(7), data(8, position: 1)],
            [data(7, message: 1, position: 2), data(8, message: 1, position: 0), data(9, message: 1, position: 1)]
        ),
        ("SRT-ACK-LIGHT", [data(7), lightACK(5)], [data(7), lightACK(0)]),
        ("SRT-ACKACK", [data(7)] + (1...4).map(ack), [data(7)] + (1...4).map(ack) + [ackACK(4)]),
        ("SRT-NAK-AHEAD", [data(7), nak(8), data(8)], [data(7), data(9), nak(8), data(8, again: true)]),
        (
            "SRT-NAK-SERVED", [data(7), data(9)] + naks + [keepAlive],
            [data(7), data(9)] + naks + [data(8, again: true)]
        ),
        (
            "SRT-REQUESTED", [data(7), data(8), data(9), ack(1)] + (0..<4).map { _ in data(8, again: true) },
            [data(7), data(9), nak(8)] + (0..<4).map { _ in data(8, again: true) }
        ),
        (
            "SRT-KEEPALIVE", [data(7), serverKeepAlive, data(8)],
            [data(7), keepAlive, keepAlive, keepAlive, data(8, after: 1)]
        ),
        ("SRT-AFTER-SHUTDOWN", [data(7), shutdown, data(8, after: 1)], [data(7), shutdown, data(8)]),
        ("SRT-SOCKET", [data(7, socket: 55)], [data(7)]),
    ]

    /// The rules tested here.
    static let rules = Set(cases.map(\.rule))

    @Test("Each rule reports its violation alone", arguments: cases.indices)
    func judges(_ index: Int) {
        let (rule, broken, kept) = Self.cases[index]
        #expect(Self.verdicts(Self.analyzed(broken)) == [rule])
        #expect(Self.verdicts(Self.analyzed(kept)) == [])
    }

    @Test(
        "Recorded sessions of libsrt violate none",
        arguments: [
            "srt-live", "srt-encrypted", "srt-rendezvous", "srt-late-repair", "srt-wrong-passphrase",
            "srt-wrong-passphrase-tolerated", "srt-no-listener", "srt-ffmpeg", "srt-gstreamer", "srt-file",
        ])
    func recorded(_ name: String) throws {
        let result = try Analysis(RecordedCaptures.path("Captures/srt/\(name).pcap")).run()
        #expect(result.findings.filter { $0.rule.hasPrefix("SRT-") }.map(\.rule) == [])
    }

    @Test(
        "A direction that was not captured, and a time in which nothing was, are nobody's fault",
        arguments: [
            (1...4).map(ack), [data(7), data(8), data(9)] + (0..<4).map { _ in data(8, again: true) },
            [data(7), ack(1), data(8, after: 4)],
        ])
    func uncaptured(_ packets: [Packet]) { #expect(Self.verdicts(Self.analyzed(packets, closes: false)) == []) }

    @Test("Several connections on the same ports are not judged as one")
    func shared() {
        let conclusion =
            Self.words(0x8000_0000, 0, 1, 0, 5, 1, 7, 1_500, 8_192, 0xFFFF_FFFF, 100, 5, 1, 0, 0, 0)
            + Self.words(1 << 16 | 3, 0x0001_0501, 0xBF, 120 << 16 | 120)
        let data = [Self.data(90_000, time: 9, socket: 97), Self.data(90_001, message: 7, time: 8, socket: 97)]
        #expect(Self.verdicts(Self.analyzed([Packet(octets: conclusion)] + data)) == [])
        #expect(Self.verdicts(Self.analyzed(data)) != [])
    }

    @Test("A closed port is the cause of no answer")
    func closedPort() throws {
        let result = try Analysis(RecordedCaptures.path("Captures/srt/srt-no-listener.pcap")).run()
        let cause = try #require(result.sessions.first?.record.causes.first)
        #expect(cause.id == "srt-no-answer" && cause.text.key == "cause.srt-no-listener")
    }
}
