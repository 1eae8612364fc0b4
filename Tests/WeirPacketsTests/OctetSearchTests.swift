import Testing
@testable import WeirPackets

@Suite struct OctetSearchTests {
    /// Compared with a search octet by octet, at each place of texts with octets around the limit.
    @Test(arguments: [UInt8(0x0E), 0x20, 0x80])
    func nextOctetBelow(_ limit: UInt8) {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let octets = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                [limit &- 1, limit, limit &+ 1, 0, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
            }
            // Mostly octets that do not end the search.
            let text = octets.map { $0 < limit && Int.random(in: 0..<4, using: &generator) > 0 ? 0x80 : $0 }
            for start in 0...text.count {
                let expected = text.indices.first { $0 >= start && text[$0] < limit } ?? text.count
                #expect(text.rawSpan.nextOctet(below: limit, from: start) == expected)
            }
        }
    }
}
