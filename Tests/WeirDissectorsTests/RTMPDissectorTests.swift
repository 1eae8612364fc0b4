import Testing
import WeirPackets
import WeirTesting

@testable import WeirDissectors

@Suite struct RTMPDissectorTests {
    private typealias Feed = DissectorFeed<RTMPDissector>

    /// connect as a Flash client sent it, shortened: type 0, chunk stream 3, message stream 0.
    private static let connect = hex(
        """
        03 000001 000025 14 00000000
        02 0007 636F6E6E656374 00 3FF0000000000000 03 0003 617070 02 0006 6C6976652F61 000009
        """)

    private static func part(_ seed: UInt8) -> [UInt8] {
        [0, 0, 0, seed, 0, 0, 0, 0] + (0..<1_528).map { UInt8(truncatingIfNeeded: $0 * 7 + Int(seed)) }
    }

    private static let clientBytes = [3] + part(1) + part(2) + connect
    private static let serverBytes = [3] + part(2) + part(1) + hex("02 000000 000004 01 00000000 00001000")

    private func told(_ pieces: [([UInt8], Direction)]) throws -> [String] {
        var feed = Feed()
        for (octets, direction) in pieces { try feed.feed(octets, direction) }
        return feed.said.map { if case .other(let text) = $0 { text } else { "\($0)" } }
    }

    @Test func handshakeAndConnect() throws {
        let said = try told([
            (Array(Self.clientBytes[..<1_537]), .clientToServer), (Self.serverBytes, .serverToClient),
            (Array(Self.clientBytes[1_537...]), .clientToServer),
        ])
        #expect(
            said == [
                "C0, version 3", "C1, time 1, zero field 0", "S0, version 3", "S1, time 2, zero field 0",
                "S2, time 1, echoes C1", "Set Chunk Size 4096", "C2, time 2, echoes S1",
                "connect app \"live/a\" (transaction 1)",
            ])
    }

    @Test func sameHoweverCut() throws {
        let whole = try told([(Self.clientBytes, .clientToServer)])
        for cut in stride(from: 0, to: Self.clientBytes.count, by: 1) {
            let said = try told([
                (Array(Self.clientBytes[..<cut]), .clientToServer), (Array(Self.clientBytes[cut...]), .clientToServer),
            ])
            #expect(said == whole, "cut at \(cut)")
        }
        #expect(try told(Self.clientBytes.map { ([$0], .clientToServer) }) == whole)
    }

    @Test func secondC1InPlaceOfC2() throws {
        let said = try told([([3] + Self.part(1) + Self.part(1), .clientToServer)])
        #expect(said.last == "C2, time 1, repeats C1")
    }

    @Test func interleavedChunksOfTwoStreams() throws {
        // Chunks of 128: metadata on 4 in two chunks, Window Acknowledgement Size on 2 between them.
        let body = hex("02 000A") + Array("onMetaData".utf8) + hex("0C 00000080") + [UInt8](repeating: 0x61, count: 128)
        let bytes =
            [3] + Self.part(1) + Self.part(2) + hex("04 000000 000092 12 01000000") + body[..<128]
            + hex("02 000000 000004 05 00000000 0000FFFF C4") + body[128...]
        let said = try told([(bytes, .clientToServer)])
        #expect(said.suffix(2) == ["Window Acknowledgement Size 65535", "data: onMetaData"])
    }

    @Test(arguments: [true, false]) func extendedTimestampOnType3(_ isRepeated: Bool) throws {
        let stamp = hex("01000000")
        let body = hex("02 0001 61 0C 0000 0090") + [UInt8](repeating: 0x62, count: 144)
        var bytes = [3] + Self.part(1) + Self.part(2) + hex("04 FFFFFF 000099 12 01000000") + stamp + body[..<128]
        bytes += [0xC4] + (isRepeated ? stamp : []) + body[128...] + Self.connect
        var feed = Feed()
        try feed.feed(bytes, .clientToServer)
        #expect(feed.remarks == (isRepeated ? [] : ["rtmp.remark.extendedOmitted"]))
        #expect(feed.said.last == .other("connect app \"live/a\" (transaction 1)"))
    }

    @Test func chunkHeaderReadsForeignBytes() throws {
        // A publish over chunk stream 4, message stream 1, as ffmpeg sends it: the id is little-endian.
        let octets = hex("04 000000 000022 14 01000000")
        var reader = ByteReader(octets.rawSpan, layer: "test")
        let header = try RTMPChunkHeader(&reader)
        #expect(header.messageStreamID == 1 && header.typeID == 20 && header.messageLength == 34)
        for length in 0..<octets.count {
            let short = Array(octets[..<length])
            var reader = ByteReader(short.rawSpan, layer: "test")
            do throws(DecodeError) {
                _ = try RTMPChunkHeader(&reader)
                Issue.record("\(length) octets are no header")
            } catch {}
        }
    }

    @Test func keysAreMasked() {
        #expect(RTMPSecrets.hide("rtmp://h/live?token=x", [], .masked) == "rtmp://h/live?***")
        #expect(RTMPSecrets.hide("Publishing key1.", ["key1"], .masked) == "Publishing ***.")
        #expect(RTMPSecrets.hide("key12", ["key1"], .masked) == "key12")
    }

    @Test func probe() {
        func answer(_ client: [UInt8], _ server: [UInt8] = []) -> ProbeAnswer {
            RTMPProbe.answer(client: client.rawSpan, server: server.rawSpan)
        }
        #expect(answer([3] + Self.part(1)) == .yes)
        #expect(answer([3, 0, 0, 0]) == .needMore)
        #expect(answer(Array("OPTIONS * RTSP/1.0\r\n".utf8)) == .no)
        #expect(answer(hex("16 0301 0200")) == .no)
        var generator = SeededGenerator(5)
        for _ in 0..<200 { #expect(answer(generator.octets(4_096), generator.octets(4_096)) != .yes) }
        for _ in 0..<200 { #expect(answer([3] + generator.octets(4_095)) != .yes) }
    }

    @Test(arguments: 0..<3) func damagedStreams(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed)
        for _ in 0..<300 {
            var octets = Self.clientBytes + Self.connect + Self.serverBytes[3_073...]
            for _ in 0..<4 {
                octets[3_073 + Int(generator.next() % UInt64(octets.count - 3_073))] =
                    UInt8(truncatingIfNeeded: generator.next())
            }
            let cut = Int(generator.next() % UInt64(octets.count))
            var feed = Feed()
            try feed.feed(octets[..<cut], .clientToServer)
            if generator.chance(3) { feed.gap(Int(generator.next() % 4_000), .clientToServer) }
            try feed.feed(octets[cut...], .clientToServer)
        }
    }
}
