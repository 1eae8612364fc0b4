import WeirEngine

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
    init(_ octets: ArraySlice<UInt8>) {
        guard let first = octets.first else {
            self = .varied
            return
        }
        if octets.allSatisfy({ $0 == first }) {
            self = first == 0 ? .zeros : .constant(first)
        } else if let period = Self.period(octets) {
            self = .repeated(period: period)
        } else if let longest = Self.longestText(octets), longest >= Self.readable {
            self = .text(longest: longest)
        } else {
            var seen = [Bool](repeating: false, count: 256)
            for octet in octets { seen[Int(octet)] = true }
            let values = seen.count { $0 }
            self = values < Self.values && octets.count >= 1_024 ? .sparse(values: values) : .varied
        }
    }

    /// Returns the period of the octets, at most 256, which is the period of a counter.
    private static func period(_ octets: ArraySlice<UInt8>) -> Int? {
        let start = octets.startIndex
        for period in 2...256 where octets.count >= 2 &* period {
            // Most periods differ in the first octet.
            guard octets[start &+ period] == octets[start] else { continue }
            if octets.dropFirst(period).elementsEqual(octets.dropLast(period)) { return period }
        }
        return nil
    }

    private static func longestText(_ octets: ArraySlice<UInt8>) -> Int? {
        var (longest, run) = (0, 0)
        for octet in octets {
            run = (0x20...0x7E).contains(octet) ? run &+ 1 : 0
            longest = max(longest, run)
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
