import Testing

@testable import WeirReports

@Suite("Tables by number and key") struct NumberTableTests {
    @Test("A table of numbers has the values of a dictionary")
    func numbers() {
        var table = NumberTable<Int>()
        var expected: [Int: Int] = [:]
        var random = SystemRandomNumberGenerator()
        for step in 0..<20_000 {
            // Consecutive numbers, of which earlier ones are removed, as those of sessions.
            let number = step / 16 + Int.random(in: 0..<200, using: &random)
            if Bool.random(using: &random) {
                table.insert(step, at: number)
                expected[number] = step
            } else {
                #expect(table.remove(number) == expected.removeValue(forKey: number))
            }
            #expect(table.count == expected.count)
            #expect(table[number] == expected[number])
        }
        for number in 0..<2_000 { #expect(table[number] == expected[number]) }
        #expect(table.all.sorted() == expected.values.sorted())
    }

    @Test("A list by key counts few keys and many alike", arguments: [3, 12, 13, 40])
    func keys(count: Int) {
        var list = KeyedList<String, Int>()
        for round in 1...3 {
            for key in 0..<count { list.count("key \(key)", key == 5 ? 10 * round : round) }
        }
        #expect(list.entries.map(\.key) == (0..<count).map { "key \($0)" })
        #expect(list.sorted.allSatisfy { $0.count == ($0.rule == "key 5" ? 60 : 6) })
        let rules = list.sorted.map(\.rule)
        let others = rules.filter { $0 != "key 5" }
        #expect(others == others.sorted())
        if count > 5 { #expect(rules.first == "key 5") }
    }
}
