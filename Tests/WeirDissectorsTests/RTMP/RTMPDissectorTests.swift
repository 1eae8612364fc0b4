import Testing
import WeirPackets
import WeirTesting

@testable import WeirDissectors

@Suite struct RTMPDissectorTests {
    private typealias Feed = DissectorFeed<RTMPDissector>

    private static let clientBytes = RTMPBytes.handshake + RTMPBytes.connect
    private static let serverBytes = RTMPBytes.answer + hex("02 000000 000004 01 00000000 00001000")

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

    @Test func keysAreMasked() {
        #expect(RTMPSecrets.hide("rtmp://h/live?token=x", [], .masked) == "rtmp://h/live?***")
        #expect(RTMPSecrets.hide("Publishing key1.", ["key1"], .masked) == "Publishing ***.")
        #expect(RTMPSecrets.hide("key12", ["key1"], .masked) == "key12")
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
