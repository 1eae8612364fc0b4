import Testing
@testable import WeirPackets

@Suite struct OctetSearchTests {
    /// Compared with a search octet by octet, at each place of texts with octets around the limit.
    @Test(arguments: [UInt8(0x0E), 0x20, 0x80])
    func nextOctetBelow(_ limit: UInt8) {
        // Mostly octets that do not end the search.
        let octets: [UInt8] = [limit &- 1, limit, limit, limit &+ 1, 0, 0x7F, 0x80, 0x80, 0x80, 0xFF]
        for _ in 0..<200 {
            let text = (0..<Int.random(in: 0...40)).map { _ in octets[Int.random(in: octets.indices)] }
            for start in 0...text.count {
                let expected = text.indices.first { $0 >= start && text[$0] < limit } ?? text.count
                #expect(text.rawSpan.nextOctet(below: limit, from: start) == expected)
            }
        }
    }
}
