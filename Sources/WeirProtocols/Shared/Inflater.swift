/// A DEFLATE decompressor (RFC 1951) for complete messages, with an optional window shared between messages.
///
/// The output is limited, so that a few bytes cannot expand to very many. Written without zlib, since messages are
/// small and no unsafe code is needed.
package struct Inflater: Sendable {
    /// The reason why decompression failed.
    package enum Fault: Error, Sendable, Hashable {
        /// The data is not valid DEFLATE.
        case damaged
        /// The output exceeds the limit.
        case tooLong
    }

    /// Window size in bytes (RFC 1951 §2).
    private static let windowOctets = 32 * 1024

    private let keepsWindow: Bool
    private var window: [UInt8] = []
    /// Bytes produced from the last message, even if decompression failed.
    package private(set) var made = 0
    /// The greatest distance of the references in the last message, in bytes.
    package private(set) var farthest = 0
    /// Whether references in the last message reach into earlier ones.
    package private(set) var refersBack = false

    /// Creates a decompressor; with `keepsWindow`, messages may refer to earlier ones.
    package init(keepsWindow: Bool = false) {
        self.keepsWindow = keepsWindow
    }

    /// Clears the window after a missed message.
    package mutating func forget() {
        window = []
    }

    /// Decompresses `input`: blocks up to a final one, or up to the end.
    ///
    /// - Parameter limit: maximum output in bytes.
    /// - Returns: the output, and the number of `input` bytes used.
    package mutating func inflate(
        _ input: [UInt8], upTo limit: Int
    ) throws(Fault) -> (octets: [UInt8], used: Int) {
        var blocks = DeflateBlocks(input, behind: window, limit: limit)
        let before = window.count
        defer {
            made = blocks.output.count &- before
            farthest = blocks.farthest
            refersBack = blocks.earliest < before
        }
        try blocks.run()
        let octets = Array(blocks.output[before...])
        if keepsWindow { window = Array(blocks.output.suffix(Self.windowOctets)) }
        return (octets, blocks.used)
    }
}

