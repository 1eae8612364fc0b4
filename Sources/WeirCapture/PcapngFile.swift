import WeirPackets

/// A reader of the pcapng format (draft-ietf-opsawg-pcapng).
///
/// libpcap rejects files whose interfaces differ in link type or snap length, possibly after thousands of packets of a
/// pipe that cannot be read again, and it does not return the interface of a packet. This reader supports the whole
/// format: section headers, interface descriptions, packets (enhanced, simple and obsolete), TLS key logs. Other
/// blocks are skipped.
@safe
final class PcapngFile {
    /// The link types in order of appearance.
    private(set) var linkTypes: [LinkType] = []
    /// The snap lengths in order of appearance; 0 means unlimited.
    private(set) var snapLengths: [Int] = []

    /// The packets dropped according to the file, up to the latest packet read.
    private(set) var droppedPackets = 0
    /// The end time of the capture, if recorded.
    private(set) var endTime: Timestamp?
    /// A handler for interfaces whose capture ended before that of others. It is called before the next packet is
    /// returned, or at the end of the file if the interface ended well before the others.
    var whenInterfaceLost: ((LostInterface) -> Void)?
    /// Interfaces whose end is recorded after the latest packet.
    private var endedInterfaces: [LostInterface] = []

    /// The TLS key logs in the file so far (Decryption Secrets Blocks), and their octets.
    private(set) var keyLogs: [EmbeddedKeyLog] = []
    private var keyLogOctets = 0
    /// The number of packets before the first key log that is not before all of them.
    private(set) var framesBeforeLateKeyLog: Int?
    /// A handler for further key logs, which are then not stored.
    var whenKeyLogFound: ((EmbeddedKeyLog) -> Void)?

    private let buffer: BlockBuffer
    private let filter: CaptureFilter?
    private var programs: [LinkType: FilterProgram] = [:]
    // Files may describe very many interfaces.
    private var knownLinkTypes: Set<LinkType> = []
    private var knownSnapLengths: Set<Int> = []
    private var isBigEndian = false
    /// The interfaces of the current section.
    private var interfaces: [PcapngInterface] = []
    /// The number of interfaces in previous sections.
    private var interfacesBefore = 0
    private var frame = 0
    /// The timestamp validation.
    private(set) var clock = FrameClock()
    /// Whether the latest packet's own time was invalid.
    private var isTimeReplaced = false
    private var lastTime = Timestamp(nanoseconds: 0)
    /// The length of the current block, which the next read skips.
    private var blockLength = 0
    /// The first packet: read when the file is opened, returned by the first call.
    private var first = unsafe First.taken

    @unsafe
    private enum First {
        case taken
        case packet(CapturedPacket?)
        case failed(CaptureError)
    }

    /// The maximum number of interfaces in a file.
    static let maximumInterfaces = 65_536
    /// Interfaces whose ends are at most this many seconds apart end together.
    private static let secondsOfEnding = 1.0

    private enum BlockType {
        static let sectionHeader = PcapngBlock.sectionHeader
        static let interfaceDescription: UInt32 = 1
        static let obsoletePacket: UInt32 = 2
        static let simplePacket: UInt32 = 3
        static let interfaceStatistics: UInt32 = 5
        static let enhancedPacket: UInt32 = 6
    }

    /// Whether a file that starts with `octets` (four, or fewer if it is shorter) has this format.
    static func recognizes(_ octets: [UInt8]) -> Bool {
        !octets.isEmpty && octets.elementsEqual([0x0A, 0x0D, 0x0D, 0x0A].prefix(octets.count))
    }

    /// Reads the section header and all blocks before the first packet.
    init(_ input: CaptureInput, filter: CaptureFilter?) throws(CaptureError) {
        buffer = BlockBuffer(input)
        self.filter = filter
        guard try readBlock() == BlockType.sectionHeader else {
            throw error(.cutShort, "the file is cut short in the middle of its first block")
        }
        do throws(CaptureError) {
            unsafe first = .packet(try nextPacket())
        } catch {
            unsafe first = .failed(error)
        }
    }

    /// Returns the next packet that passes the filter, or nil at the end.
    @unsafe
    func next() throws(CaptureError) -> CapturedPacket? {
        while let packet = unsafe try nextUnfiltered() {
            if filter == nil { return unsafe packet }
            if let program = unsafe programs[packet.info.linkType],
                unsafe program.passes(packet.bytes, originalLength: packet.info.originalLength)
            {
                return unsafe packet
            }
        }
        return nil
    }

