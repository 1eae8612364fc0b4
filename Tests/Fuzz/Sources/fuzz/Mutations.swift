/// A seeded random number generator (SplitMix64), identical in every run.
struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

extension Array where Element == UInt8 {
    /// Returns the octets after a few random changes, some with parts of `other`.
    func mutated(_ other: [UInt8], _ random: inout Random) -> [UInt8] {
        var octets = self
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let at = Int.random(in: 0...octets.count, using: &random)
            let end = Swift.min(octets.count, at + Int.random(in: 0...64, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0 where at < octets.count: octets[at] = .random(in: 0...255, using: &random)
            case 1 where at < octets.count: octets[at] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 2: octets.removeSubrange(at..<end)
            case 3: octets.insert(contentsOf: octets[at..<end], at: at)
            case 4: octets.insert(contentsOf: Self.edges.randomElement(using: &random) ?? [], at: at)
            case 5 where at < octets.count:
                let edge = Self.edges.randomElement(using: &random) ?? []
                octets.replaceSubrange(at..<Swift.min(octets.count, at + edge.count), with: edge)
            case 6 where !other.isEmpty:
                let start = Int.random(in: 0..<other.count, using: &random)
                let length = Int.random(in: 0...200, using: &random)
                octets.insert(contentsOf: other[start..<Swift.min(other.count, start + length)], at: at)
            case 7 where octets.count > 2_000: octets.removeSubrange(at...)
            default: break
            }
        }
        return octets
    }

    /// Values that readers are sensitive to: limits of number ranges, starts of messages, delimiters.
    private static let edges: [[UInt8]] =
        [[0], [255], [0, 0], [255, 255], [127, 255], [128, 0], [255, 255, 255, 255], [127, 255, 255, 255]]
        + [
            "\r\n", "\r\n\r\n", "\n", "$", "$\u{0}", ":", ";", ",", "=", "-", "\"", "%", "@", "é",
            "18446744073709551616",
            "9223372036854775807", "-1", "RTSP/1.0 200 OK\r\n", "PLAY rtsp://h RTSP/1.0\r\n", "Content-Length: ",
            "CSeq: ", "Transport: ", "interleaved=0-255", "a=rtpmap:", "a=fmtp:96 ", "m=video 0 RTP/AVP ",
        ].map { Array($0.utf8) }
}

extension Array {
    /// Splits the sequence into slices of `count` elements.
    func chunked(_ count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map { self[$0..<Swift.min(self.count, $0 + count)] }
    }
}
