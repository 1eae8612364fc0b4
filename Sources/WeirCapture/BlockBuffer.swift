import WeirPackets

/// A sliding window over an input. It moves forward, and grows only if a single block needs it.
@safe
final class BlockBuffer {
    /// The offset of the window, in octets from the start of the input.
    var offset: Int { startOffset &+ start }

    private let input: CaptureInput
    private var memory = InputMemory(ReadAhead.memoryOctets)
    private var start = 0
    private var end = 0
    /// The offset of the memory in the input; negative if its first octets are unused.
    private var startOffset = 0

    init(_ input: CaptureInput) {
        self.input = input
    }

    /// The file name as given by the user.
    var name: String { input.name }
    /// The reason why reading stopped, or nil at the end of the input.
    var failure: InputFailure? { input.failure }
    /// The number of octets in the window.
    var count: Int { end &- start }

    /// Drops the first `length` octets of the window.
    @inline(__always)
    func consume(_ length: Int) {
        precondition(length <= count)
        start &+= length
    }

    /// Extends the window to at least `length` octets, without waiting for more. Returns false if the input ends first.
    @inline(__always)
    func fill(_ length: Int) -> Bool {
        count >= length || read(until: length)
    }

    /// Extends the window, waiting for a pipe only if `mayWait`.
    func fill(_ length: Int, mayWait: Bool) -> Bool {
        count >= length || ((mayWait || input.size != nil) && read(until: length))
    }

    @inline(never)
    private func read(until length: Int) -> Bool {
        while count < length {
            var unread = start..<end
            let hasArrived = input.read(&unread, in: &memory)
            startOffset &+= start &- unread.lowerBound
            start = unread.lowerBound
            end = unread.upperBound
            guard hasArrived else { return false }
        }
        return true
    }

    /// The sums of records in memory, and the position there of the first octet of the window.
    var sums: (all: [RecordSum], start: Int) { (memory.sums, start) }

    /// Returns two octets of the window in host byte order.
    @inline(__always)
    func uint16(_ position: Int) -> UInt16 {
        precondition(position >= 0 && position &+ 2 <= count)
        // Sound: inside the window, by the precondition.
        return unsafe memory.octets.loadUnaligned(fromByteOffset: start &+ position, as: UInt16.self)
    }

    /// Returns four octets of the window in host byte order.
    @inline(__always)
    func uint32(_ position: Int) -> UInt32 {
        precondition(position >= 0 && position &+ 4 <= count)
        // Sound: inside the window, by the precondition.
        return unsafe memory.octets.loadUnaligned(fromByteOffset: start &+ position, as: UInt32.self)
    }

    /// Returns octets of the window, valid until the next `fill`.
    @unsafe @inline(__always)
    func bytes(_ position: Int, _ length: Int) -> UnsafeRawBufferPointer {
        precondition(position >= 0 && length >= 0 && position &+ length <= count)
        return unsafe UnsafeRawBufferPointer(
            rebasing: memory.octets[(start &+ position)..<(start &+ position &+ length)])
    }
}
