import Testing
import WeirEngine
import WeirPackets
import WeirTesting
@testable import WeirProtocols

@Suite("DEFLATE") struct InflaterTests {
    /// The octets that senders of compressed messages remove from their end.
    private static let tail: [UInt8] = [0, 0, 0xFF, 0xFF]

    private func text(_ octets: [UInt8], _ inflater: inout Inflater) throws -> String {
        String(decoding: try inflater.inflate(octets + Self.tail, upTo: 1_000).octets, as: UTF8.self)
    }

    /// The messages of RFC 7692 §7.2.3: one block, an uncompressed block, a final block, two blocks.
    @Test(arguments: [
        "f2 48 cd c9 c9 07 00", "00 05 00 fa ff 48 65 6c 6c 6f 00", "f3 48 cd c9 c9 07 00 00",
        "f2 48 05 00 00 00 ff ff ca c9 c9 07 00",
    ])
    func examples(_ octets: String) throws {
        var inflater = Inflater(keepsWindow: true)
        #expect(try text(hex(octets), &inflater) == "Hello")
    }

    @Test("a message may refer to the previous one, unless that is missing")
    func window() throws {
        var inflater = Inflater(keepsWindow: true)
        #expect(try text(hex("f2 48 cd c9 c9 07 00"), &inflater) == "Hello")
        #expect(try text(hex("f2 00 11 00 00"), &inflater) == "Hello")
        inflater.forget()
        #expect(throws: Inflater.Fault.damaged) { try self.text(hex("f2 00 11 00 00"), &inflater) }
        var forgetful = Inflater()
        _ = try text(hex("f2 48 cd c9 c9 07 00"), &forgetful)
        #expect(throws: Inflater.Fault.damaged) { try self.text(hex("f2 00 11 00 00"), &forgetful) }
    }

    /// 100,000 times the letter a, compressed by zlib with dynamic Huffman codes (level 9, raw).
    private static let bomb = hex(
        "ed c1 31 01 00 00 00 c2 a0 ac eb 5f c2 1a 1e 40 01" + String(repeating: " 00", count: 96) + " af 06")

    @Test("output beyond the limit is given up")
    func bounded() {
        // Stored blocks of 1,000 octets: the output is bounded, not the input.
        let block: [UInt8] = [0, 0xE8, 0x03, 0x17, 0xFC] + [UInt8](repeating: 0x61, count: 1_000)
        var inflater = Inflater()
        #expect(throws: Inflater.Fault.tooLong) { try inflater.inflate(block + block, upTo: 1_999) }
        #expect((try? inflater.inflate(block + block, upTo: 2_000).octets.count) == 2_000)
        #expect(throws: Inflater.Fault.tooLong) { try inflater.inflate(Self.bomb, upTo: 99_999) }
        #expect((try? inflater.inflate(Self.bomb, upTo: 100_000).octets.count) == 100_000)
    }

    @Test("the total output of many small messages is limited")
    func budget() {
        let end = Endpoint(address: IPAddress(ipv4: 1), port: 80)
        let flow = FlowContext(id: 1, transport: .tcp, client: end, server: end)
        var budget = ExpansionBudget(flow)
        var made = 0
        for _ in 0..<10_000 {
            let allowed = budget.allow(100, upTo: 1_000_000)
            made += allowed
            budget.spend(allowed)
        }
        #expect(made < 4 * 1024 * 1024 + 10_000 * (100 + 32) * 16 + 1)
        #expect(budget.allow(1_000_000, upTo: 500) == 500)
    }

    @Test("arbitrary octets give a result, truncated anywhere")
    func hostile() {
        for seed in 0..<400 {
            var state = UInt32(truncatingIfNeeded: seed &* 7_919 &+ 1)
            var octets: [UInt8] = []
            for _ in 0..<120 {
                state = state &* 1_664_525 &+ 1_013_904_223
                octets.append(UInt8(truncatingIfNeeded: state >> 24))
            }
            octets[0] = octets[0] & 0xF8 | UInt8(seed % 8)
            var inflater = Inflater(keepsWindow: true)
            for end in [octets.count, 60, 7] {
                if let made = try? inflater.inflate(Array(octets[..<end]), upTo: 5_000) {
                    #expect(made.octets.count <= 5_000 && made.used <= end)
                }
            }
        }
    }
}
