import Testing
import WeirProtocols

@testable import WeirRedaction

/// Texts compressed to a given length are read by a decompressor that knows nothing of how they were made.
struct DeflateEncoderTests {
    private static let tail: [UInt8] = [0, 0, 0xFF, 0xFF]

    private static let texts: [[UInt8]] = [
        [], [0x41], Array("{\"type\":\"bye\"}".utf8), [UInt8](repeating: 0x61, count: 3_000),
        Array((0..<60).map { "{\"candidate\":\"candidate:\($0) 1 udp \($0 * 77) 192.0.2.\($0)\"}" }.joined().utf8),
        (0..<2_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3 ^ $0) },
        (0..<700).map { UInt8(truncatingIfNeeded: ($0 &* 7_919) >> 4) },
    ]

    @Test(arguments: texts)
    func `a text has every length from a little above the least on`(text: [UInt8]) throws {
        let encoder = DeflateEncoder(text, behind: [], farthest: 1 << 15)
        let least = try #require((1...text.count + 40).first { encoder.message(octets: $0) != nil })
        #expect(least <= text.count + text.count / 50 + 12)
        for octets in (least + 12)..<(least + 60) {
            let message = try #require(encoder.message(octets: octets))
            #expect(message.count == octets)
            var inflater = Inflater()
            #expect(try inflater.inflate(message + Self.tail, upTo: 1 << 16).octets == text)
        }
    }

    @Test func `a text refers to earlier ones, but not farther than allowed`() throws {
        let window = Self.texts[4]
        let text = Array(window.prefix(500))
        let near = DeflateEncoder(text, behind: window, farthest: 256)
        let far = DeflateEncoder(text, behind: window, farthest: 1 << 15)
        let least = try #require((1...600).first { far.message(octets: $0) != nil })
        #expect(least < 30 && near.message(octets: least) == nil)
        var inflater = Inflater(keepsWindow: true)
        let first = try #require(DeflateEncoder(window, behind: [], farthest: 1 << 15).message(octets: window.count))
        #expect(try inflater.inflate(first + Self.tail, upTo: 1 << 16).octets == window)
        let second = try #require(far.message(octets: least + 20))
        #expect(try inflater.inflate(second + Self.tail, upTo: 1 << 16).octets == text)
        #expect(inflater.refersBack && inflater.farthest > 256)
    }

    @Test func `what cannot be so short is not compressed`() {
        let noise = (0..<500).map { UInt8(truncatingIfNeeded: ($0 &* 48_271) >> 5) }
        #expect(DeflateEncoder(noise, behind: [], farthest: 1 << 15).message(octets: 100) == nil)
        #expect(DeflateEncoder(noise, behind: [], farthest: 1 << 15).message(octets: 0) == nil)
    }
}