    @unsafe
    private func nextUnfiltered() throws(CaptureError) -> CapturedPacket? {
        switch unsafe first {
        case .taken:
            return unsafe try nextPacket()
        case .packet(let packet):
            unsafe first = .taken
            lose { _ in true }
            return unsafe packet
        case .failed(let error):
            throw error
        }
    }

    /// Reads blocks up to the next packet, or nil at the end.
    @unsafe
    private func nextPacket() throws(CaptureError) -> CapturedPacket? {
        while let type = try readBlock() {
            switch type {
            case BlockType.enhancedPacket:
                lose { _ in true }
                let packet = unsafe try packet(headerLength: 28, interface: Int(uint32(8)))
                countDrops(behind: unsafe packet.bytes.count)
                return unsafe packet
            case BlockType.interfaceStatistics:
                readStatistics()
            case BlockType.simplePacket:
                return unsafe try simplePacket()
            case BlockType.obsoletePacket:
                try require(28)
                return unsafe try packet(headerLength: 28, interface: Int(uint16(8)))
            case BlockType.interfaceDescription:
                try addInterface()
            case SecretsBlocks.type:
                readSecrets()
            default:
                continue
            }
        }
        // The ends of all interfaces are not written at once.
        lose { ended in endTime.map { $0.seconds(since: ended.time) > Self.secondsOfEnding } ?? false }
        return nil
    }

    /// Reports the interfaces that ended early.
    @inline(__always)
    private func lose(_ isEarly: (LostInterface) -> Bool) {
        guard !endedInterfaces.isEmpty, let whenInterfaceLost else { return }
        let lost = endedInterfaces.filter(isEarly)
        endedInterfaces = []
        for interface in lost { whenInterfaceLost(interface) }
    }

    /// Reads the `epb_dropcount` option after the data of an enhanced packet.
    @inline(__always)
    private func countDrops(behind length: Int) {
        let options = 28 &+ (length &+ 3) & ~3
        guard options &+ 4 <= blockLength &- 4 else { return }
        forEachOption(from: options) { code, length, value in
            guard code == 4, length == 8 else { return }
            let dropped = Int(clamping: UInt64(bitPattern: int64(value)))
            droppedPackets = droppedPackets.addingReportingOverflow(dropped).overflow ? .max : droppedPackets &+ dropped
        }
    }

    /// Reads the `isb_endtime` option of interface statistics. Counts in them cover the whole file, and do not show
    /// where packets are missing.
    private func readStatistics() {
        guard blockLength >= 24, Int(uint32(8)) < interfaces.count else { return }
        let index = Int(uint32(8))
        let interface = interfaces[index]
        forEachOption(from: 20) { code, length, value in
            guard code == 3, length == 8 else { return }
            let time = interface.time(UInt64(uint32(value)) << 32 | UInt64(uint32(value &+ 4)))
            endTime = max(endTime ?? time, time)
            // Records the end of an interface once, however often the file repeats its statistics.
            guard interfaces.count > 1, !interfaces[index].hasEnded else { return }
            interfaces[index].hasEnded = true
            endedInterfaces.append(LostInterface(name: interface.name, time: time))
        }
    }

    /// Reads a Decryption Secrets Block: type and length of the secrets, and the secrets.
    private func readSecrets() {
        guard blockLength >= 20, uint32(8) == SecretsBlocks.keyLogType,
            let keyLog = SecretsBlocks.keyLog(
                in: buffer, length: Int(uint32(12)), block: blockLength, after: keyLogOctets)
        else { return }
        keyLogOctets &+= keyLog.count
        if frame > 0 { framesBeforeLateKeyLog = framesBeforeLateKeyLog ?? frame }
        let found = EmbeddedKeyLog(text: keyLog, frames: frame)
        if let whenKeyLogFound { whenKeyLogFound(found) } else { keyLogs.append(found) }
    }

    /// Iterates over options up to the end of the block. Options that do not fit are ignored, since nothing depends on
    /// them.
    private func forEachOption(from start: Int, _ body: (_ code: Int, _ length: Int, _ value: Int) -> Void) {
        var position = start
        let end = blockLength &- 4
        while position &+ 4 <= end {
            let code = Int(uint16(position))
            let length = Int(uint16(position &+ 2))
            let value = position &+ 4
            guard code != 0, value &+ length <= end else { return }
            body(code, length, value)
            position = value &+ (length &+ 3) & ~3
        }
    }

