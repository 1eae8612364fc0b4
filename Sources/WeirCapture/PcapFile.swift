import CPcap
import WeirPackets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A packet in a buffer that its reader reuses: valid until the reader is asked for the next one.
@unsafe
struct CapturedPacket {
    var info: FrameInfo
    var bytes: UnsafeRawBufferPointer
}

/// The classic format, as libpcap reads it: microseconds or nanoseconds, either byte order, and the modified formats.
@safe
final class PcapFile {
    /// The only link type of the file.
    let linkType: LinkType
    /// Octets of a packet that the capture kept at most.
    let snapLength: Int

    private let input: CaptureInput
    private let stream: UnsafeMutablePointer<FILE>
    private let streamBuffer: UnsafeMutablePointer<CChar>
    private let handle: OpaquePointer
    private let filter: FilterProgram?
    private let recordHeaderLength: Int
    private var frame = 0
    /// Where the next packet's record begins.
    private var offset: Int

    private static let streamBufferSize = 256 * 1024
    private static let headerLength = 24

    /// Whether a file that begins with `octets` (four, or all that there are) is of this format.
    static func recognizes(_ octets: [UInt8]) -> Bool {
        !octets.isEmpty && magicNumbers.contains { $0.starts(with: octets) || $0.reversed().starts(with: octets) }
    }

    /// Microseconds, nanoseconds, and Kuznetzov's records with eight octets more.
    private static let magicNumbers: [[UInt8]] = [[0xA1, 0xB2, 0xC3, 0xD4], [0xA1, 0xB2, 0x3C, 0x4D], modified]
    private static let modified: [UInt8] = [0xA1, 0xB2, 0xCD, 0x34]

    /// Reads the file header.
    init(_ input: CaptureInput, filter expression: CaptureFilter?) throws(CaptureError) {
        let magic = input.peek(4)
        guard Self.recognizes(magic) else {
            if let failure = input.failure {
                throw CaptureError(failure.kind, file: input.name, offset: 0, reason: failure.reason)
            }
            throw CaptureError(.notACapture, file: input.name, offset: 0, reason: "neither a pcap nor a pcapng file")
        }
        guard let stream = unsafe Self.open(input) else {
            throw CaptureError(.unreadable, file: input.name, reason: "no memory for a stream")
        }
        // Sound: the buffer is freed after the stream is closed, and has the size that is told.
        let streamBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Self.streamBufferSize)
        unsafe setvbuf(stream, streamBuffer, _IOFBF, Self.streamBufferSize)

        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        let precision = UInt32(PCAP_TSTAMP_PRECISION_NANO)
        // Sound: the message buffer has the size that libpcap documents.
        guard let handle = unsafe pcap_fopen_offline_with_tstamp_precision(stream, precision, &message) else {
            let isCut = unsafe feof(stream) != 0
            unsafe fclose(stream)
            unsafe streamBuffer.deallocate()
            let text = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            let kind = input.failure?.kind ?? (isCut ? .cutShort : .damaged)
            throw CaptureError(kind, file: input.name, offset: 0, reason: input.failure?.reason ?? text)
        }
        linkType = unsafe LinkType(libpcapType: pcap_datalink(handle))
        snapLength = unsafe Int(pcap_snapshot(handle))
        self.input = input
        unsafe self.stream = stream
        unsafe self.streamBuffer = streamBuffer
        unsafe self.handle = handle
        recordHeaderLength = magic == Self.modified || magic == Self.modified.reversed() ? 24 : 16
        offset = Self.headerLength
        do throws(CaptureFilter.Invalid) {
            if let expression {
                filter = try FilterProgram(expression.expression, for: linkType)
            } else {
                filter = nil
            }
        } catch {
            throw CaptureError(.filter, file: input.name, reason: error.description)
        }
    }

    deinit {
        // Sound: closing the handle closes the stream, the last user of the buffer and of the input.
        unsafe pcap_close(handle)
        unsafe streamBuffer.deallocate()
    }

    /// The next packet that passes the filter; nil at the end.
    @unsafe
    func next() throws(CaptureError) -> CapturedPacket? {
        while true {
            var header: UnsafeMutablePointer<pcap_pkthdr>?
            var data: UnsafePointer<UInt8>?
            let result = unsafe pcap_next_ex(handle, &header, &data)
            // Sound: libpcap sets both pointers when it returns 1; they stay valid until the next call.
            guard result == 1, let header = unsafe header?.pointee, let data = unsafe data else {
                if result == PCAP_ERROR_BREAK, input.failure == nil { return nil }
                throw error()
            }
            frame &+= 1
            let length = Int(header.caplen)
            offset &+= recordHeaderLength &+ length
            // libpcap cuts what exceeds the snap length; only the stream knows how much that was.
            if length >= snapLength { offset = unsafe Int(ftello(stream)) }
            let bytes = unsafe UnsafeRawBufferPointer(start: data, count: length)
            if let filter, unsafe !filter.passes(bytes, originalLength: Int(header.len)) { continue }
            // The seconds are unsigned in the file, but some versions of libpcap take them as signed.
            let seconds = Int64(UInt32(truncatingIfNeeded: header.ts.tv_sec))
            let info = FrameInfo(
                number: frame,
                time: Timestamp(nanoseconds: seconds &* 1_000_000_000 &+ Int64(header.ts.tv_usec)),
                capturedLength: length,
                originalLength: Int(header.len),
                linkType: linkType
            )
            return unsafe CapturedPacket(info: info, bytes: bytes)
        }
    }

    private func error() -> CaptureError {
        // Sound: the handle's message is a text that ends inside the handle.
        let message = unsafe pcap_geterr(handle).map { unsafe String(cString: $0) } ?? "unknown error"
        let kind = unsafe input.failure?.kind ?? (feof(stream) != 0 ? .cutShort : .damaged)
        return CaptureError(
            kind,
            file: input.name,
            offset: offset,
            frame: frame &+ 1,
            reason: input.failure?.reason ?? message
        )
    }
}

