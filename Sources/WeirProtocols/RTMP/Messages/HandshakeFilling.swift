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
        } else if let longest = Self.longestText(octets) {
            self = .text(longest: longest)
        } else {
            let values = Self.differentValues(octets)
            self = values < Self.values && octets.count >= 1_024 ? .sparse(values: values) : .varied
        }
    }

    /// Returns the number of distinct values; of random octets, counting ends once there are enough.
    private static func differentValues(_ octets: ArraySlice<UInt8>) -> Int {
        var seen = [Bool](repeating: false, count: 256)
        var count = 0
        for octet in octets where !seen[Int(octet)] {
            seen[Int(octet)] = true
            count &+= 1
            if count == values { break }
        }
        return count
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

    /// Returns the length of the longest readable text, or nil if none has the minimum length.
    private static func longestText(_ octets: ArraySlice<UInt8>) -> Int? {
        func isReadable(_ octet: UInt8) -> Bool { 0x20...0x7E ~= octet }
        var longest: Int?
        // Every text of the minimum length contains one of these places.
        var place = octets.startIndex + readable - 1
        while place < octets.endIndex {
            if isReadable(octets[place]) {
                let before = octets[..<place].reversed().prefix(while: isReadable).count
                let length = before + octets[place...].prefix(while: isReadable).count
                if length >= readable { longest = max(longest ?? 0, length) }
            }
            place += readable
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
