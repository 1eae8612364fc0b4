/// Numbered values stored in blocks and modified in place. Numbers of removed values are reused.
///
/// Fast paths store their streams in it. It is used per packet from other modules, where only inlinable code can be
/// specialized: otherwise each packet costs 600 more instructions. A single array would be copied when it grows,
/// temporarily needing three times the memory.
public struct SlotMap<Value> {
    @usableFromInline var blocks: [[Value]] = []
    @usableFromInline var free: [Int32] = []
    /// The placeholder for removed values; boxed in an array, since a large value would make copies of the map
    /// expensive.
    @usableFromInline let nothing: [Value]
    /// The number of low-order bits that are the index in a block.
    @usableFromInline static var bits: Int { 5 }

    /// Creates an empty map. `nothing` fills unused slots; it should own no memory.
    @inlinable public init(nothing: Value) {
        self.nothing = [nothing]
    }

    /// Stores a value and returns its number.
    @inlinable public mutating func insert(_ value: consuming Value) -> Int32 {
        if let place = free.popLast() {
            self[place] = value
            return place
        }
        if blocks.last.map({ $0.count >> Self.bits > 0 }) ?? true { blocks.append(newBlock) }
        let last = blocks.count &- 1
        blocks[last].append(value)
        return Int32(truncatingIfNeeded: last << Self.bits &+ blocks[last].count &- 1)
    }

    /// An empty block. Where one was filled, the next will be, too: its values are not moved as it grows.
    @usableFromInline var newBlock: [Value] {
        var block: [Value] = []
        if !blocks.isEmpty { block.reserveCapacity(1 << Self.bits) }
        return block
    }

    /// Removes and returns a value.
    @discardableResult @inlinable
    public mutating func remove(_ number: Int32) -> Value {
        // Moved, not copied, since a value may own much memory.
        var value = nothing[0]
        swap(&self[number], &value)
        free.append(number)
        return value
    }

    /// Removes a value, in place.
    @inlinable
    public mutating func discard(_ number: Int32) {
        self[number] = nothing[0]
        free.append(number)
    }

    /// Makes a place available again. The value stays until another one takes its place, so it should own little.
    @inlinable
    public mutating func release(_ number: Int32) {
        free.append(number)
    }

    /// Calls a function with the value of a number, in place: cheaper than the subscript, whose accessors are called.
    @inlinable @inline(__always)
    public mutating func update<Result>(_ number: Int32, _ body: (inout Value) -> Result) -> Result {
        body(&blocks[Int(number) >> Self.bits][Int(number) & (1 << Self.bits &- 1)])
    }

    /// The value with a number returned by `insert` and not removed since.
    @inlinable public subscript(number: Int32) -> Value {
        // Read in the span: a getter copies the value, whatever member of it is read.
        @inline(__always) _read {
            let block = blocks[Int(number) >> Self.bits]
            yield block.span[Int(number) & (1 << Self.bits &- 1)]
        }
        @inline(__always) _modify { yield &blocks[Int(number) >> Self.bits][Int(number) & (1 << Self.bits &- 1)] }
    }
}
