#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The octets of a capture from a file or the standard input, decompressed if necessary.
///
/// A read blocks only for the first octet, then returns what is available, so that packets in a pipe are not delayed
/// until a buffer is full. Compression is detected by content, not by name.
@safe
final class CaptureInput {
    /// The file name as given by the user; `-` is the standard input.
    let name: String
    /// The size of the file on disk, in octets; nil if unknown, as for a pipe.
    let size: Int?
    /// The octets of the file read so far, as on disk.
    private(set) var octetsRead = 0
    /// The reason why reading stopped, or nil at the end.
    private(set) var failure: InputFailure?

    private let descriptor: Int32
    private var decompression: Decompression?
    /// Octets peeked at, but not delivered yet.
    private var ahead: [UInt8] = []

    /// The compression, or nil if the file is not compressed.
    var compression: Compression? { decompression?.compression }

    /// Opens `name` (`-` is the standard input) and detects compression.
    init(_ name: String) throws(CaptureError) {
        self.name = name
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
        lookAhead(4)
        if ahead.starts(with: [0x1F, 0x8B]) {
            decompression = Decompression(.gzip, input: ahead)
            ahead = []
        } else if ahead.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) || Self.isSkippableFrame(ahead) {
            decompression = Decompression(.zstd, input: ahead)
            ahead = []
        }
    }

    deinit {
        if descriptor > STDIN_FILENO { close(descriptor) }
    }

    /// Returns the first `count` undelivered octets; fewer only at the end of the input.
    func peek(_ count: Int) -> [UInt8] {
        lookAhead(count)
        return Array(ahead.prefix(count))
    }

    /// Reads at least one octet into `buffer`, blocking if necessary.
    ///
    /// - Returns: The number of octets read; 0 at the end and after a failure (see `failure`).
    @unsafe
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard unsafe !buffer.isEmpty else { return 0 }
        guard !ahead.isEmpty else { return unsafe produce(into: buffer) }
        let count = min(ahead.count, buffer.count)
        // Sound: `buffer` has room for at least `count` octets, by the line above.
        unsafe buffer.copyBytes(from: ahead.prefix(count))
        ahead.removeFirst(count)
        return count
    }

    /// Reads until `count` octets are available, or the input ends.
    private func lookAhead(_ count: Int) {
        while ahead.count < count {
            let missing = count &- ahead.count
            var arrived = 0
            // Sound: the pointer is used inside the closure only, and has room for `missing` octets.
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: missing) { buffer, initialized in
                arrived = unsafe produce(into: UnsafeMutableRawBufferPointer(buffer))
                initialized = arrived
            }
            guard arrived > 0 else { return }
            ahead += piece
        }
    }

    /// Returns the next octets from the file or the decompressor; 0 at the end and after a failure.
    @unsafe
    private func produce(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard failure == nil else { return 0 }
        do throws(InputFailure) {
            guard let decompression else { return unsafe try readFile(into: buffer) }
            return unsafe try decompression.decompress(into: buffer) { (room) throws(InputFailure) in
                unsafe try readFile(into: room)
            }
        } catch {
            failure = error
            return 0
        }
    }

    /// Reads the available octets, blocking for the first one; 0 at the end of the file.
    @unsafe
    private func readFile(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int {
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

    /// Whether the file starts with a skippable zstd frame, as written by parallel compressors (RFC 8878 section
    /// 3.1.2).
    private static func isSkippableFrame(_ octets: [UInt8]) -> Bool {
        octets.count >= 4 && octets[0] & 0xF0 == 0x50 && octets[1...3].elementsEqual([0x2A, 0x4D, 0x18])
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
