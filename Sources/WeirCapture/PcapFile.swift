import WeirPackets

/// A packet in a buffer that its reader reuses: valid until the next packet is read.
@unsafe
struct CapturedPacket {
    var info: FrameInfo
    var bytes: UnsafeRawBufferPointer
}

/// A reader of the classic format: microseconds or nanoseconds, either byte order, and the modified formats.
///
/// libpcap parses the header. The records after it are read here, in the file's window, since libpcap would copy each
/// packet once more.
@safe
final class PcapFile {
    /// The link type of the file.
    var linkType: LinkType { header.linkType }
    /// The snap length, in octets.
    var snapLength: Int { header.snapLength }

    private let header: PcapHeader
    private let buffer: BlockBuffer
    private let filter: FilterProgram?
    private var frame = 0
    /// The timestamp validation.
    private(set) var clock = FrameClock()
    /// The length of the current record, which the next read skips.
    private var recordLength = 0

    /// Reads the file header.
    init(_ input: CaptureInput, filter expression: CaptureFilter?) throws(CaptureError) {
        guard PcapHeader.recognizes(input.peek(4)) else {
            if let failure = input.failure {
                throw CaptureError(failure.kind, file: input.name, offset: 0, reason: failure.reason)
            }
            throw CaptureError(.notACapture, file: input.name, offset: 0, reason: "neither a pcap nor a pcapng file")
        }
        let octets = input.peek(PcapHeader.length)
        buffer = BlockBuffer(input)
        guard octets.count == PcapHeader.length, buffer.fill(PcapHeader.length) else {
            let failure =
                input.failure
                ?? InputFailure(kind: .cutShort, reason: "the file is cut short in the middle of its header")
            throw CaptureError(failure.kind, file: input.name, offset: 0, reason: failure.reason)
        }
        do throws(PcapHeader.Refusal) {
            header = try PcapHeader(octets)
        } catch {
            throw CaptureError(.damaged, file: input.name, offset: 0, reason: error.reason)
        }
        recordLength = PcapHeader.length
        if header.isUsual, header.linkType == .ethernet, expression == nil {
            input.sums = RecordSums(largest: header.largestPacket)
        }
        do throws(CaptureFilter.Invalid) {
            if let expression {
                filter = try FilterProgram(expression.expression, for: header.linkType)
            } else {
                filter = nil
            }
        } catch {
            throw CaptureError(.filter, file: input.name, reason: error.description)
        }
    }

    /// Returns the next packet that passes the filter, or nil at the end.
    @unsafe @inline(__always)
    func next() throws(CaptureError) -> CapturedPacket? {
        while let lengths = try readRecord() {
            frame &+= 1
            var time = self.time(at: 0)
            let wrong = clock.wrong
            if !clock.follows(time) { time = clock.time(time, of: frame, back: framesUntilBack(time)) }
            // Octets beyond the snap length are not part of the packet.
            let captured = min(lengths.captured, header.snapLength)
            let bytes = unsafe buffer.bytes(header.recordHeaderLength, captured)
            if let filter, unsafe !filter.passes(bytes, originalLength: lengths.original) { continue }
            var info = FrameInfo(
                number: frame,
                time: time,
                capturedLength: captured,
                originalLength: lengths.original,
                linkType: header.linkType
            )
            info.isTimeReplaced = clock.wrong != wrong
            return unsafe CapturedPacket(info: info, bytes: bytes)
        }
        return nil
    }

    /// Returns the octets after the current record that are in the window, and what is needed to read them as records;
    /// nil if they need a closer look.
    @unsafe
    var window: (octets: UnsafeRawBufferPointer, after: RecordBlock.Progress)? {
        guard filter == nil, header.isUsual, let time = clock.last, frame > 0, buffer.count > recordLength else {
            return nil
        }
        return unsafe (
            buffer.bytes(recordLength, buffer.count &- recordLength), RecordBlock.Progress(number: frame, time: time)
        )
    }

