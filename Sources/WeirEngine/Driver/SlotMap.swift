/// Values with a number each, kept side by side and changed in place. The number of a value that was taken out is given
/// to another one.
///
/// Fast paths keep their streams in it. Packets pass through it in other targets, and only what is public is inlined there:
/// else each packet would cost 600 instructions more.
public struct SlotMap<Value> {
    @usableFromInline var values: [Value] = []
    @usableFromInline var free: [Int32] = []
    /// What stands where a value was taken out; kept elsewhere, since a large one would make each copy of this dear.
    @usableFromInline let nothing: [Value]

    /// `nothing` fills the places without a value; it should hold no memory.
    @inlinable public init(nothing: Value) {
        self.nothing = [nothing]
    }

    /// Keeps a value and returns its number.
    @inlinable public mutating func insert(_ value: consuming Value) -> Int32 {
        if let place = free.popLast() {
            values[Int(place)] = value
            return place
        }
        values.append(value)
        return Int32(truncatingIfNeeded: values.count &- 1)
    }

    /// Takes a value out.
    @discardableResult @inlinable
    public mutating func remove(_ number: Int32) -> Value {
        // Moved, not copied: a value may refer to much.
        var value = nothing[0]
        swap(&values[Int(number)], &value)
        free.append(number)
        return value
    }

    /// The value of a number that `insert` gave, and that was not taken out since.
    @inlinable public subscript(number: Int32) -> Value {
        @inline(__always) _read { yield values[Int(number)] }
        @inline(__always) _modify { yield &values[Int(number)] }
    }
}
