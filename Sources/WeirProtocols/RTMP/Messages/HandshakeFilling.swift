import WeirEngine
import WeirPackets

/// The kind of random octets in C1 or S1. They distinguish the echo of a side's own part from the peer's and need not
/// change between connections (RTMP §5.2.3).
package enum HandshakeFilling: Sendable, Hashable {
    /// Apparently random.
    case varied
    /// All zero.
    case zeros
    /// A single value other than zero.
    case constant(UInt8)
    /// A repeated sequence of `period` octets.
    case repeated(period: Int)
    /// Contains readable text of at least this many consecutive characters: uninitialized memory.
    case text(longest: Int)
    /// Too few distinct values for a random number generator, mostly zeros: uninitialized memory, or a counter.
    case sparse(values: Int)

    /// The minimum length of readable text; random octets reach it once in 10^7 handshakes.
    private static let readable = 24
    /// The minimum number of distinct values in random octets: 1528 of them have 255 on average, and at least 240.
    private static let values = 200

    /// Classifies the octets after the second field of a C1 or S1.
    init(_ octets: RawSpan) {
        guard let first = octets.byte(at: 0) else {
            self = .varied
            return
        }
        if Self.repeats(octets, after: 1) {
            self = first == 0 ? .zeros : .constant(first)
        } else if let period = Self.period(octets) {
            self = .repeated(period: period)
        } else if let longest = Self.longestText(octets) {
            self = .text(longest: longest)
        } else {
            let values = octets.byteCount >= 1_024 ? Self.differentValues(octets) : .max
            self = values < Self.values ? .sparse(values: values) : .varied
        }
    }

    /// Returns the number of distinct values; of random octets, counting ends once there are enough.
    private static func differentValues(_ octets: RawSpan) -> Int {
        var seen = [Bool](repeating: false, count: 256)
        var count = 0
        var offset = 0
        while let octet = octets.byte(at: offset) {
            offset &+= 1
            guard !seen[Int(octet)] else { continue }
            seen[Int(octet)] = true
            count &+= 1
            if count == values { break }
        }
        return count
    }

    /// The longest period that is found, which is that of a counter.
    private static let longestPeriod = 256

    /// Returns the period of the octets, from 2 on, or nil if they do not repeat.
    private static func period(_ octets: RawSpan) -> Int? {
        guard let first = octets.byte(at: 0) else { return nil }
        let repeated = UInt64(first) &* Self.everyOctet
        let longest = min(longestPeriod, octets.byteCount / 2)
        var start = 2
        while start <= longest {
            // Most of eight periods differ in the first octet.
            if let word = octets.uint64(at: start), !hasZeroOctet(word ^ repeated) {
                start &+= 8
                continue
            }
            if octets.byte(at: start) == first, repeats(octets, after: start) { return start }
            start &+= 1
        }
        return nil
    }

    private static let everyOctet: UInt64 = 0x0101_0101_0101_0101

    private static func hasZeroOctet(_ word: UInt64) -> Bool {
        (word &- everyOctet) & ~word & (everyOctet &* 0x80) != 0
    }

    /// Whether the octets repeat after a number of them.
    private static func repeats(_ octets: RawSpan, after period: Int) -> Bool {
        octets.clamped(period).equals(octets.clamped(0, octets.byteCount &- period))
    }

    /// Returns the length of the longest readable text, or nil if none has the minimum length.
    private static func longestText(_ octets: RawSpan) -> Int? {
        func isReadable(_ offset: Int) -> Bool { octets.byte(at: offset).map { 0x20...0x7E ~= $0 } ?? false }
        var longest: Int?
        // Every text of the minimum length contains one of these places.
        var place = readable &- 1
        while place < octets.byteCount {
            if isReadable(place) {
                var (start, end) = (place, place &+ 1)
                while isReadable(start &- 1) { start &-= 1 }
                while isReadable(end) { end &+= 1 }
                if end &- start >= readable { longest = max(longest ?? 0, end &- start) }
            }
            place &+= readable
        }
        return longest
    }

    /// The value of `random` in the report.
    var name: String {
        switch self {
        case .varied: "varied"
        case .zeros: "zeros"
        case .constant: "constant"
        case .repeated: "repeated"
        case .text: "text"
        case .sparse: "sparse"
        }
    }

    /// The description for the summary, or nil if there is nothing to report.
    var words: Wording? {
        switch self {
        case .varied: nil
        case .zeros: "random data all zero"
        case .constant(let octet): "random data all \(octet)"
        case .repeated(let period): "random data repeats every \(period) octets"
        case .text(let longest): "random data contains \(longest) characters of readable text"
        case .sparse(let values): "random data has only \(values) distinct values"
        }
    }
}
