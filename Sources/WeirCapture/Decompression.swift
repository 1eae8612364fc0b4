import CZlib
import CZstd

/// A streaming decompressor. It buffers one block of compressed octets and the window of the format, so that memory
/// does not grow with the compression ratio.
@safe
final class Decompression {
    let compression: Compression

    private let decoder: any Decoder
    /// Compressed octets; those from `start` to `end` are not consumed yet.
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    private var start = 0
    private var end = 0

    /// Creates a decompressor; `input` are the compressed octets already read.
    init(_ compression: Compression, input octets: [UInt8]) {
        self.compression = compression
        decoder = compression == .gzip ? GzipDecoder() : ZstdDecoder()
        // Sound: only the few octets that identify the format are passed here, far fewer than the size of the buffer.
        unsafe input.copyBytes(from: octets.prefix(input.count))
        end = octets.count
    }

    deinit {
        unsafe input.deallocate()
    }

    /// Decompresses at least one octet into `output`, and reads more only if the available input yields none.
    ///
    /// - Returns: The number of octets; 0 at the end.
    @unsafe
    func decompress(
        into output: UnsafeMutableRawBufferPointer,
        read: (UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int
    ) throws(InputFailure) -> Int {
        while true {
            // Sound: start <= end <= the size of the buffer at all times, and the decoders check what they consume.
            let waiting = unsafe UnsafeRawBufferPointer(rebasing: input[start..<end])
            let (used, made) = unsafe try decoder.decode(waiting, into: output)
            start &+= used
            if made > 0 { return made }
            if used > 0, start < end { continue }
            guard start == end else {
                throw InputFailure(kind: .damaged, reason: "the \(compression.rawValue) data cannot be decompressed")
            }
            start = 0
            end = 0
            end = unsafe try read(input)
            if end == 0 {
                if decoder.isComplete { return 0 }
                throw InputFailure(kind: .cutShort, reason: "the \(compression.rawValue) data is cut short")
            }
        }
    }
}

/// A decoder for one compression format.
private protocol Decoder: AnyObject {
    /// Whether the stream may end here.
    var isComplete: Bool { get }
    /// Decompresses from `input` to `output`. If an error occurs, the output before it is returned first, and the error
    /// is thrown by the next call.
    ///
    /// - Returns: The number of octets consumed and produced.
    @unsafe
    func decode(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(InputFailure) -> (used: Int, made: Int)
}

/// A gzip decoder (RFC 1952). The output of consecutive members is concatenated; trailing zeros are padding.
@safe
private final class GzipDecoder: Decoder {
    private var stream = unsafe z_stream()
    private let isReady: Bool
    private(set) var isComplete = false

    init() {
        // 15 is the largest window; 16 more requires the gzip wrapper.
        // Sound: the structure belongs to this object; zlib checks its version and size.
        isReady = unsafe inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    }

    deinit {
        unsafe inflateEnd(&stream)
    }

    @unsafe
    func decode(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(InputFailure) -> (used: Int, made: Int) {
        guard isReady else { throw InputFailure(kind: .unreadable, reason: "not enough memory to decompress gzip") }
        var skipped = 0
        if isComplete {
            skipped = unsafe input.prefix { $0 == 0 }.count
            guard skipped < input.count else { return (skipped, 0) }
            guard unsafe input[skipped] == 0x1F, unsafe inflateReset(&stream) == Z_OK else {
                throw InputFailure(kind: .damaged, reason: "trailing garbage after the gzip data")
            }
            isComplete = false
        }
        let present = unsafe UnsafeRawBufferPointer(rebasing: input[skipped...])
        guard unsafe !present.isEmpty else { return (skipped, 0) }
        let limit = min(output.count, 1 << 30)
        // Sound: zlib reads and writes only inside the ranges passed here, which outlive the call; its interface lacks
        // `const`, but it does not write to its input.
        unsafe stream.next_in = UnsafeMutablePointer(mutating: present.baseAddress?.assumingMemoryBound(to: Bytef.self))
        unsafe stream.avail_in = UInt32(clamping: present.count)
        unsafe stream.next_out = output.baseAddress?.assumingMemoryBound(to: Bytef.self)
        unsafe stream.avail_out = UInt32(clamping: limit)
        let result = unsafe inflate(&stream, Z_NO_FLUSH)
        let used = unsafe skipped &+ present.count &- Int(stream.avail_in)
        let made = unsafe limit &- Int(stream.avail_out)
        switch result {
        case Z_OK, Z_BUF_ERROR:
            break
        case Z_STREAM_END:
            isComplete = true
        default:
            if made == 0 {
                // Sound: the message is a constant string of zlib, or absent.
                let detail = unsafe stream.msg.map { unsafe ": " + String(cString: $0) } ?? ""
                throw InputFailure(kind: .damaged, reason: "the gzip data is corrupt\(detail)")
            }
        }
        return (used, made)
    }
}

/// A Zstandard decoder (RFC 8878). The output of consecutive frames is concatenated. Windows above 128 MiB (`zstd
/// --long=28` and more) are rejected, which is also the default of the `zstd` tool.
@safe
private final class ZstdDecoder: Decoder {
    private let stream: OpaquePointer?
    /// The number of input octets still needed for a frame header or block.
    ///
    /// If the library fails, it discards the output of that call. Passing at most one block per call limits the loss to
    /// the damaged block.
    private var wanted = 1
    private let wantedAtStart: Int
    private(set) var isComplete = false

    init() {
        unsafe stream = ZSTD_createDStream()
        // Sound: nil is not passed on.
        wantedAtStart = unsafe max(1, stream.map { unsafe ZSTD_initDStream($0) } ?? 1)
        wanted = wantedAtStart
    }

    deinit {
        unsafe _ = ZSTD_freeDStream(stream)
    }

    @unsafe
    func decode(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(InputFailure) -> (used: Int, made: Int) {
        guard let stream = unsafe stream else {
            throw InputFailure(kind: .unreadable, reason: "not enough memory to decompress zstd")
        }
        // Sound: the library reads and writes only inside the ranges passed here, which outlive the call.
        var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: min(input.count, wanted), pos: 0)
        var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        if isComplete, unsafe source.size == 0 { return (0, 0) }
        let result = unsafe ZSTD_decompressStream(stream, &target, &source)
        if ZSTD_isError(result) != 0 {
            // Sound: the name is a constant string of the library.
            let detail = unsafe ZSTD_getErrorName(result).map { unsafe ": " + String(cString: $0) } ?? ""
            throw InputFailure(kind: .damaged, reason: "the zstd data is corrupt\(detail)")
        }
        isComplete = result == 0
        wanted = isComplete ? wantedAtStart : max(1, result)
        return unsafe (source.pos, target.pos)
    }
}