// libpcap reads from a C stream. This one reads from a `CaptureInput`, which must outlive it, and can tell where it is.
extension PcapFile {
    private static func open(_ input: CaptureInput) -> UnsafeMutablePointer<FILE>? {
        // Sound: `PcapFile` keeps the input and closes the stream before it lets go of it.
        let cookie = unsafe Unmanaged.passUnretained(input).toOpaque()
        #if canImport(Darwin)
            return unsafe funopen(
                cookie,
                { cookie, buffer, count in unsafe Int32(clamping: PcapFile.read(cookie, buffer, Int(count))) },
                nil,
                { cookie, position, whence in unsafe PcapFile.position(cookie, moving: position, whence) ?? -1 },
                nil
            )
        #else
            let functions = unsafe weir_stream_functions(
                read: { cookie, buffer, count in unsafe PcapFile.read(cookie, buffer, count) },
                write: nil,
                seek: { cookie, position, whence in
                    guard let position = unsafe position,
                        let answer = unsafe PcapFile.position(cookie, moving: position.pointee, whence)
                    else { return -1 }
                    unsafe position.pointee = answer
                    return 0
                },
                close: nil
            )
            return unsafe fopencookie(cookie, "r", functions)
        #endif
    }

    /// Reads for the stream: what has arrived, 0 at the end, -1 after a failure.
    private static func read(
        _ cookie: UnsafeMutableRawPointer?,
        _ buffer: UnsafeMutablePointer<CChar>?,
        _ count: Int
    ) -> Int {
        guard let cookie = unsafe cookie else { return -1 }
        // Sound: the cookie is the input that `open` was given, and the stream's buffer holds `count` octets.
        let input = unsafe Unmanaged<CaptureInput>.fromOpaque(cookie).takeUnretainedValue()
        let arrived = unsafe input.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
        if arrived == 0, input.failure != nil {
            errno = EIO
            return -1
        }
        return arrived
    }

    /// Where the input is; nil when asked to move, which it cannot.
    private static func position(_ cookie: UnsafeMutableRawPointer?, moving by: Int64, _ whence: Int32) -> Int64? {
        guard let cookie = unsafe cookie, by == 0, whence == SEEK_CUR else {
            errno = ESPIPE
            return nil
        }
        // Sound: as above.
        return unsafe Int64(Unmanaged<CaptureInput>.fromOpaque(cookie).takeUnretainedValue().octetsDelivered)
    }
}