    /// The sums of records in memory, and the position there of the first octet of `window`.
    var sums: (all: [RecordSum], start: Int) {
        let sums = buffer.sums
        return (sums.all, sums.start &+ recordLength)
    }

    /// The unit of the fraction of a second, in nanoseconds.
    var nanosecondsPerUnit: Int64 { header.nanosecondsPerUnit }

    /// The captured length of a packet above which `next` has to examine it, in octets.
    var largestPacket: Int { min(header.largestPacket, header.snapLength) }

    /// Continues after records of the window.
    func skip(_ read: RecordBlock.Progress) {
        recordLength &+= read.octets
        frame = read.number
        clock.skip(to: read.time)
    }

    /// Returns the time in a record header.
    @inline(__always)
    private func time(at position: Int) -> Timestamp {
        let seconds = Int64(uint32(position)) &* 1_000_000_000
        return Timestamp(nanoseconds: seconds &+ Int64(uint32(position &+ 4)) &* header.nanosecondsPerUnit)
    }

    /// Returns the number of records after the current one, which has this time, at which the timestamps return; nil if
    /// they do not, as far as data is available. On a pipe, waits for at most one record, and for none after a pause,
    /// which may last indefinitely.
    @inline(never)
    private func framesUntilBack(_ time: Timestamp) -> Int? {
        guard var search = clock.search(time, of: frame) else { return nil }
        var position = recordLength
        while search.isOpen, position < FrameClock.mostOctets {
            let mayWait = search.distance == 1 && clock.goesBack(time)
            guard buffer.fill(position &+ header.recordHeaderLength, mayWait: mayWait) else { return nil }
            if search.comesBack(self.time(at: position)) { return search.distance }
            let captured = header.lengths(uint32(position &+ 8), uint32(position &+ 12)).captured
            guard captured <= header.largestPacket else { return nil }
            position &+= header.recordHeaderLength &+ captured
        }
        return nil
    }

    /// Skips the current record and reads the next one completely into the buffer. Returns nil at the end.
    @inline(__always)
    private func readRecord() throws(CaptureError) -> (captured: Int, original: Int)? {
        buffer.consume(recordLength)
        recordLength = 0
        guard buffer.fill(header.recordHeaderLength) else {
            if isAtEnd { return nil }
            throw ending("the file is cut short in the middle of a packet header")
        }
        let lengths = header.lengths(uint32(8), uint32(12))
        guard lengths.captured <= header.largestPacket else {
            throw excess(lengths.captured)
        }
        guard buffer.fill(header.recordHeaderLength &+ lengths.captured) else { throw shortage(lengths.captured) }
        recordLength = header.recordHeaderLength &+ lengths.captured
        return lengths
    }

    @inline(__always)
    private func uint32(_ position: Int) -> UInt32 {
        let value = buffer.uint32(position)
        return header.isSwapped ? value.byteSwapped : value
    }

    /// Whether the input ended after a complete record.
    private var isAtEnd: Bool { buffer.failure == nil && buffer.count == 0 }

    @inline(never)
    private func excess(_ length: Int) -> CaptureError {
        error(.damaged, "packet length \(length) exceeds the limit of \(header.largestPacket)")
    }

    @inline(never)
    private func shortage(_ length: Int) -> CaptureError {
        let present = buffer.count &- header.recordHeaderLength
        return ending("the file is cut short in the middle of a packet: \(present) of \(length) octets")
    }

    /// Returns the error for a file without further octets: truncated, or the failure of the input.
    private func ending(_ reason: String) -> CaptureError {
        guard let failure = buffer.failure else { return error(.cutShort, reason) }
        return error(failure.kind, failure.reason)
    }

    private func error(_ kind: CaptureError.Kind, _ reason: String) -> CaptureError {
        CaptureError(kind, file: buffer.name, offset: buffer.offset, frame: frame &+ 1, reason: reason)
    }
}
