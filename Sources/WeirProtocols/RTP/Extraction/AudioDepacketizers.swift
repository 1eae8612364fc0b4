import WeirPackets

/// Writes AAC with an ADTS header before each access unit (ISO/IEC 13818-7 §6.2), derived from the announced
/// configuration.
struct AACDepacketizer: Depacketizer {
    var fileExtension: String { "aac" }
    private(set) var framesIn = 0
    private(set) var framesOut = 0
    private let sizes: AccessUnitHeaderSizes
    private let header: ADTSHeader
    /// The access unit being reassembled from fragments: octets kept, octets received, and announced size.
    private var fragment: (octets: [UInt8], come: Int, whole: Int)?

    init?(_ format: MediaFormat, _ sizes: AccessUnitHeaderSizes) {
        guard let config = format.parameter("config"),
            let header = MPEG4AudioConfiguration(hexadecimal: config).flatMap({ ADTSHeader($0) })
        else { return nil }
        self.header = header
        self.sizes = sizes
    }

    mutating func take(_ packet: ExtractedPacket) -> [UInt8] {
        if packet.missingBefore > 0 { fragment = nil }
        guard !packet.isCut, let units = AccessUnitHeaders(packet.payload.rawSpan, sizes), !units.disagrees else {
            framesIn += 1
            return []
        }
        let data = packet.payload.suffix(units.dataOctets)
        if units.isFragment || fragment != nil {
            if fragment == nil { fragment = ([], 0, units.announcedOctets) }
            fragment?.come &+= data.count
            if let open = fragment, open.come <= ADTSHeader.longest { fragment?.octets.append(contentsOf: data) }
            guard let whole = fragment, whole.come >= whole.whole else { return [] }
            fragment = nil
            framesIn += 1
            return whole.octets.count == whole.whole ? write(whole.octets[...]) : []
        }
        var written: [UInt8] = []
        var rest = data
        for size in AccessUnitHeaders.sizes(packet.payload.rawSpan, sizes) {
            framesIn += 1
            guard size <= rest.count else { break }
            written += write(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return written
    }

    mutating func finish() -> [UInt8] { [] }

    private mutating func write(_ unit: ArraySlice<UInt8>) -> [UInt8] {
        guard let octets = header.octets(before: unit.count) else { return [] }
        framesOut += 1
        return octets + unit
    }
}

/// The ADTS header before each AAC access unit (ISO/IEC 13818-7 §6.2).
struct ADTSHeader {
    /// Octets of the longest access unit that the header can describe.
    static let longest = 1 << 13 - 1 - length
    private static let length = 7

    private let objectType: UInt8
    private let rateIndex: UInt8
    private let channels: UInt8

    /// Creates the header for a configuration, or nil if ADTS cannot represent it.
    init?(_ configuration: MPEG4AudioConfiguration) {
        guard 1...4 ~= configuration.objectType, configuration.rateIndex < 13, 1...7 ~= configuration.layout else {
            return nil
        }
        objectType = configuration.objectType
        rateIndex = configuration.rateIndex
        channels = configuration.layout
    }

    /// Returns the header for an access unit of `unit` octets, or nil if it is empty or too long.
    func octets(before unit: Int) -> [UInt8]? {
        guard 1...Self.longest ~= unit else { return nil }
        let length = unit + Self.length
        return [
            0xFF, 0xF1, (objectType - 1) << 6 | rateIndex << 2 | channels >> 2,
            (channels & 3) << 6 | UInt8(length >> 11), UInt8(length >> 3 & 0xFF), UInt8(length & 7) << 5 | 0x1F, 0xFC,
        ]
    }
}

extension AccessUnitHeaders {
    /// Returns the sizes of the access units in a payload, in order.
    static func sizes(_ bytes: RawSpan, _ fields: AccessUnitHeaderSizes) -> [Int] {
        guard fields.isPresent else {
            let size = fields.constantSize > 0 ? fields.constantSize : bytes.byteCount
            return size > 0 ? [Int](repeating: size, count: bytes.byteCount / size) : []
        }
        guard let length = bytes.uint16(at: 0) else { return [] }
        var bits = BitReader(bytes.clamped(2, 2 &+ (Int(length) &+ 7) / 8), bitCount: Int(length))
        var sizes: [Int] = []
        while bits.remaining > 0 {
            let left = bits.remaining
            guard let size = bits.read(fields.size),
                bits.read(sizes.isEmpty ? fields.index : fields.indexDelta) != nil,
                skip(fields.compositionDelta, &bits), skip(fields.decodingDelta, &bits),
                bits.read(fields.randomAccess ? 1 : 0) != nil, bits.read(fields.streamState) != nil,
                bits.remaining < left
            else { break }
            sizes.append(fields.size > 0 ? Int(size) : fields.constantSize)
        }
        return sizes
    }
}

/// Writes audio samples: PCMU and PCMA unchanged and L16 and L24 converted to little-endian, as WAV; G.722 unchanged,
/// without a file header.
struct SampleDepacketizer: Depacketizer {
    let fileExtension: String
    private(set) var framesIn = 0
    private(set) var framesOut = 0
    private let tag: UInt16
    private let bits: Int
    private let channels: Int
    private let rate: Int
    private var octets = 0

    /// Valid sampling rates of a file, in Hz; a description may contain any number.
    private static let rates = 1...1_000_000

    init?(_ format: MediaFormat) {
        guard let clock = format.clockRate, Self.rates ~= clock, 1...64 ~= format.channels else { return nil }
        (rate, channels) = (clock, format.channels)
        switch format.encoding.uppercased() {
        case "PCMA": (tag, bits, fileExtension) = (6, 8, "wav")
        case "PCMU": (tag, bits, fileExtension) = (7, 8, "wav")
        case "L8": (tag, bits, fileExtension) = (1, 8, "wav")
        case "L16": (tag, bits, fileExtension) = (1, 16, "wav")
        case "L24": (tag, bits, fileExtension) = (1, 24, "wav")
        case "G722": (tag, bits, fileExtension) = (0, 8, "g722")
        default: return nil
        }
    }

    mutating func take(_ packet: ExtractedPacket) -> [UInt8] {
        framesIn += 1
        guard !packet.isCut, !packet.payload.isEmpty else { return [] }
        let header = framesOut == 0 && tag != 0 ? fileHeader(octets: nil) : []
        framesOut += 1
        let size = bits / 8
        let whole = packet.payload.prefix(packet.payload.count / size * size)
        octets += whole.count
        guard size > 1 else { return header + whole }
        var swapped: [UInt8] = []
        swapped.reserveCapacity(whole.count)
        for start in stride(from: 0, to: whole.count, by: size) {
            for place in (0..<size).reversed() { swapped.append(whole[start + place]) }
        }
        return header + swapped
    }

    mutating func finish() -> [UInt8] { [] }

    /// Patches of the length fields in the header. If the file cannot be patched, the placeholder means "until end of
    /// file".
    var patches: [FilePatch] {
        framesOut > 0 && tag != 0 ? [FilePatch(offset: 0, octets: fileHeader(octets: octets))] : []
    }

    private func fileHeader(octets: Int?) -> [UInt8] {
        let data = octets.map { UInt32(clamping: $0) } ?? .max
        let unit = bits / 8 * channels
        let length: UInt32 = octets.map { UInt32(clamping: $0 + 36) } ?? .max
        let form = littleEndian(tag) + littleEndian(UInt16(channels)) + littleEndian(UInt32(clamping: rate))
        let size = littleEndian(UInt32(clamping: rate * unit)) + littleEndian(UInt16(clamping: unit))
        return Array("RIFF".utf8) + littleEndian(length) + Array("WAVEfmt ".utf8) + littleEndian(UInt32(16))
            + form + size + littleEndian(UInt16(bits)) + Array("data".utf8) + littleEndian(data)
    }
}

/// Writes Opus in Ogg (RFC 7845): one page each for the identification header, the tags and each packet.
struct OpusDepacketizer: Depacketizer {
    var fileExtension: String { "opus" }
    private(set) var framesIn = 0
    private(set) var framesOut = 0
    private let channels: UInt8
    private var page: UInt32 = 0
    private var first: UInt32?
    private var position: UInt64 = 0
    private var last: (packet: [UInt8], position: UInt64)?

    init(_ format: MediaFormat) {
        channels = format.parameter("sprop-stereo") == "1" || format.parameter("stereo") == "1" ? 2 : 1
    }

    mutating func take(_ packet: ExtractedPacket) -> [UInt8] {
        framesIn += 1
        guard !packet.isCut, let samples = Self.samples(packet.payload) else { return [] }
        var octets: [UInt8] = []
        if first == nil {
            first = packet.timestamp
            let head =
                Array("OpusHead".utf8) + [1, channels, 0, 0] + littleEndian(UInt32(48_000)) + [
                    0, 0, 0,
                ]
            let tags =
                Array("OpusTags".utf8) + littleEndian(UInt32(4)) + Array("weir".utf8) + [0, 0, 0, 0]
            octets += write(head, 0, flags: 2) + write(tags, 0, flags: 0)
        }
        octets += flush(isLast: false)
        // The granule position advances across missing packets.
        position = max(position, UInt64(packet.timestamp &- (first ?? 0))) &+ UInt64(samples)
        last = (packet.payload, position)
        return octets
    }

    mutating func finish() -> [UInt8] { flush(isLast: true) }

    private mutating func flush(isLast: Bool) -> [UInt8] {
        guard let last else { return [] }
        self.last = nil
        framesOut += 1
        return write(last.packet, last.position, flags: isLast ? 4 : 0)
    }

    /// Returns the samples of a packet at 48 kHz, from its TOC octet and frame count (RFC 6716).
    private static func samples(_ packet: [UInt8]) -> Int? {
        guard let first = packet.first else { return nil }
        let frame = OpusPacket.frameSamples(first)
        switch first & 3 {
        case 0: return frame
        case 1, 2: return frame * 2
        default: return packet.count > 1 ? frame * Int(packet[1] & 0x3F) : nil
        }
    }

    /// Returns an Ogg page (RFC 3533) with one packet.
    private mutating func write(_ packet: [UInt8], _ position: UInt64, flags: UInt8) -> [UInt8] {
        var laces = [UInt8](repeating: 255, count: packet.count / 255)
        laces.append(UInt8(packet.count % 255))
        guard laces.count <= 255 else { return [] }
        var octets =
            Array("OggS".utf8) + [0, flags] + littleEndian(position)
            + littleEndian(UInt32(0x5745_4952)) + littleEndian(page) + [0, 0, 0, 0]
            + [UInt8(laces.count)] + laces + packet
        page &+= 1
        let sum = littleEndian(CRC32.forward(octets, initial: 0))
        octets.replaceSubrange(22..<26, with: sum)
        return octets
    }
}
