import Testing
import WeirTesting

@testable import WeirEngine

@Suite("Keyed lists") struct KeyedListsTests {
    /// A key with few hashes, so that different keys share one.
    private struct Key: SeededHashable {
        let number: Int
        func hash(seed: UInt64) -> UInt64 { UInt64(number % 7) }
    }

    /// Few keys make lists long, and many share chains.
    @Test("equal a dictionary of arrays after the same changes", arguments: [4, 200], 1...8 as ClosedRange<UInt64>)
    func equalsDictionary(range: Int, seed: UInt64) {
        var generator = SeededGenerator(seed)
        var known: [Int: [(number: Int32, element: Int)]] = [:]
        var lists = KeyedLists<Key, Int>()
        for element in 0..<1_000 {
            let key = Int.random(in: 0..<range, using: &generator)
            if Int.random(in: 0..<5, using: &generator) < 2, let one = known[key]?.randomElement(using: &generator) {
                lists.remove(one.number)
                #expect(lists.element(one.number) == nil && lists.list(ofElement: one.number) == -1)
                known[key]?.removeAll { $0.number == one.number }
            } else {
                known[key, default: []].append((lists.append(element, to: Key(number: key)), element))
            }
            let expected = known[key] ?? []
            #expect(lists.elements(of: Key(number: key)) == expected.map(\.element))
            let list = lists.list(of: Key(number: key))
            #expect((list == nil) == expected.isEmpty)
            guard let list else { continue }
            #expect(lists.count(ofList: list) == expected.count)
            #expect(lists.last(in: list) { $0 % 2 == 0 } == expected.last { $0.element % 2 == 0 }?.element)
            #expect(expected.allSatisfy { lists.list(ofElement: $0.number) == list })
        }
        #expect(lists.count == known.values.reduce(0) { $0 + $1.count })
    }

    @Test("remove the oldest element of a key")
    func removesOldest() {
        var lists = KeyedLists<Int, Int>()
        for element in 1...3 { _ = lists.append(element, to: 7) }
        #expect(lists.element(of: 7) == 1 && lists.removeElement(of: 7) == 1)
        #expect(lists.elements(of: 7) == [2, 3] && lists.removeElement(of: 8) == nil)
    }
}
