/// The part of an input that is looked at: a window that moves forward, and grows only when one block needs it.
@safe
final class BlockBuffer {
    /// Where the window begins, in octets from the start of the input.
    private(set) var offset = 0

    private let input: CaptureInput
    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
    private var start = 0
    private var end = 0

    init(_ input: CaptureInput) {
        self.input = input
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// The file as the user named it.
    var name: String { input.name }
    /// Why the input gave no more, if it was not its end.
    var failure: InputFailure? { input.failure }
    /// Octets in the window.
    var count: Int { end &- start }

    /// Leaves the first `length` octets of the window behind.
    @inline(__always)
    func consume(_ length: Int) {
        precondition(length <= count)
        start &+= length
        offset &+= length
    }

    /// Makes the window hold `length` octets, waiting for no more than these. False when the input ends before.
    @inline(__always)
    func fill(_ length: Int) -> Bool {
        count >= length || read(until: length)
    }

    /// The same, which waits for a pipe only where it may.
    func fill(_ length: Int, mayWait: Bool) -> Bool {
        count >= length || ((mayWait || input.size != nil) && read(until: length))
    }

    private func read(until length: Int) -> Bool {
        // Sound: start <= end <= the memory's size, so what is moved fits, also into the larger memory.
        if unsafe length > memory.count {
            // Doubled, so that a file of ever larger blocks is not copied for each of them.
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
        start = 0
        while end < length {
            let arrived = unsafe input.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[end...]))
            guard arrived > 0 else { return false }
            end &+= arrived
        }
        return true
    }

    /// Two octets of the window, in the byte order of this machine.
    @inline(__always)
    func uint16(_ position: Int) -> UInt16 {
        precondition(position >= 0 && position &+ 2 <= count)
        // Sound: inside the window, by the line above.
        return unsafe memory.loadUnaligned(fromByteOffset: start &+ position, as: UInt16.self)
    }

    /// Four octets of the window, in the byte order of this machine.
    @inline(__always)
    func uint32(_ position: Int) -> UInt32 {
        precondition(position >= 0 && position &+ 4 <= count)
        // Sound: inside the window, by the line above.
        return unsafe memory.loadUnaligned(fromByteOffset: start &+ position, as: UInt32.self)
    }

    /// Octets of the window, valid until the next `fill`.
    @unsafe @inline(__always)
    func bytes(_ position: Int, _ length: Int) -> UnsafeRawBufferPointer {
        precondition(position >= 0 && length >= 0 && position &+ length <= count)
        return unsafe UnsafeRawBufferPointer(rebasing: memory[(start &+ position)..<(start &+ position &+ length)])
    }
}