    /// Skips the current block and reads the next one completely into the buffer.
    ///
    /// - Returns: The block type, or nil at the end of the file.
    private func readBlock() throws(CaptureError) -> UInt32? {
        buffer.consume(blockLength)
        blockLength = 0
        guard buffer.fill(12) else {
            if buffer.failure == nil, buffer.count == 0 { return nil }
            throw ending("the file is cut short in the middle of a block header")
        }
        let isSection = buffer.uint32(0) == BlockType.sectionHeader
        if isSection { try readByteOrder() }
        let length = Int(uint32(4))
        guard length >= 12, length & 3 == 0 else { throw error(.damaged, "invalid block length \(length)") }
        guard length <= PcapngBlock.maximumLength else {
            throw error(.damaged, "block length \(length) exceeds the limit of \(PcapngBlock.maximumLength)")
        }
        guard buffer.fill(length) else {
            throw ending("the file is cut short in the middle of a block of \(length) octets")
        }
        blockLength = length
        let trailer = Int(uint32(length &- 4))
        guard trailer == length else {
            throw error(.damaged, "the two lengths of a block differ: \(length) and \(trailer) octets")
        }
        if isSection { try beginSection() }
        return uint32(0)
    }

    /// Reads the byte order of a section, which follows the length of the section header block and also applies to that
    /// length.
    private func readByteOrder() throws(CaptureError) {
        switch buffer.uint32(8) {
        case UInt32(0x1A2B_3C4D).bigEndian: isBigEndian = true
        case UInt32(0x1A2B_3C4D).littleEndian: isBigEndian = false
        default:
            let kind: CaptureError.Kind = buffer.offset == 0 ? .notACapture : .damaged
            throw error(kind, "invalid byte-order magic in a section header")
        }
    }

    private func beginSection() throws(CaptureError) {
        try require(28)
        guard uint16(12) == 1 else {
            throw error(.damaged, "unsupported pcapng version \(uint16(12)).\(uint16(14))")
        }
        interfacesBefore &+= interfaces.count
        interfaces.removeAll(keepingCapacity: true)
    }

    private func addInterface() throws(CaptureError) {
        try require(20)
        guard interfacesBefore &+ interfaces.count < Self.maximumInterfaces else {
            throw error(.damaged, "more than \(Self.maximumInterfaces) interfaces")
        }
        // The number of raw IP in files is 101, but some writers use libpcap's internal number.
        let linkType = LinkType(libpcapType: LinkType(rawValue: Int(uint16(8))).libpcapType)
        var interface = PcapngInterface(linkType: linkType, snapLength: Int(uint32(12)))
        var position = 16
        let end = blockLength &- 4
        while position &+ 4 <= end {
            let code = uint16(position)
            let length = Int(uint16(position &+ 2))
            let value = position &+ 4
            guard value &+ length <= end else {
                throw error(.damaged, "an interface option exceeds its block")
            }
            switch (code, length) {
            case (0, _): position = end
            case (9, 1): interface.resolution = UInt8(truncatingIfNeeded: buffer.uint16(value).littleEndian)
            case (14, 8): interface.offsetSeconds = int64(value)
            case (2, _):
                let name = unsafe buffer.bytes(value, min(length, PcapngInterface.longestName))
                interface.name = unsafe String(decoding: name, as: UTF8.self)
            case (9, _), (14, _):
                throw error(.damaged, "invalid length of an interface's time option: \(length) octets")
            default: break
            }
            position = value &+ (length &+ 3) & ~3
        }
        if let filter, programs[linkType] == nil {
            do throws(CaptureFilter.Invalid) {
                programs[linkType] = try FilterProgram(filter.expression, for: linkType)
            } catch {
                throw self.error(.filter, error.description)
            }
        }
        interfaces.append(interface)
        if knownLinkTypes.insert(linkType).inserted { linkTypes.append(linkType) }
        if knownSnapLengths.insert(interface.snapLength).inserted { snapLengths.append(interface.snapLength) }
    }

    /// Parses an enhanced or an obsolete packet block, which differ only in the interface field.
    @unsafe
    private func packet(headerLength: Int, interface index: Int) throws(CaptureError) -> CapturedPacket {
        try require(headerLength &+ 4)
        let interface = try self.interface(index)
        let length = Int(uint32(20))
        guard length <= blockLength &- headerLength &- 4 else {
            throw error(.damaged, "a packet of \(length) octets exceeds its block of \(blockLength) octets")
        }
        let units = UInt64(uint32(12)) << 32 | UInt64(uint32(16))
        lastTime = interface.time(units)
        let wrong = clock.wrong
        if !clock.follows(lastTime) {
            lastTime = clock.time(lastTime, of: frame &+ 1, back: framesUntilBack(lastTime))
        }
        isTimeReplaced = clock.wrong != wrong
        return unsafe packet(interface, index, at: headerLength, length: length, originalLength: Int(uint32(24)))
    }

