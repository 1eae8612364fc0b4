#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif
import Synchronization

/// The file or standard input from which octets are read, and their decompressor. One thread reads at a time.
final class InputSource: Sendable {
    /// The result of one read.
    struct Arrival: Sendable {
        /// The number of octets; 0 at the end and after a failure.
        var count = 0
        /// The octets of the file read so far, as on disk.
        var octetsRead = 0
        /// The reason why reading stopped, or nil at the end.
        var failure: InputFailure?
    }

    private struct State {
        var decompression: Decompression?
        var octetsRead = 0
        var failure: InputFailure?
    }

    private let descriptor: Int32
    /// The size of the file on disk, in octets; nil if unknown, as for a pipe.
    let size: Int?
    private let state = Mutex(State())

    /// Opens `name`; `-` is the standard input.
    init(_ name: String) throws(CaptureError) {
        if name == "-" {
            descriptor = STDIN_FILENO
        } else {
            descriptor = unsafe open(name, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Self.openError(name, errno) }
        }
        var status = stat()
        let known = unsafe fstat(descriptor, &status) == 0
        let type = known ? status.st_mode & S_IFMT : 0
        size = type == S_IFREG ? Int(status.st_size) : nil
        guard type != S_IFDIR else { throw CaptureError(.directory, file: name, reason: "is a directory") }
    }

    deinit {
        if descriptor > STDIN_FILENO { close(descriptor) }
    }

    /// Decompresses what follows; `octets` are the compressed octets read so far.
    func decompress(_ compression: Compression, after octets: [UInt8]) {
        state.withLock { $0.decompression = Decompression(compression, input: octets) }
    }

    /// Reads at least one octet into a range of memory, blocking if necessary.
    func read(into memory: borrowing InputMemory, _ range: Range<Int>) -> Arrival {
        state.withLock { state in
            guard !range.isEmpty, state.failure == nil else {
                return Arrival(octetsRead: state.octetsRead, failure: state.failure)
            }
            var count = 0
            do throws(InputFailure) {
                // Sound: the range is checked by the slice, and the memory is not in use elsewhere.
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory.octets[range])
                count = unsafe try produce(into: room, &state)
            } catch {
                state.failure = error
            }
            return Arrival(count: count, octetsRead: state.octetsRead, failure: state.failure)
        }
    }

    /// Returns the next octets from the file or the decompressor; 0 at the end.
    @unsafe
    private func produce(
        into buffer: UnsafeMutableRawBufferPointer, _ state: inout State
    ) throws(InputFailure) -> Int {
        guard let decompression = state.decompression else {
            return unsafe try readFile(into: buffer, &state.octetsRead)
        }
        return unsafe try decompression.decompress(into: buffer) { (room) throws(InputFailure) in
            unsafe try readFile(into: room, &state.octetsRead)
        }
    }

    /// Reads the available octets, blocking for the first one; 0 at the end of the file.
    @unsafe
    private func readFile(
        into buffer: UnsafeMutableRawBufferPointer, _ octetsRead: inout Int
    ) throws(InputFailure) -> Int {
        while true {
            // Sound: the system writes at most `count` octets from the base address on, and `buffer` has that size.
            #if canImport(Darwin)
                let count = unsafe Darwin.read(descriptor, buffer.baseAddress, buffer.count)
            #elseif canImport(Musl)
                let count = unsafe Musl.read(descriptor, buffer.baseAddress, buffer.count)
            #else
                let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            #endif
            if count >= 0 {
                octetsRead &+= count
                return count
            }
            switch errno {
            case EINTR:
                continue
            case EAGAIN:
                // The standard input was made non-blocking; wait as if it were blocking.
                var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = unsafe poll(&wanted, 1, -1)
            default:
                throw InputFailure(kind: .unreadable, reason: Self.message(errno))
            }
        }
    }

    private static func openError(_ name: String, _ code: Int32) -> CaptureError {
        switch code {
        case ENOENT, ENOTDIR: CaptureError(.notFound, file: name, reason: "no such file")
        case EACCES, EPERM: CaptureError(.permissionDenied, file: name, reason: "permission denied")
        default: CaptureError(.unreadable, file: name, reason: message(code))
        }
    }

    /// Returns the operating system's message for an error number.
    private static func message(_ code: Int32) -> String {
        // Sound: the text is valid until the next call in this thread, and is copied at once.
        unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    }
}
