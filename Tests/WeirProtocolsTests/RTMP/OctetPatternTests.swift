import Testing
import WeirTesting
@testable import WeirProtocols

@Suite struct OctetPatternTests {
    @Test(arguments: [
        ("a", "", []), ("", "a", []), ("ab", "a", []), ("ab", "xabab", [1, 3]), ("aa", "aaaa", [0, 1, 2]),
        ("aab", "aaaab", [2]), ("abab", "ababab", [0, 2]), ("key", "ke key", [3]),
    ])
    func starts(_ pattern: String, _ text: String, _ starts: [Int]) {
        #expect(OctetPattern(Array(pattern.utf8)).starts(in: Array(text.utf8)) == starts)
    }

    /// Texts of two letters, in which parts of a pattern occur often, against a comparison at each place.
    @Test func randomTexts() {
        var generator = SeededGenerator(31)
        for _ in 0..<2_000 {
            let count = Int.random(in: 1...6, using: &generator)
            let octets = (0..<40 + count).map { _ in UInt8.random(in: 0...1, using: &generator) }
            let (pattern, text) = (Array(octets[..<count]), Array(octets[count...]))
            let expected = text.indices.filter { text[$0...].starts(with: pattern) }
            #expect(OctetPattern(pattern).starts(in: text) == expected, "\(pattern) in \(text)")
        }
    }
}
