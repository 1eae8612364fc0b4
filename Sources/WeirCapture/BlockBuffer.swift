/// A sliding window over an input. It moves forward, and grows only if a single block needs it.
@safe
final class BlockBuffer {
    /// The offset of the window, in octets from the start of the input.
    var offset: Int { startOffset &+ start }

    private let input: CaptureInput
    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
    private var start = 0
    private var end = 0
    /// The offset of the memory in the input.
    private var startOffset = 0

    init(_ input: CaptureInput) {
        self.input = input
    }

    deinit {
        unsafe memory.deallocate()
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
        // Sound: start <= end <= the size of the memory, so the moved octets fit, also into the larger memory.
        if unsafe length > memory.count {
            // Doubled, so that growing block sizes do not cause a copy per block.
            let larger = unsafe UnsafeMutableRawBufferPointer.allocate(
                byteCount: max(length, memory.count &* 2),
                alignment: 16
            )
            unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<end]))
            unsafe memory.deallocate()
            unsafe memory = larger
        } else if start > 0 {
            unsafe memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<end]))
        }
        end &-= start
        startOffset &+= start
        start = 0
        while end < length {
            let arrived = unsafe input.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[end...]))
            guard arrived > 0 else { return false }
            end &+= arrived
        }
        return true
    }

    /// Returns two octets of the window in host byte order.
    @inline(__always)
    func uint16(_ position: Int) -> UInt16 {
        precondition(position >= 0 && position &+ 2 <= count)
        // Sound: inside the window, by the precondition.
        return unsafe memory.loadUnaligned(fromByteOffset: start &+ position, as: UInt16.self)
    }

    /// Returns four octets of the window in host byte order.
    @inline(__always)
    func uint32(_ position: Int) -> UInt32 {
        precondition(position >= 0 && position &+ 4 <= count)
        // Sound: inside the window, by the precondition.
        return unsafe memory.loadUnaligned(fromByteOffset: start &+ position, as: UInt32.self)
    }

    /// Returns octets of the window, valid until the next `fill`.
    @unsafe @inline(__always)
    func bytes(_ position: Int, _ length: Int) -> UnsafeRawBufferPointer {
        precondition(position >= 0 && length >= 0 && position &+ length <= count)
        return unsafe UnsafeRawBufferPointer(rebasing: memory[(start &+ position)..<(start &+ position &+ length)])
    }
}
