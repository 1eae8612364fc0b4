import WeirPackets

/// A capture file, or the standard input, as a sequence of frames.
///
///     var capture = try CaptureFile("rtsp.pcap")
///     while let frame = try capture.next() {
///         analyzer.process(frame)
///     }
///
/// It reads what libpcap knows of the classic format, and pcapng with any mixture of interfaces; both also compressed
/// with gzip or zstd, which is told by the content, not by the name. Memory does not grow with the size of the file.
public struct CaptureFile: ~Copyable, FrameSource {
    /// The format of a capture file.
    public enum Format: String, Hashable, Sendable {
        /// The classic format of libpcap.
        case pcap
        /// The block format of the IETF draft.
        case pcapng
    }

    private enum Reader {
        case pcap(PcapFile)
        case pcapng(PcapngFile)
    }

    /// The file as it was named; `-` is the standard input.
    public let name: String
    /// The format, told by the content.
    public let format: Format
    /// How the file is compressed, if it is.
    public let compression: Compression?
    /// Octets of the file as it lies on disk, for a progress bar; nil when that is not known, as for a pipe.
    public let size: Int?

    /// Packets that the file says were dropped before the latest frame. Only pcapng can say so.
    public private(set) var droppedPackets = 0

    /// Frames whose own time was wrong, with the first of them: each counts as captured with the frame before it.
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
    /// Whether the end or damage has been met; there is nothing behind either.
    private var isFinished = false

    /// Opens a capture and reads its header, in pcapng all that stands before the first packet.
    ///
    /// - Parameters:
    ///   - name: the path of a file; `-` is the standard input.
    ///   - filter: packets that do not pass are skipped; they keep their numbers.
    /// - Throws: `CaptureError` when the file cannot be opened, is empty or no capture.
    public init(_ name: String, filter: CaptureFilter? = nil) throws(CaptureError) {
        let input = try CaptureInput(name)
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

    /// Octets of the file read so far, as they lie on disk: at the end it is `size`.
    public var octetsRead: Int { input.octetsRead }

    /// The link types met so far, in that order, each once. Interfaces described before the first packet are known at
    /// once; pcapng may add further ones anywhere.
    public var linkTypes: [LinkType] {
        switch reader {
        case .pcap(let file): [file.linkType]
        case .pcapng(let file): file.linkTypes
        }
    }

    /// The snap lengths met so far, in that order, each once, in octets; 0 is without limit.
    public var snapLengths: [Int] {
        switch reader {
        case .pcap(let file): [file.snapLength]
        case .pcapng(let file): file.snapLengths
        }
    }

    /// When capturing ended, if the file says so; complete at the end of the file. Only pcapng can say so.
    public var endTime: Timestamp? {
        switch reader {
        case .pcap: nil
        case .pcapng(let file): file.endTime
        }
    }

    /// Calls `body` for each interface on which capturing ended before it did on others, before the next frame is given.
    /// Only pcapng can say so.
    package func whenInterfaceLost(_ body: @escaping (LostInterface) -> Void) {
        if case .pcapng(let file) = reader { file.whenInterfaceLost = body }
    }

    /// The next frame that passes the filter; nil at the end. It is valid until this is called again.
    ///
    /// - Throws: `CaptureError`, once, when the capture is damaged or cut short: all frames before that have been
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
        // Sound: the reader keeps the octets until its next call, which needs exclusive access to this value, as the
        // frame's lifetime says it has as long as the frame is used.
        let bytes = unsafe RawSpan(_unsafeBytes: packet.bytes)
        return unsafe Frame(info: packet.info, bytes: _overrideLifetime(bytes, mutating: &self))
    }
}
