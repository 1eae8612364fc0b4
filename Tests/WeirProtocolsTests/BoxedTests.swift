import Testing

@testable import WeirProtocols

@Suite("Values in memory of their own")
struct BoxedTests {
    private struct Holder {
        @Boxed var list = [1]
        @BoxedIfAny var rare: [Int]?

        mutating func append(_ number: Int) -> Int? {
            _rare.update {
                $0.append(number); return $0.count
            }
        }
        var hasRare: Bool { _rare.hasValue }
    }

    @Test("a change of a copy leaves the original as it is")
    func copiesAreIndependent() {
        var original = Holder()
        original.rare = [3]
        var copy = original
        copy.list.append(2)
        copy.rare?.append(4)
        #expect(original.list == [1] && original.rare == [3])
        #expect(copy.list == [1, 2] && copy.rare == [3, 4])
        copy.rare = nil
        #expect(original.rare == [3] && copy.rare == nil && !copy.hasRare)
    }

    @Test("what is not there is not changed")
    func updatesOnlyAValue() {
        var holder = Holder()
        #expect(holder.append(1) == nil && holder.rare == nil)
        holder.rare = []
        #expect(holder.append(1) == 1 && holder.append(2) == 2 && holder.rare == [1, 2])
    }
}
