import WeirPackets

/// Writes concatenated JPEG pictures (Motion JPEG), with the headers that RTP omits reconstructed (RFC 2435 §4,
/// appendix B).
struct JPEGDepacketizer: Depacketizer {
    var fileExtension: String { "mjpeg" }
    var gathersPictures: Bool { true }
    private(set) var framesIn = 0
    private(set) var framesOut = 0
    private var timestamp: UInt32?
    private var first: (header: JPEGPayload, tables: [UInt8])?
    private var scan: [UInt8] = []
    private var isDamaged = false
    private var isEnded = false
    /// Quantization tables of dynamic Q values, which need not be in every picture.
    private var tables: [UInt8: [UInt8]] = [:]

    mutating func take(_ packet: ExtractedPacket) -> [UInt8] {
        var written: [UInt8] = []
        if packet.timestamp != timestamp {
            written = flush()
            timestamp = packet.timestamp
        }
        guard !packet.isCut, let payload = JPEGPayload(packet.payload.rawSpan) else {
            isDamaged = true
            return written
        }
        if payload.offset == 0 {
            first = (payload, Array(packet.payload[payload.tables]))
        }
        if payload.offset != scan.count { isDamaged = true }
        scan += packet.payload.dropFirst(payload.dataOffset)
        if packet.marker { isEnded = true }
        return written
    }

    mutating func finish() -> [UInt8] { flush() }

    private mutating func flush() -> [UInt8] {
        defer {
            first = nil
            scan = []
            isDamaged = false
            isEnded = false
        }
        guard timestamp != nil else { return [] }
        framesIn += 1
        guard !isDamaged, isEnded, let first, let quantizers = quantizers(first.header, first.tables),
            first.header.type & 0x3F < 2, first.header.type < 128
        else { return [] }
        framesOut += 1
        return head(first.header, quantizers) + scan + (scan.suffix(2) == [0xFF, 0xD9] ? [] : [0xFF, 0xD9])
    }

    private mutating func quantizers(_ header: JPEGPayload, _ given: [UInt8]) -> [UInt8]? {
        guard header.quantization >= 128 else {
            return 1...99 ~= header.quantization ? JPEGTables.quantizers(header.quantization) : nil
        }
        if given.count == 128 { tables[header.quantization] = given }
        return given.count == 128 ? given : tables[header.quantization]
    }

    private func head(_ header: JPEGPayload, _ quantizers: [UInt8]) -> [UInt8] {
        func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
        var octets: [UInt8] = [0xFF, 0xD8]
        for table in 0..<2 {
            octets += [0xFF, 0xDB, 0, 67, UInt8(table)] + quantizers[(table * 64)..<(table * 64 + 64)]
        }
        if header.restartInterval > 0 { octets += [0xFF, 0xDD, 0, 4] + word(Int(header.restartInterval)) }
        // Type 0 has half the horizontal chroma resolution, type 1 also half the vertical one (§4.1).
        let sampling: UInt8 = header.type & 1 == 0 ? 0x21 : 0x22
        octets += [0xFF, 0xC0, 0, 17, 8] + word(header.height) + word(header.width)
        octets += [3, 0, sampling, 0, 1, 0x11, 1, 2, 0x11, 1]
        for (place, table) in [
            (UInt8(0x00), JPEGTables.lumaConstant), (0x10, JPEGTables.lumaOthers), (0x01, JPEGTables.chromaConstant),
            (0x11, JPEGTables.chromaOthers),
        ] {
            octets += [0xFF, 0xC4] + word(3 + table.lengths.count + table.symbols.count) + [place]
            octets += table.lengths + table.symbols
        }
        return octets + [0xFF, 0xDA, 0, 12, 3, 0, 0, 1, 0x11, 2, 0x11, 0, 63, 0]
    }
}
