import WeirPackets

/// Writes VP8, VP9 and AV1 in IVF: a header of 32 octets, and a length and timestamp before each frame, all
/// little-endian.
struct VideoFrameDepacketizer: Depacketizer {
    var fileExtension: String { "ivf" }
    var gathersPictures: Bool { true }
    private(set) var framesIn = 0
    private(set) var framesOut = 0
    private let format: RTPPayloadFormat
    private let clockRate: UInt32
    private var timestamp: UInt32?
    /// The RTP timestamp of the last written frame, and its time in the file.
    private var written: (timestamp: UInt32, time: UInt64)?
    private var frame: [UInt8] = []
    private var unit: [UInt8]?
    private var isDamaged = false
    private var lastMarker = true
    private var size: (width: Int, height: Int) = (0, 0)
    private var hasBegun = false

    init(_ format: MediaFormat) {
        self.format = format.payload
        clockRate = UInt32(clamping: format.clockRate ?? 90_000)
    }

    mutating func take(_ packet: ExtractedPacket) -> [UInt8] {
        var octets: [UInt8] = []
        if packet.missingBefore > 0, !lastMarker { isDamaged = true }
        if packet.timestamp != timestamp {
            octets += flush()
            timestamp = packet.timestamp
            // Its beginning was lost, or precedes the capture.
            if !begins(packet.payload) { isDamaged = true }
        }
        if packet.isCut { isDamaged = true }
        read(packet.payload)
        lastMarker = packet.marker
        return octets
    }

    mutating func finish() -> [UInt8] { flush() }

    /// The patch of the frame count in the header.
    var patches: [FilePatch] {
        hasBegun ? [FilePatch(offset: 24, octets: littleEndian(UInt32(clamping: framesOut)))] : []
    }

    private func begins(_ payload: [UInt8]) -> Bool {
        switch format {
        case .vp8: VP8Payload(payload.rawSpan)?.startsFrame ?? false
        case .vp9: VP9Payload(payload.rawSpan)?.startsFrame ?? false
        default: AV1Payload(payload.rawSpan).map { !$0.continuesUnit } ?? false
        }
    }

    private mutating func read(_ payload: [UInt8]) {
        switch format {
        case .vp8:
            guard let parsed = VP8Payload(payload.rawSpan) else { return }
            if parsed.width > 0 { size = (parsed.width, parsed.height) }
            frame += payload.dropFirst(parsed.descriptorLength)
        case .vp9:
            guard let parsed = VP9Payload(payload.rawSpan) else { return }
            if parsed.width > 0 { size = (parsed.width, parsed.height) }
            frame += payload.dropFirst(parsed.descriptorLength)
        default: readAV1(payload)
        }
    }

    private mutating func readAV1(_ payload: [UInt8]) {
        guard let parsed = AV1Payload(payload.rawSpan) else { return }
        var elements = AV1Elements(payload.rawSpan)
        var isFirst = true
        while let range = elements.next(payload.rawSpan) {
            if isFirst, parsed.continuesUnit {
                if unit == nil { isDamaged = true } else { unit?.append(contentsOf: payload[range]) }
            } else {
                closeUnit()
                unit = Array(payload[range])
            }
            isFirst = false
        }
        if !parsed.isContinued { closeUnit() }
    }

    /// Writes an OBU with a size field, which RTP omits; temporal delimiters are regenerated.
    private mutating func closeUnit() {
        guard let unit, let header = unit.first else { return }
        self.unit = nil
        guard header >> 3 & 0x0F != 2 else { return }
        let hasExtension = header & 4 != 0
        let hasSize = header & 2 != 0
        let headerLength = hasExtension ? 2 : 1
        guard unit.count >= headerLength else { return }
        frame.append(header | 2)
        if hasExtension { frame.append(unit[1]) }
        if !hasSize {
            var length = unit.count - headerLength
            repeat {
                frame.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
                length >>= 7
            } while length > 0
        }
        frame += unit.dropFirst(headerLength)
    }

    private mutating func flush() -> [UInt8] {
        if format == .av1 { closeUnit() }
        defer {
            frame = []
            isDamaged = false
            unit = nil
        }
        guard let timestamp, !frame.isEmpty || isDamaged else { return [] }
        framesIn += 1
        guard !isDamaged, !frame.isEmpty else { return [] }
        framesOut += 1
        let body = format == .av1 ? [0x12, 0] + frame : frame
        let step = written.map { UInt64(timestamp &- $0.timestamp) } ?? 0
        let time = (written?.time ?? 0) &+ step
        written = (timestamp, time)
        let head = littleEndian(UInt32(clamping: body.count)) + littleEndian(time)
        guard !hasBegun else { return head + body }
        hasBegun = true
        return fileHeader + head + body
    }

    private var fileHeader: [UInt8] {
        let code: String
        switch format {
        case .vp8: code = "VP80"
        case .vp9: code = "VP90"
        default: code = "AV01"
        }
        return Array("DKIF".utf8) + littleEndian(UInt16(0)) + littleEndian(UInt16(32)) + Array(code.utf8)
            + littleEndian(UInt16(clamping: size.width)) + littleEndian(UInt16(clamping: size.height))
            + littleEndian(clockRate) + littleEndian(UInt32(1)) + littleEndian(UInt32(0)) + littleEndian(UInt32(0))
    }
}
