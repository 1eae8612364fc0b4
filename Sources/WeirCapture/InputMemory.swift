import WeirPackets

/// Memory for octets of an input. It has one owner at a time, and can move to another thread with it.
@safe
struct InputMemory: ~Copyable, Sendable {
    // Sound: the value cannot be copied, so only its owner accesses the memory, and frees it once.
    nonisolated(unsafe) let octets: UnsafeMutableRawBufferPointer

    /// The sums of records in it, by position.
    var sums: [RecordSum] = []

    /// The size in octets.
    var count: Int { unsafe octets.count }

    /// Allocates memory, with undefined contents.
    init(_ count: Int) {
        unsafe octets = .allocate(byteCount: count, alignment: 16)
    }

    deinit {
        unsafe octets.deallocate()
    }

    /// Returns a view of octets.
    @_lifetime(borrow self)
    func bytes(_ range: Range<Int>) -> RawSpan {
        // Sound: the slice checks the range, and the view's lifetime depends on this value.
        let span = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: octets[range]))
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Copies octets of other memory to a position.
    func copy(_ other: borrowing InputMemory, _ range: Range<Int>, to position: Int) {
        precondition(position >= 0 && position &+ range.count <= count)
        // Sound: the source range is checked by the slice, the target range above.
        unsafe UnsafeMutableRawBufferPointer(rebasing: octets[position...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: other.octets[range]))
    }

    /// Moves octets to the start.
    mutating func moveToStart(_ range: Range<Int>) {
        sums = []
        // Sound: the range is checked by the slice, and `copyMemory` allows overlap.
        unsafe octets.copyMemory(from: UnsafeRawBufferPointer(rebasing: octets[range]))
    }

    /// Copies octets to a position.
    func copy(_ other: ArraySlice<UInt8>, to position: Int) {
        precondition(position >= 0 && position &+ other.count <= count)
        // Sound: the target range is checked above.
        unsafe UnsafeMutableRawBufferPointer(rebasing: octets[position...]).copyBytes(from: other)
    }

    /// Returns a copy of the first octets.
    func prefix(_ length: Int) -> [UInt8] {
        // Sound: the range is checked by the slice.
        unsafe [UInt8](octets[0..<length])
    }
}
