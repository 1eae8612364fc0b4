import Testing
import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

@Suite struct RTMPDissectorTests {
    private typealias Feed = DissectorFeed<RTMPDissector>

    private static let clientBytes = RTMPBytes.handshake + RTMPBytes.connect
    private static let serverBytes = RTMPBytes.answer + hex("02 000000 000004 01 00000000 00001000")

    private func reported(_ pieces: [([UInt8], Direction)]) throws -> [String] {
        var feed = Feed()
        for (octets, direction) in pieces { try feed.feed(octets, direction) }
        return feed.said.map { if case .other(let text) = $0 { text } else { "\($0)" } }
    }

    @Test func handshakeAndConnect() throws {
        let said = try reported([
            (Array(Self.clientBytes[..<1_537]), .clientToServer), (Self.serverBytes, .serverToClient),
            (Array(Self.clientBytes[1_537...]), .clientToServer),
        ])
        #expect(
            said == [
                "C0, version 3", "C1, time 1, zero field 0", "S0, version 3", "S1, time 2, zero field 0",
                "S2, time 1, echoes C1", "Set Chunk Size 4096", "C2, time 2, echoes S1",
                "connect app \"live/***\" (transaction 1)",
            ])
    }

    @Test func sameHoweverCut() throws {
        let whole = try reported([(Self.clientBytes, .clientToServer)])
        for cut in stride(from: 0, to: Self.clientBytes.count, by: 1) {
            let said = try reported([
                (Array(Self.clientBytes[..<cut]), .clientToServer), (Array(Self.clientBytes[cut...]), .clientToServer),
            ])
            #expect(said == whole, "cut at \(cut)")
        }
        #expect(try reported(Self.clientBytes.map { ([$0], .clientToServer) }) == whole)
    }

    @Test func keysAreMasked() {
        #expect(RTMPSecrets.hide("rtmp://h/live?token=x", [], .masked) == "rtmp://h/live?***")
        #expect(RTMPSecrets.hide("Publishing key1.", ["key1"], .masked) == "Publishing ***.")
        #expect(RTMPSecrets.hide("key12", ["key1"], .masked) == "key12")
        #expect(RTMPSecrets.hide("key12 is KEY1: key1", ["key1"], .masked) == "key12 is ***: ***")
        let long = String(repeating: "a", count: 20) + "b"
        #expect(RTMPSecrets.hide("/" + long + long + "c", [long], .masked) == "/******c")
        #expect(RTMPSecrets.hide("/aaa" + long.dropLast() + "c", [long], .masked) == "/aaa" + long.dropLast() + "c")
    }

    /// A command with these values, in one chunk.
    private static func command(_ name: String, _ transaction: Double, _ values: [UInt8], type: UInt8 = 20) -> [UInt8] {
        var octets: [UInt8] = [2, 0, UInt8(name.utf8.count)] + Array(name.utf8) + [0]
        for shift in stride(from: 56, through: 0, by: -8) {
            octets.append(UInt8(truncatingIfNeeded: transaction.bitPattern >> UInt64(shift)))
        }
        return RTMPBytes.message(chunkStream: 3, type: type, stream: 0, octets + values)
    }

    /// Only the response to createStream assigns a message stream.
    @Test func results() throws {
        let number = hex("05 00 4024000000000000")
        var feed = try Feed.afterHandshake()
        let asked = Self.command("createStream", 2, [5]) + Self.command("getStreamLength", 3, hex("05 02 0001 61"))
        try feed.feed(asked, .clientToServer)
        let answers = [2.0, 3, 4].flatMap { Self.command("_result", $0, number) }
        try feed.feed(RTMPBytes.answer + answers, .serverToClient)
        #expect(
            feed.rtmp.suffix(3).map { $0.summary(.masked) } == [
                "_result for transaction 2: stream 10", "_result for transaction 3: 10",
                "_result for transaction 4: 10",
            ])
        #expect(feed.rtmp.suffix(3).map { $0.payload.command?.makesStream } == [true, false, false])
    }

    /// Stream names in play2 and in playlists are secrets, like that of play.
    @Test func namesInObjects() throws {
        var feed = try Feed.afterHandshake()
        let object = hex(
            "03 000A 73747265616D4E616D65 02 0004 6B657931 000D 6F6C6453747265616D4E616D65 02 0004 6B657930 000009")
        let list = hex("05 0A 00000001 02 0004 6B657932")
        try feed.feed(Self.command("play2", 0, [5] + object) + Self.command("set_playlist", 0, list), .clientToServer)
        let reported = Self.command(
            "onStatus", 0, hex("05 03 000B 6465736372697074696F6E 02 000E 6B6579306B6579302D6B65793221 000009"))
        try feed.feed(RTMPBytes.answer + reported, .serverToClient)
        let shown = feed.rtmp.map { "\($0.summary(.masked)) \($0.fields(.masked))" }.joined()
        for key in ["key1", "-key2"] { #expect(!shown.contains(key)) }
        #expect(feed.rtmp.first?.summary(.revealed) == "play2 \"key1\"")
    }

    @Test(arguments: 0..<3) func damagedStreams(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed)
        for _ in 0..<300 {
            var octets = Self.clientBytes + RTMPBytes.connect + Self.serverBytes[3_073...]
            for _ in 0..<4 {
                octets[3_073 + Int(generator.next() % UInt64(octets.count - 3_073))] =
                    UInt8(truncatingIfNeeded: generator.next())
            }
            let cut = Int(generator.next() % UInt64(octets.count))
            var feed = Feed()
            try feed.feed(octets[..<cut], .clientToServer)
            if generator.chance(3) { feed.miss(Int(generator.next() % 4_000), .clientToServer) }
            try feed.feed(octets[cut...], .clientToServer)
            feed.finish()
        }
    }

    @Test func cutAnywhereInTheFirstOctets() throws {
        let octets = Self.clientBytes + RTMPBytes.message(type: 9, RTMPBytes.video(3_000))
        for count in 0..<octets.count {
            var feed = Feed()
            try feed.feed(octets[..<count], .clientToServer)
            feed.finish()
            #expect(count == 0 || !feed.said.isEmpty, "\(count) octets")
        }
    }
}

extension RTMPPayload {
    /// The command, or nil.
    fileprivate var command: RTMPCommand? {
        if case .command(let command) = self { command } else { nil }
    }
}
