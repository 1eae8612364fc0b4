import CZlib
import CZstd

/// Decompresses a stream piece by piece: it holds one block of compressed octets and the format's own window, whatever
/// the size of the file, so that a file that grows a thousandfold costs time, but no memory.
@safe
final class Decompression {
    let compression: Compression

    private let decoder: any Decoder
    /// Compressed octets, from `start` to `end` not used yet.
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    private var start = 0
    private var end = 0

    /// Begins to decompress; `input` is what has been read of the compressed octets already.
    init(_ compression: Compression, input octets: [UInt8]) {
        self.compression = compression
        decoder = compression == .gzip ? GzipDecoder() : ZstdDecoder()
        // Sound: only the few octets that tell the format apart are given here, far fewer than the buffer's size.
        unsafe input.copyBytes(from: octets.prefix(input.count))
        end = octets.count
    }

    deinit {
        unsafe input.deallocate()
    }

    /// Decompresses at least one octet into `output`, reading more only when what is here gives none.
    ///
    /// - Returns: how many octets; 0 at the end.
    @unsafe
    func decompress(
        into output: UnsafeMutableRawBufferPointer,
        read: (UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int
    ) throws(InputFailure) -> Int {
        while true {
            // Sound: start <= end <= the buffer's size at all times, the decoders check what they use.
            let waiting = unsafe UnsafeRawBufferPointer(rebasing: input[start..<end])
            let (used, made) = unsafe try decoder.decode(waiting, into: output)
            start &+= used
            if made > 0 { return made }
            if used > 0, start < end { continue }
            guard start == end else {
                throw InputFailure(kind: .damaged, reason: "the \(compression.rawValue) data makes no sense")
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

/// One compression format.
private protocol Decoder: AnyObject {
    /// Whether the stream may end here.
    var isComplete: Bool { get }
    /// Decompresses from `input` to `output`; what was made before a fault is returned, the fault is thrown next time.
    ///
    /// - Returns: how many octets were used and made.
    @unsafe
    func decode(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(InputFailure) -> (used: Int, made: Int)
}

/// gzip (RFC 1952): members one after another, of which the decompressed octets belong together; zeros may pad the end.
@safe
private final class GzipDecoder: Decoder {
    private var stream = unsafe z_stream()
    private let isReady: Bool
    private(set) var isComplete = false

    init() {
        // 15 is the largest window, 16 more asks for the gzip wrapper and nothing else.
        // Sound: the structure is this object's own; zlib checks its version and size.
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
        guard isReady else { throw InputFailure(kind: .unreadable, reason: "no memory to decompress gzip") }
        var skipped = 0
        if isComplete {
            skipped = unsafe input.prefix { $0 == 0 }.count
            guard skipped < input.count else { return (skipped, 0) }
            guard unsafe input[skipped] == 0x1F, unsafe inflateReset(&stream) == Z_OK else {
                throw InputFailure(kind: .damaged, reason: "something else follows the gzip data")
            }
            isComplete = false
        }
        let present = unsafe UnsafeRawBufferPointer(rebasing: input[skipped...])
        guard unsafe !present.isEmpty else { return (skipped, 0) }
        let limit = min(output.count, 1 << 30)
        // Sound: zlib reads and writes only inside the ranges given here, which outlive the call; its interface lacks
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
                // Sound: the message is a constant text of zlib's, or absent.
                let detail = unsafe stream.msg.map { unsafe ": " + String(cString: $0) } ?? ""
                throw InputFailure(kind: .damaged, reason: "the gzip data is damaged\(detail)")
            }
        }
        return (used, made)
    }
}

/// Zstandard (RFC 8878): frames one after another. Windows above 128 MiB (`zstd --long=28` and more) are refused, as
/// the `zstd` tool does unless told otherwise.
@safe
private final class ZstdDecoder: Decoder {
    private let stream: OpaquePointer?
    /// How much input one frame header or block still needs.
    ///
    /// The library loses what it has made in a call that then meets a fault. A call that sees one block at most loses
    /// nothing but the damaged one.
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
            throw InputFailure(kind: .unreadable, reason: "no memory to decompress zstd")
        }
        // Sound: the library reads and writes only inside the ranges given here, which outlive the call.
        var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: min(input.count, wanted), pos: 0)
        var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        if isComplete, unsafe source.size == 0 { return (0, 0) }
        let result = unsafe ZSTD_decompressStream(stream, &target, &source)
        if ZSTD_isError(result) != 0 {
            // Sound: the name is a constant text of the library's.
            let detail = unsafe ZSTD_getErrorName(result).map { unsafe ": " + String(cString: $0) } ?? ""
            throw InputFailure(kind: .damaged, reason: "the zstd data is damaged\(detail)")
        }
        isComplete = result == 0
        wanted = isComplete ? wantedAtStart : max(1, result)
        return unsafe (source.pos, target.pos)
    }
}
