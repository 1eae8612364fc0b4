import Testing
import WeirTesting

@testable import WeirEngine

@Suite("Small sets") struct SmallSetTests {
    /// Elements below 10 keep the set small, elements below 60 make it large.
    @Test("are equal to a set after the same changes", arguments: [10, 60], 1...8 as ClosedRange<UInt64>)
    func equalsSet(range: Int, seed: UInt64) {
        var generator = SeededGenerator(seed)
        var known: Set<Int> = []
        var small = SmallSet<Int>()
        for _ in 0..<400 {
            let element = Int.random(in: 0..<range, using: &generator)
            if Int.random(in: 0..<3, using: &generator) == 0 {
                known.remove(element)
                small.remove(element)
            } else {
                #expect(small.insert(element) == known.insert(element).inserted)
            }
            #expect(small.count == known.count)
            #expect(small.contains(element) == known.contains(element))
        }
        #expect(Set(small.elements) == known)
        #expect(small.elements.count == known.count)
    }
}
