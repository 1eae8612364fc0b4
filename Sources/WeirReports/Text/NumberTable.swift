/// Values by a number that the program assigns, such as that of a session or flow: most steps look one up, and a
/// dictionary takes several times as long.
struct NumberTable<Value> {
    private struct Slot {
        /// The number of an empty slot; no session or flow has it.
        static var none: Int { .min }

        var number = none
        var value: Value?
    }

    /// A power of two, at most half of them in use. A value that finds its slot in use is in the next empty one.
    private var slots: [Slot] = []
    /// The number of values.
    private(set) var count = 0

    /// All values, in no particular order.
    var all: [Value] { slots.compactMap { $0.value } }

    /// The value of a number, or nil if there is none.
    subscript(number: Int) -> Value? {
        guard let slot = slot(of: number) else { return nil }
        return slots[slot].value
    }

    /// Inserts or replaces the value of a number.
    mutating func insert(_ value: Value, at number: Int) {
        if let known = slot(of: number) {
            slots[known].value = value
            return
        }
        if count &* 2 >= slots.count { grow() }
        slots[emptySlot(for: number)] = Slot(number: number, value: value)
        count &+= 1
    }

    /// Removes and returns the value of a number.
    @discardableResult
    mutating func remove(_ number: Int) -> Value? {
        guard let slot = slot(of: number) else { return nil }
        let removed = slots[slot].value.take()
        slots[slot].number = Slot.none
        count &-= 1
        closeGap(at: slot)
        return removed
    }

    /// Moves values to an empty slot that would not be found behind it.
    private mutating func closeGap(at slot: Int) {
        let mask = slots.count &- 1
        var gap = slot
        var next = (gap &+ 1) & mask
        while slots[next].number != Slot.none {
            let distance = (next &- firstSlot(for: slots[next].number)) & mask
            if distance >= (next &- gap) & mask {
                slots.swapAt(gap, next)
                gap = next
            }
            next = (next &+ 1) & mask
        }
    }

    /// Returns the slot of a number, or nil if it has no value.
    private func slot(of number: Int) -> Int? {
        guard count > 0 else { return nil }
        var slot = firstSlot(for: number)
        while slots[slot].number != number {
            if slots[slot].number == Slot.none { return nil }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        return slot
    }

    private func emptySlot(for number: Int) -> Int {
        var slot = firstSlot(for: number)
        while slots[slot].number != Slot.none { slot = (slot &+ 1) & (slots.count &- 1) }
        return slot
    }

    /// Returns the slot in which the search for a number starts: the product with 2⁶⁴ / φ spreads consecutive numbers.
    private func firstSlot(for number: Int) -> Int {
        let product = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: product >> 32) & (slots.count &- 1)
    }

    private mutating func grow() {
        var old = slots
        slots = Array(repeating: Slot(), count: max(16, old.count &* (old.count < 1_024 ? 4 : 2)))
        for slot in old.indices where old[slot].number != Slot.none {
            let number = old[slot].number
            slots[emptySlot(for: number)] = Slot(number: number, value: old[slot].value.take())
        }
    }
}
