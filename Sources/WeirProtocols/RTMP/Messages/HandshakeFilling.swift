import WeirEngine

/// What the random octets of C1 or S1 look like. They let a side tell the echo of its own part from the peer's; they need not
/// change from one connection to the next (RTMP §5.2.3).
package enum HandshakeFilling: Sendable, Hashable {
    /// As random octets look.
    case varied
    /// All zero.
    case zeros
    /// All the same, not zero.
    case constant(UInt8)
    /// The same octets again and again: how many repeat.
    case repeated(period: Int)
    /// Readable text is in it, at least this many characters in a row: memory of the program that was not cleared.
    case text(longest: Int)
    /// So few different octet values that no generator of random numbers made them, zeros mostly: memory of the program
    /// that was not cleared, or a counter.
    case sparse(values: Int)

    /// Readable characters in a row that random octets do not have: once in 10^7 handshakes.
    private static let readable = 24
    /// Values that random octets have at least: 1528 of them have 255 of the 256 on average, and not fewer than 240.
    private static let values = 200

    /// Judges the octets behind the second field of a C1 or S1.
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

    /// The number of octets after which all repeats, at most 256: 256 is what a counter gives.
    private static func period(_ octets: ArraySlice<UInt8>) -> Int? {
        for period in 2...256 where octets.count >= 2 &* period {
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

    /// The word of the report's `random`.
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

    /// In words for the summary; nil when there is nothing to say.
    var words: Wording? {
        switch self {
        case .varied: nil
        case .zeros: "random octets all zero"
        case .constant(let octet): "random octets all \(octet)"
        case .repeated(let period): "random octets repeat after \(period)"
        case .text(let longest): "random octets hold readable text, \(longest) characters"
        case .sparse(let values): "random octets have only \(values) values"
        }
    }
}
