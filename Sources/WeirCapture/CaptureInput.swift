#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The octets of a capture as they arrive: from a file or the standard input, decompressed if they are compressed.
///
/// A read waits for the first octet only, then returns what is there: packets that have arrived in a pipe are not held
/// back until a buffer is full. Whether the file is compressed is told by its first octets, not by its name.
@safe
final class CaptureInput {
    /// The file as the user named it; `-` is the standard input.
    let name: String
    /// Octets of the file as it lies on disk; nil when that is not known, as for a pipe.
    let size: Int?
    /// Octets of the file read so far, as they lie on disk.
    private(set) var octetsRead = 0
    /// Why reading stopped, if it was not the end.
    private(set) var failure: InputFailure?

    private let descriptor: Int32
    private var decompression: Decompression?
    /// Octets looked at, but not delivered yet.
    private var ahead: [UInt8] = []

    /// How the file is compressed, if it is.
    var compression: Compression? { decompression?.compression }

    /// Opens `name` (`-` is the standard input) and finds out whether it is compressed.
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

    /// The first `count` octets that have not been delivered; fewer only when the input ends there.
    func peek(_ count: Int) -> [UInt8] {
        lookAhead(count)
        return Array(ahead.prefix(count))
    }

    /// Reads at least one octet into `buffer`, waiting for it if need be.
    ///
    /// - Returns: how many octets were read; 0 at the end and after a failure, which `failure` then tells.
    @unsafe
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard unsafe !buffer.isEmpty else { return 0 }
        guard !ahead.isEmpty else { return unsafe produce(into: buffer) }
        let count = min(ahead.count, buffer.count)
        // Sound: `buffer` holds at least `count` octets, by the line above.
        unsafe buffer.copyBytes(from: ahead.prefix(count))
        ahead.removeFirst(count)
        return count
    }

    /// Reads until `count` octets lie ahead, or nothing more comes.
    private func lookAhead(_ count: Int) {
        while ahead.count < count {
            let missing = count &- ahead.count
            var arrived = 0
            // Sound: the pointer is used inside the closure only, and holds `missing` octets.
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: missing) { buffer, initialized in
                arrived = unsafe produce(into: UnsafeMutableRawBufferPointer(buffer))
                initialized = arrived
            }
            guard arrived > 0 else { return }
            ahead += piece
        }
    }

    /// The next octets from the file or out of the decompression; 0 at the end and after a failure.
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

    /// Reads what has arrived, waiting for the first octet; 0 at the end of the file.
    @unsafe
    private func readFile(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int {
        while true {
            // Sound: the system writes at most `count` octets from the base address on, which `buffer` holds.
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
                // Somebody made the standard input non-blocking; waiting is what was meant.
                var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = unsafe poll(&wanted, 1, -1)
            default:
                throw InputFailure(kind: .unreadable, reason: Self.message(errno))
            }
        }
    }

    /// Frames that zstd tools skip; parallel compressors begin a file with one (RFC 8878 section 3.1.2).
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

    /// The operating system's words for an error number.
    private static func message(_ code: Int32) -> String {
        // Sound: the text lives until the next call in this thread, and is copied at once.
        unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    }
}