/// Decodes the blocks of one message (RFC 1951 §3.2.3).
private struct DeflateBlocks {
    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537, 2_049, 3_073,
        4_097, 6_145, 8_193, 12_289, 16_385, 24_577,
    ]
    private static let distanceBits = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]
    /// The order of the code lengths for the code length alphabet (RFC 1951 §3.2.7).
    private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    private static let fixedLengths = HuffmanCode(
        [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
            + [Int](repeating: 8, count: 8))
    private static let fixedDistances = HuffmanCode([Int](repeating: 5, count: 30))

    private let input: [UInt8]
    private let limit: Int
    private(set) var output: [UInt8]
    /// The greatest distance, and the earliest place of the output, that is referred to.
    private(set) var farthest = 0
    private(set) var earliest = Int.max
    private var next = 0
    /// Unused bits of the input, the first one in the least significant bit.
    private var bits: UInt32 = 0
    private var bitCount = 0

    init(_ input: [UInt8], behind window: [UInt8], limit: Int) {
        self.input = input
        self.limit = window.count &+ max(0, limit)
        output = window
    }

    /// Number of input bytes used.
    var used: Int { next &- bitCount / 8 }

    mutating func run() throws(Inflater.Fault) {
        while bitCount >= 3 || next < input.count {
            let isFinal = try take(1) == 1
            switch try take(2) {
            case 0: try stored()
            case 1: try coded(Self.fixedLengths, Self.fixedDistances)
            case 2: try dynamic()
            default: throw .damaged
            }
            if isFinal { return }
        }
    }

    private mutating func take(_ count: Int) throws(Inflater.Fault) -> Int {
        while bitCount < count {
            guard next < input.count else { throw .damaged }
            bits |= UInt32(input[next]) << UInt32(bitCount)
            next &+= 1
            bitCount &+= 8
        }
        let value = bits & (1 << UInt32(count) &- 1)
        bits >>= UInt32(count)
        bitCount &-= count
        return Int(value)
    }

    private mutating func put(_ octet: UInt8) throws(Inflater.Fault) {
        guard output.count < limit else { throw .tooLong }
        output.append(octet)
    }

    /// Copies a stored block, which follows its length and the complement of that.
    private mutating func stored() throws(Inflater.Fault) {
        next &-= bitCount / 8
        (bits, bitCount) = (0, 0)
        let length = try take(16)
        guard try take(16) == ~length & 0xFFFF, length <= input.count &- next else { throw .damaged }
        guard output.count &+ length <= limit else { throw .tooLong }
        output += input[next..<next &+ length]
        next &+= length
    }

    /// Decodes a block with dynamic codes: the code lengths come first, themselves encoded.
    private mutating func dynamic() throws(Inflater.Fault) {
        let (lengths, distances, codes) = (try take(5) &+ 257, try take(5) &+ 1, try take(4) &+ 4)
        guard lengths <= 286, distances <= 30 else { throw .damaged }
        var codeLengths = [Int](repeating: 0, count: 19)
        for place in Self.lengthOrder.prefix(codes) { codeLengths[place] = try take(3) }
        let lengthCode = HuffmanCode(codeLengths)
        var all: [Int] = []
        while all.count < lengths &+ distances {
            switch try symbol(lengthCode) {
            case let length where length < 16: all.append(length)
            case 16:
                guard let last = all.last else { throw .damaged }
                all += [Int](repeating: last, count: 3 &+ (try take(2)))
            case 17: all += [Int](repeating: 0, count: 3 &+ (try take(3)))
            default: all += [Int](repeating: 0, count: 11 &+ (try take(7)))
            }
        }
        guard all.count == lengths &+ distances else { throw .damaged }
        try coded(HuffmanCode(Array(all[..<lengths])), HuffmanCode(Array(all[lengths...])))
    }

    private mutating func coded(_ lengths: HuffmanCode, _ distances: HuffmanCode) throws(Inflater.Fault) {
        while true {
            let literal = try symbol(lengths)
            if literal < 256 {
                try put(UInt8(truncatingIfNeeded: literal))
                continue
            }
            if literal == 256 { return }
            guard Self.lengthBases.indices.contains(literal &- 257) else { throw .damaged }
            let length = Self.lengthBases[literal &- 257] &+ (try take(Self.lengthBits[literal &- 257]))
            let place = try symbol(distances)
            guard Self.distanceBases.indices.contains(place) else { throw .damaged }
            let distance = Self.distanceBases[place] &+ (try take(Self.distanceBits[place]))
            guard distance <= output.count else { throw .damaged }
            farthest = max(farthest, distance)
            earliest = min(earliest, output.count &- distance)
            for _ in 0..<length { try put(output[output.count &- distance]) }
        }
    }

    private mutating func symbol(_ code: HuffmanCode) throws(Inflater.Fault) -> Int {
        var (value, first, index) = (0, 0, 0)
        for length in 1..<code.counts.count {
            value |= try take(1)
            let count = code.counts[length]
            if value &- count < first {
                let place = index &+ value &- first
                guard code.symbols.indices.contains(place) else { throw .damaged }
                return code.symbols[place]
            }
            index &+= count
            first = (first &+ count) << 1
            value <<= 1
        }
        throw .damaged
    }
}

/// A canonical Huffman code: shorter codes first, codes of the same length in symbol order (RFC 1951 §3.2.2).
private struct HuffmanCode: Sendable {
    /// Number of codes of each length.
    private(set) var counts = [Int](repeating: 0, count: 16)
    /// The symbols, in code order.
    private(set) var symbols: [Int] = []

    init(_ lengths: [Int]) {
        for length in 1..<16 {
            for (symbol, own) in lengths.enumerated() where own == length {
                counts[length] &+= 1
                symbols.append(symbol)
            }
        }
    }
}
