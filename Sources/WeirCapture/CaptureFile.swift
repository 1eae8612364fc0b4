import WeirPackets

/// A capture file, or the standard input, as a sequence of frames.
///
///     var capture = try CaptureFile("rtsp.pcap")
///     while let frame = try capture.next() {
///         analyzer.process(frame)
///     }
///
/// Supports the classic format as read by libpcap, and pcapng with any mixture of interfaces; both also compressed with
/// gzip or zstd, which is detected by content, not by name. Memory use does not depend on the file size.
public struct CaptureFile: ~Copyable, FrameSource {
    /// The format of a capture file.
    public enum Format: String, Hashable, Sendable {
        /// The classic libpcap format.
        case pcap
        /// The block format of the IETF draft.
        case pcapng
    }

    private enum Reader {
        case pcap(PcapFile)
        case pcapng(PcapngFile)
    }

    /// The file name as given; `-` is the standard input.
    public let name: String
    /// The format, detected by content.
    public let format: Format
    /// The compression, or nil if the file is not compressed.
    public let compression: Compression?
    /// The size of the file on disk in octets, for a progress bar; nil if unknown, as for a pipe.
    public let size: Int?

    /// The packets dropped before the latest frame according to the file; pcapng only.
    public private(set) var droppedPackets = 0

    /// The number of frames with invalid timestamps, and the first of them. Each takes the time of the previous frame.
    public var wrongTimes: (frames: Int, first: Int)? {
        let clock =
            switch reader {
            case .pcap(let file): file.clock
            case .pcapng(let file): file.clock
            }
        return clock.firstWrong.map { (clock.wrong, $0) }
    }

    private let input: CaptureInput
    private let reader: Reader
    /// Whether the end of the file or damage was reached.
    private var isFinished = false

    /// Opens a capture and reads its header; for pcapng, all blocks before the first packet.
    ///
    /// - Parameters:
    ///   - name: The path of a file; `-` is the standard input.
    ///   - filter: Packets that do not match are skipped, but keep their numbers.
    /// - Throws: `CaptureError` if the file cannot be opened, is empty or not a capture.
    public init(_ name: String, filter: CaptureFilter? = nil) throws(CaptureError) {
        try self.init(name, filter: filter, readsAhead: nil)
    }

    /// Opens a capture.
    ///
    /// - Parameter readsAhead: Whether a file is read ahead on another thread; nil by its size and compression.
    package init(_ name: String, filter: CaptureFilter?, readsAhead: Bool?) throws(CaptureError) {
        let input = try CaptureInput(name, readsAhead: readsAhead)
        let magic = input.peek(4)
        guard !magic.isEmpty || input.failure != nil else {
            throw CaptureError(.empty, file: name, offset: 0, reason: "the file is empty")
        }
        if PcapngFile.recognizes(magic) {
            reader = .pcapng(try PcapngFile(input, filter: filter))
            format = .pcapng
        } else {
            reader = .pcap(try PcapFile(input, filter: filter))
            format = .pcap
        }
        self.name = name
        self.input = input
        compression = input.compression
        size = input.size
    }

    /// The octets of the file read so far, as on disk; equal to `size` at the end.
    public var octetsRead: Int { input.octetsRead }

    /// The distinct link types so far, in order of appearance. Interfaces described before the first packet are
    /// available at once; pcapng may add others anywhere.
    public var linkTypes: [LinkType] {
        switch reader {
        case .pcap(let file): [file.linkType]
        case .pcapng(let file): file.linkTypes
        }
    }

    /// The distinct snap lengths so far, in octets, in order of appearance; 0 means unlimited.
    public var snapLengths: [Int] {
        switch reader {
        case .pcap(let file): [file.snapLength]
        case .pcapng(let file): file.snapLengths
        }
    }

    /// The end time of the capture, if recorded; complete at the end of the file; pcapng only.
    public var endTime: Timestamp? {
        switch reader {
        case .pcap: nil
        case .pcapng(let file): file.endTime
        }
    }

    /// The TLS key logs in the file so far; when it was opened, those before the first packet. Secret; pcapng only.
    package var keyLogs: [EmbeddedKeyLog] {
        switch reader {
        case .pcap: []
        case .pcapng(let file): file.keyLogs
        }
    }

    /// The number of frames before the first key log that is behind some of them; pcapng only.
    package var framesBeforeLateKeyLog: Int? {
        switch reader {
        case .pcap: nil
        case .pcapng(let file): file.framesBeforeLateKeyLog
        }
    }

    /// Whether the file can be opened again, to search it for key logs behind the packets that need them.
    package var canBeSearchedForKeyLogs: Bool { format == .pcapng && size != nil && name != "-" }

    /// Returns the TLS key logs of all blocks of a pcapng file, wherever they are. Secret.
    package static func allKeyLogs(in name: String) -> [EmbeddedKeyLog] { SecretsBlocks.keyLogs(in: name) }

    /// Sets a handler for key logs that follow, which are no longer collected.
    package func whenKeyLogFound(_ body: @escaping (EmbeddedKeyLog) -> Void) {
        if case .pcapng(let file) = reader { file.whenKeyLogFound = body }
    }

    /// Sets a handler for interfaces whose capture ended before that of others, called before the next frame is
    /// returned; pcapng only.
    package func whenInterfaceLost(_ body: @escaping (LostInterface) -> Void) {
        if case .pcapng(let file) = reader { file.whenInterfaceLost = body }
    }

    /// Returns the next frame that passes the filter, valid until the next call, or nil at the end.
    ///
    /// - Throws: `CaptureError`, once, if the capture is damaged or truncated: all frames before that have been
    ///   returned, and none follows.
    @_lifetime(&self)
    public mutating func next() throws(CaptureError) -> Frame? {
        guard !isFinished else { return nil }
        isFinished = true
        var packet: CapturedPacket?
        switch reader {
        case .pcap(let file): unsafe packet = try file.next()
        case .pcapng(let file):
            unsafe packet = try file.next()
            if file.droppedPackets != droppedPackets {
                droppedPackets = file.droppedPackets
                unsafe packet?.info.followsDrops = true
            }
        }
        guard let packet = unsafe packet else { return nil }
        isFinished = false
        // Sound: the reader keeps the octets until its next call, which needs exclusive access to this value; the
        // frame's lifetime prevents that access while the frame is in use.
        let bytes = unsafe RawSpan(_unsafeBytes: packet.bytes)
        return unsafe Frame(info: packet.info, bytes: _overrideLifetime(bytes, mutating: &self))
    }

    /// Returns the frames of the window, valid until `skip`; none of a pcapng file.
    @_lifetime(&self)
    package mutating func records() -> RecordBlock? {
        guard !isFinished, case .pcap(let file) = reader, let window = unsafe file.window else { return nil }
        // Sound: the reader keeps the octets until its next call, as in `next`.
        let bytes = unsafe RawSpan(_unsafeBytes: window.octets)
        let sums = file.sums
        let block = unsafe RecordBlock(
            _overrideLifetime(bytes, mutating: &self), file.linkType, nanosecondsPerUnit: file.nanosecondsPerUnit,
            largest: file.largestPacket, usualSteps: FrameClock.usualSteps, sums: sums.all, at: sums.start,
            after: window.after)
        return block
    }

    /// Continues after records of the window.
    package mutating func skip(_ read: RecordBlock.Progress) {
        if case .pcap(let file) = reader { file.skip(read) }
    }
}
