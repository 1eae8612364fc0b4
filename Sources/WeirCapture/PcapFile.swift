import WeirPackets

/// A packet in a buffer that its reader reuses: valid until the reader is asked for the next one.
@unsafe
struct CapturedPacket {
    var info: FrameInfo
    var bytes: UnsafeRawBufferPointer
}

/// The classic format: microseconds or nanoseconds, either byte order, and the modified formats.
///
/// libpcap reads the header. The records behind it are walked here, in the window that the file is read into: libpcap
/// would copy each packet once more.
@safe
final class PcapFile {
    /// The only link type of the file.
    var linkType: LinkType { header.linkType }
    /// Octets of a packet that the capture kept at most.
    var snapLength: Int { header.snapLength }

    private let header: PcapHeader
    private let buffer: BlockBuffer
    private let filter: FilterProgram?
    private var frame = 0
    /// The frames' times.
    private(set) var clock = FrameClock()
    /// Octets of the record in use, which the next step leaves behind.
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
            let failure = input.failure ?? InputFailure(kind: .cutShort, reason: "the file ends inside its header")
            throw CaptureError(failure.kind, file: input.name, offset: 0, reason: failure.reason)
        }
        do throws(PcapHeader.Refusal) {
            header = try PcapHeader(octets)
        } catch {
            throw CaptureError(.damaged, file: input.name, offset: 0, reason: error.reason)
        }
        recordLength = PcapHeader.length
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

    /// The next packet that passes the filter; nil at the end.
    @unsafe
    func next() throws(CaptureError) -> CapturedPacket? {
        while let lengths = try readRecord() {
            frame &+= 1
            var time = self.time(at: 0)
            let wrong = clock.wrong
            if !clock.follows(time) { time = clock.time(time, of: frame, back: framesUntilBack(time)) }
            // What exceeds the snap length is no part of the packet.
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

    /// The time in the header of a record.
    @inline(__always)
    private func time(at position: Int) -> Timestamp {
        let seconds = Int64(uint32(position)) &* 1_000_000_000
        return Timestamp(nanoseconds: seconds &+ Int64(uint32(position &+ 4)) &* header.nanosecondsPerUnit)
    }

    /// How many records behind the one in use, which has this time, the times come back; nil where they do not, as far as it
    /// is there. Of a pipe at most one record is waited for, and none behind a pause: nobody knows when it comes.
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

    /// Leaves the record in use and reads the next one, so that it lies in the buffer as a whole; nil at the end.
    private func readRecord() throws(CaptureError) -> (captured: Int, original: Int)? {
        buffer.consume(recordLength)
        recordLength = 0
        guard buffer.fill(header.recordHeaderLength) else {
            if buffer.failure == nil, buffer.count == 0 { return nil }
            throw ending("the file ends inside the header of a packet")
        }
        let lengths = header.lengths(uint32(8), uint32(12))
        guard lengths.captured <= header.largestPacket else {
            throw error(.damaged, "a packet claims \(lengths.captured) octets, more than \(header.largestPacket)")
        }
        guard buffer.fill(header.recordHeaderLength &+ lengths.captured) else {
            let present = buffer.count &- header.recordHeaderLength
            throw ending("the file ends inside a packet: \(present) of its \(lengths.captured) octets are there")
        }
        recordLength = header.recordHeaderLength &+ lengths.captured
        return lengths
    }

    @inline(__always)
    private func uint32(_ position: Int) -> UInt32 {
        let value = buffer.uint32(position)
        return header.isSwapped ? value.byteSwapped : value
    }

    /// The fault of a file that has no more octets: its end, or what the input says.
    private func ending(_ reason: String) -> CaptureError {
        guard let failure = buffer.failure else { return error(.cutShort, reason) }
        return error(failure.kind, failure.reason)
    }

    private func error(_ kind: CaptureError.Kind, _ reason: String) -> CaptureError {
        CaptureError(kind, file: buffer.name, offset: buffer.offset, frame: frame &+ 1, reason: reason)
    }
}