    /// Returns the number of packets after the current block, which has this time, at which the timestamps return; nil
    /// if they do not, as far as packets of known interfaces follow. On a pipe, waits for at most one packet.
    private func framesUntilBack(_ time: Timestamp) -> Int? {
        guard var search = clock.search(time, of: frame &+ 1) else { return nil }
        var position = blockLength
        var others = 0
        while search.isOpen, others < 8, position < FrameClock.mostOctets {
            let mayWait = search.distance == 1 && clock.goesBack(time)
            guard buffer.fill(position &+ 20, mayWait: mayWait) else { return nil }
            let length = Int(uint32(position &+ 4))
            let interface: Int
            switch uint32(position) {
            case BlockType.enhancedPacket: interface = Int(uint32(position &+ 8))
            case BlockType.obsoletePacket: interface = Int(uint16(position &+ 8))
            case BlockType.simplePacket, BlockType.sectionHeader, BlockType.interfaceDescription: return nil
            default:
                guard length >= 12, length <= 65_536 else { return nil }
                position &+= length
                others &+= 1
                continue
            }
            guard interface < interfaces.count, length >= 12, length <= FrameClock.mostOctets else { return nil }
            let next = interfaces[interface].time(
                UInt64(uint32(position &+ 12)) << 32 | UInt64(uint32(position &+ 16)))
            if search.comesBack(next) { return search.distance }
            position &+= length
            others = 0
        }
        return nil
    }

    /// Parses a simple packet block: on the first interface, and without a timestamp, so that it takes the time of the
    /// previous packet.
    @unsafe
    private func simplePacket() throws(CaptureError) -> CapturedPacket {
        try require(16)
        let interface = try self.interface(0)
        let originalLength = Int(uint32(8))
        var length = min(originalLength, blockLength &- 16)
        if interface.snapLength > 0 { length = min(length, interface.snapLength) }
        return unsafe packet(interface, 0, at: 12, length: length, originalLength: originalLength)
    }

    @unsafe
    private func packet(
        _ interface: PcapngInterface,
        _ index: Int,
        at position: Int,
        length: Int,
        originalLength: Int
    ) -> CapturedPacket {
        frame &+= 1
        var info = FrameInfo(
            number: frame,
            time: lastTime,
            capturedLength: length,
            originalLength: originalLength,
            interface: interfacesBefore &+ index,
            linkType: interface.linkType
        )
        info.isTimeReplaced = isTimeReplaced
        return unsafe CapturedPacket(info: info, bytes: buffer.bytes(position, length))
    }

    private func interface(_ index: Int) throws(CaptureError) -> PcapngInterface {
        guard index < interfaces.count else {
            throw error(
                .damaged, "a packet refers to interface \(index), but the section describes only \(interfaces.count)")
        }
        return interfaces[index]
    }

    private func require(_ length: Int) throws(CaptureError) {
        guard blockLength >= length else {
            throw error(
                .damaged,
                "a block of type \(uint32(0)) has \(blockLength) octets, fewer than the minimum of \(length)")
        }
    }

    /// Returns the error for a file without further octets: truncated, or the failure of the input.
    private func ending(_ reason: String) -> CaptureError {
        guard let failure = buffer.failure else { return error(.cutShort, reason) }
        return error(failure.kind, failure.reason)
    }

    private func error(_ kind: CaptureError.Kind, _ reason: String) -> CaptureError {
        CaptureError(kind, file: buffer.name, offset: buffer.offset, frame: frame &+ 1, reason: reason)
    }

    private func uint16(_ position: Int) -> UInt16 {
        let value = buffer.uint16(position)
        return isBigEndian ? UInt16(bigEndian: value) : UInt16(littleEndian: value)
    }

    private func uint32(_ position: Int) -> UInt32 {
        let value = buffer.uint32(position)
        return isBigEndian ? UInt32(bigEndian: value) : UInt32(littleEndian: value)
    }

    private func int64(_ position: Int) -> Int64 {
        let (first, second) = (UInt64(uint32(position)), UInt64(uint32(position &+ 4)))
        return Int64(bitPattern: isBigEndian ? first << 32 | second : second << 32 | first)
    }
}
