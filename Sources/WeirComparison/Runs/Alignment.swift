/// The alignment of two sequences with the least cost.
struct Alignment {
    /// A pair of elements, or an element that the other sequence lacks.
    enum Pair: Equatable {
        case both(Int, Int)
        case onlyA(Int)
        case onlyB(Int)
    }

    /// The pairs, in order.
    private(set) var pairs: [Pair] = []

    /// The cost of leaving an element unpaired.
    private static let gap: Float = 1

    /// Aligns sequences of these lengths.
    ///
    /// - Parameter cost: The cost of pairing two elements, 0 if they are equal; nil if they cannot be paired.
    init(_ countA: Int, _ countB: Int, cost: (Int, Int) -> Float?) {
        // Equal beginnings and ends need no table.
        var start = 0
        while start < min(countA, countB), cost(start, start) == 0 { start += 1 }
        var end = 0
        while end < min(countA, countB) - start, cost(countA - 1 - end, countB - 1 - end) == 0 { end += 1 }
        let (rows, columns) = (countA - start - end, countB - start - end)
        pairs = (0..<start).map { .both($0, $0) }
        pairs += Self.middle(rows, columns, start, cost)
        pairs += (0..<end).reversed().map { .both(countA - 1 - $0, countB - 1 - $0) }
    }

    private static func middle(_ rows: Int, _ columns: Int, _ start: Int, _ cost: (Int, Int) -> Float?) -> [Pair] {
        guard rows > 0, columns > 0 else {
            return (0..<rows).map { .onlyA(start + $0) } + (0..<columns).map { .onlyB(start + $0) }
        }
        let width = columns + 1
        var least = [Float](repeating: 0, count: (rows + 1) * width)
        var steps = [UInt8](repeating: 0, count: (rows + 1) * width)
        for column in 1...columns { (least[column], steps[column]) = (Float(column) * gap, 2) }
        for row in 1...rows {
            (least[row * width], steps[row * width]) = (Float(row) * gap, 1)
            for column in 1...columns {
                let place = row * width + column
                var (best, step) = (least[place - width] + gap, UInt8(1))
                if least[place - 1] + gap < best { (best, step) = (least[place - 1] + gap, 2) }
                if let price = cost(start + row - 1, start + column - 1), least[place - width - 1] + price <= best {
                    (best, step) = (least[place - width - 1] + price, 3)
                }
                (least[place], steps[place]) = (best, step)
            }
        }
        var (row, column) = (rows, columns)
        var pairs: [Pair] = []
        while row > 0 || column > 0 {
            switch steps[row * width + column] {
            case 1:
                row -= 1
                pairs.append(.onlyA(start + row))
            case 2:
                column -= 1
                pairs.append(.onlyB(start + column))
            default:
                (row, column) = (row - 1, column - 1)
                pairs.append(.both(start + row, start + column))
            }
        }
        return pairs.reversed()
    }
}
