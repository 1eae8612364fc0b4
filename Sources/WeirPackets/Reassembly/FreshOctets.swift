/// The part of the latest payload of a stream that can be delivered in place, without a copy.
struct FreshOctets: Sendable {
    /// The number of octets; 0 if there is no such part.
    private var count = 0
    /// The position of the first octet in the stream.
    private(set) var start = 0
    /// The offset of the first octet in the payload.
    private var offset = 0

    @inline(__always)
    var isEmpty: Bool { count == 0 }

    /// Replaces the part.
    @inline(__always)
    mutating func set(_ start: Int, offset: Int, count: Int) {
        self.start = start
        self.offset = offset
        self.count = count
    }

    /// Forgets the part: the octets are no longer available.
    @inline(__always)
    mutating func clear() { self = FreshOctets() }

    /// Returns the range in the payload, which is delivered now.
    @inline(__always)
    mutating func take() -> Range<Int> {
        defer { clear() }
        return offset..<offset &+ count
    }
}
