/// Values with a number each, kept side by side in blocks and changed in place. The number of a value that was taken out is given
/// to another one.
///
/// Fast paths keep their streams in it. Packets pass through it in other targets, and only what is public is inlined there:
/// else each packet would cost 600 instructions more. One array of all values would be copied each time it grows, and take three
/// times the memory meanwhile.
public struct SlotMap<Value> {
    @usableFromInline var blocks: [[Value]] = []
    @usableFromInline var free: [Int32] = []
    /// What stands where a value was taken out; kept elsewhere, since a large one would make each copy of this dear.
    @usableFromInline let nothing: [Value]
    /// A number's lower bits, which tell the place in a block.
    @usableFromInline static var bits: Int { 5 }

    /// `nothing` fills the places without a value; it should hold no memory.
    @inlinable public init(nothing: Value) {
        self.nothing = [nothing]
    }

    /// Keeps a value and returns its number.
    @inlinable public mutating func insert(_ value: consuming Value) -> Int32 {
        if let place = free.popLast() {
            self[place] = value
            return place
        }
        if blocks.last.map({ $0.count >> Self.bits > 0 }) ?? true { blocks.append([]) }
        let last = blocks.count &- 1
        blocks[last].append(value)
        return Int32(truncatingIfNeeded: last << Self.bits &+ blocks[last].count &- 1)
    }

    /// Takes a value out.
    @discardableResult @inlinable
    public mutating func remove(_ number: Int32) -> Value {
        // Moved, not copied: a value may refer to much.
        var value = nothing[0]
        swap(&self[number], &value)
        free.append(number)
        return value
    }

    /// The value of a number that `insert` gave, and that was not taken out since.
    @inlinable public subscript(number: Int32) -> Value {
        @inline(__always) _read { yield blocks[Int(number) >> Self.bits][Int(number) & (1 << Self.bits &- 1)] }
        @inline(__always) _modify { yield &blocks[Int(number) >> Self.bits][Int(number) & (1 << Self.bits &- 1)] }
    }
}
