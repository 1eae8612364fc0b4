/// Lengths of the codes of an optimal prefix code with a limit (RFC 1951 §3.2.2), by the package-merge algorithm.
enum HuffmanLengths {
    /// Returns the length of the code of each symbol; 0 for those that do not occur.
    static func lengths(of counts: [Int], limit: Int) -> [Int] {
        let used = counts.indices.filter { counts[$0] > 0 }
        var lengths = [Int](repeating: 0, count: counts.count)
        guard used.count > 1 else {
            for symbol in used { lengths[symbol] = 1 }
            return lengths
        }
        let leaves = used.map { Item(weight: counts[$0], symbols: [$0]) }.sorted { $0.weight < $1.weight }
        var items = leaves
        for _ in 1..<limit {
            let packages = stride(from: 0, to: items.count - 1, by: 2).map {
                Item(
                    weight: items[$0].weight + items[$0 + 1].weight, symbols: items[$0].symbols + items[$0 + 1].symbols)
            }
            items = merged(leaves, packages)
        }
        for item in items.prefix(2 * (used.count - 1)) {
            for symbol in item.symbols { lengths[symbol] += 1 }
        }
        return lengths
    }

    /// Returns the codes for lengths, with the first bit of each in the lowest place, as they are written.
    static func codes(_ lengths: [Int]) -> [UInt32] {
        var codes = [UInt32](repeating: 0, count: lengths.count)
        var code: UInt32 = 0
        for length in 1...15 {
            for symbol in lengths.indices where lengths[symbol] == length {
                codes[symbol] = reversed(code, length)
                code += 1
            }
            code <<= 1
        }
        return codes
    }

    private struct Item {
        let weight: Int
        let symbols: [Int]
    }

    private static func merged(_ first: [Item], _ second: [Item]) -> [Item] {
        var result: [Item] = []
        var (left, right) = (first[...], second[...])
        while let one = left.first, let other = right.first {
            if one.weight <= other.weight {
                result.append(one)
                left.removeFirst()
            } else {
                result.append(other)
                right.removeFirst()
            }
        }
        return result + left + right
    }

    private static func reversed(_ code: UInt32, _ length: Int) -> UInt32 {
        (0..<length).reduce(0) { $0 | (code >> UInt32($1) & 1) << UInt32(length - 1 - $1) }
    }
}
