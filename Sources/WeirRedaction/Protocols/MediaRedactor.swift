import WeirPackets

/// Replaces media content by noise, and keeps what tells its structure: headers of formats, parameter sets, the first octets of
/// pictures.
struct MediaRedactor {
    /// Whether media is kept.
    let isKept: Bool

    /// Replaces the octets of a range by noise.
    func blank(_ octets: inout [UInt8], _ range: Range<Int>, _ noise: Noise) {
        guard !isKept, range.lowerBound < range.upperBound else { return }
        noise.fill(&octets, range.clamped(to: 0..<octets.count))
    }

    /// Replaces the payload of an RTP packet of a format.
    func redact(_ octets: inout [UInt8], _ range: Range<Int>, encoding: String?, _ noise: Noise) {
        guard !isKept, !range.isEmpty else { return }
        let (start, end) = (range.lowerBound, range.upperBound)
        switch encoding?.uppercased() {
        case "H264", "H264-SVC": h264(&octets, range, noise)
        case "H265", "HEVC": h265(&octets, range, noise)
        case "MPEG4-GENERIC": blank(&octets, min(end, start + auHeaders(octets, start))..<end, noise)
        case "OPUS": blank(&octets, min(end, start + 2)..<end, noise)
        case "PCMU", "PCMA", "G722", "L16", "L24", "L8", "G726-32", "G726-16", "G726-24", "G726-40", "GSM", "G729",
            "SPEEX":
            blank(&octets, range, noise)
        case "MP2T": transport(&octets, range, noise)
        case "JPEG": jpeg(&octets, range, noise)
        case "MPA", "AC3", "EAC3": blank(&octets, min(end, start + 12)..<end, noise)
        case "VP8", "VP9", "AV1": blank(&octets, min(end, start + 32)..<end, noise)
        case "TELEPHONE-EVENT", "CN": break
        case "MP4V-ES", "MPV": startCodes(&octets, range, noise)
        case "RTX": blank(&octets, min(end, start + 34)..<end, noise)
        default: blank(&octets, min(end, start + 48)..<end, noise)
        }
    }

    // MARK: - NAL units

    /// Replaces a NAL unit of H.264.
    func h264Unit(_ octets: inout [UInt8], _ range: Range<Int>, _ noise: Noise) {
        guard let header = octets.byte(range.lowerBound) else { return }
        switch header & 0x1F {
        case 1...5, 19, 20: blank(&octets, min(range.upperBound, range.lowerBound + 10)..<range.upperBound, noise)
        case 6: blank(&octets, min(range.upperBound, range.lowerBound + 24)..<range.upperBound, noise)
        default: break
        }
    }

    private func h264(_ octets: inout [UInt8], _ range: Range<Int>, _ noise: Noise) {
        let (start, end) = (range.lowerBound, range.upperBound)
        guard let header = octets.byte(start) else { return }
        switch header & 0x1F {
        case 24, 25: units(&octets, (start + (header & 0x1F == 25 ? 3 : 1))..<end, noise, h264Unit)
        case 28, 29:
            let type = (octets.byte(start + 1) ?? 0)
            let skip = (header & 0x1F == 29 ? 4 : 2) + (type & 0x80 != 0 ? 9 : 0)
            if (1...6).contains(type & 0x1F) { blank(&octets, min(end, start + skip)..<end, noise) }
        default: h264Unit(&octets, range, noise)
        }
    }

    /// Replaces a NAL unit of H.265.
    func h265Unit(_ octets: inout [UInt8], _ range: Range<Int>, _ noise: Noise) {
        guard let header = octets.byte(range.lowerBound) else { return }
        let type = header >> 1 & 0x3F
        if type < 32 { blank(&octets, min(range.upperBound, range.lowerBound + 10)..<range.upperBound, noise) }
        if type == 39 || type == 40 {
            blank(&octets, min(range.upperBound, range.lowerBound + 24)..<range.upperBound, noise)
        }
    }

    private func h265(_ octets: inout [UInt8], _ range: Range<Int>, _ noise: Noise) {
        let (start, end) = (range.lowerBound, range.upperBound)
        guard let header = octets.byte(start) else { return }
        switch header >> 1 & 0x3F {
        case 48: units(&octets, (start + 2)..<end, noise, h265Unit)
        case 49:
            let type = octets.byte(start + 2) ?? 0
            if type & 0x3F < 32 { blank(&octets, min(end, start + (type & 0x80 != 0 ? 11 : 3))..<end, noise) }
        default: h265Unit(&octets, range, noise)
        }
    }

    /// Replaces units that follow their 16-bit lengths.
    private func units(
        _ octets: inout [UInt8], _ range: Range<Int>, _ noise: Noise,
        _ body: (inout [UInt8], Range<Int>, Noise) -> Void
    ) {
        var place = range.lowerBound
        while let length = octets.uint16(place), place + 2 < range.upperBound {
            let end = min(range.upperBound, place + 2 + Int(length))
            body(&octets, place + 2..<end, noise)
            place = end
        }
    }

    /// Replaces units that follow their 32-bit lengths, as in FLV.
    func lengthPrefixedUnits(_ octets: inout [UInt8], _ range: Range<Int>, isHEVC: Bool, _ noise: Noise) {
        var place = range.lowerBound
        while let length = octets.uint32(place), place + 4 < range.upperBound {
            let end = min(range.upperBound, place + 4 + Int(length))
            if isHEVC { h265Unit(&octets, place + 4..<end, noise) } else { h264Unit(&octets, place + 4..<end, noise) }
            place = end
        }
    }

    // MARK: - Other formats

    /// Replaces what follows the start codes of MPEG video, except for the octets right behind each.
    private func startCodes(_ octets: inout [UInt8], _ range: Range<Int>, _ noise: Noise) {
        var place = range.lowerBound
        var kept = place + 4
        while place < range.upperBound {
            if octets[place] == 0, octets.uint16(place + 1) == 1 {
                kept = place + 4 + (octets.byte(place + 3) == 0xB6 ? 2 : 64)
            }
            if place >= kept { octets[place] = noise[place] }
            place += 1
        }
    }

    /// Returns the length of the AU headers with their length (RFC 3640 §3.2.1), and of one octet behind them.
    private func auHeaders(_ octets: [UInt8], _ start: Int) -> Int {
        2 + (Int(octets.uint16(start) ?? 0) + 7) / 8
    }

    /// Keeps the header (RFC 2435 §3.1), the restart header and the quantization tables.
    private func jpeg(_ octets: inout [UInt8], _ range: Range<Int>, _ noise: Noise) {
        let start = range.lowerBound
        var skip = 8
        if let type = octets.byte(start + 4), type >= 64 { skip += 4 }
        let isFirst = octets.byte(start + 1) == 0 && octets.uint16(start + 2) == 0
        if isFirst, let quality = octets.byte(start + 5), quality >= 128 {
            skip += 4 + Int(octets.uint16(start + skip + 2) ?? 0)
        }
        blank(&octets, min(range.upperBound, start + skip)..<range.upperBound, noise)
    }

    /// The octets of a transport stream packet (ISO/IEC 13818-1 §2.4.3.2).
    private static let packet = 188
    /// Octets of a packet of which the analysis may read anything: the headers, and the beginning of an access unit.
    private static let read = 60

    /// Replaces the payload of transport stream packets (ISO/IEC 13818-1 §2.4.3.2), of which the first and the last may be cut; headers,
    /// adaptation fields, sections and PES headers are kept. Blanks all if there are none.
    func transport(_ octets: inout [UInt8], _ range: Range<Int>, _ noise: Noise) {
        guard let first = Self.firstPacket(octets, range) else { return blank(&octets, range, noise) }
        // The rest of a table ends with stuffing; of other packets, what may be read is kept.
        let isTable = first - range.lowerBound > 8 && octets[first - 8..<first].allSatisfy { $0 == 0xFF }
        if !isTable {
            let kept = max(0, Self.read - (Self.packet - (first - range.lowerBound)))
            blank(&octets, min(first, range.lowerBound + kept)..<first, noise)
        }
        var place = first
        while place < range.upperBound, octets[place] == 0x47 {
            packet(&octets, place..<min(range.upperBound, place + Self.packet), noise)
            place += Self.packet
        }
        blank(&octets, min(range.upperBound, place)..<range.upperBound, noise)
    }

    /// Returns the place of the first packet that is not cut: packets begin at a fixed distance with the same octet.
    private static func firstPacket(_ octets: [UInt8], _ range: Range<Int>) -> Int? {
        (range.lowerBound..<min(range.upperBound, range.lowerBound + packet)).first { start in
            octets[start] == 0x47 && (start == range.lowerBound || start + packet < range.upperBound)
                && stride(from: start, to: range.upperBound, by: packet).allSatisfy { octets[$0] == 0x47 }
        }
    }

    private func packet(_ octets: inout [UInt8], _ range: Range<Int>, _ noise: Noise) {
        let (place, end) = (range.lowerBound, range.upperBound)
        guard range.count > 4 else { return }
        let control = octets[place + 3]
        guard control & 0x10 != 0 else { return }
        var start = place + 4
        if control & 0x20 != 0 { start += 1 + Int(octets[start]) }
        guard start < end else { return }
        let isScrambled = control & 0xC0 != 0
        if octets[place + 1] & 0x40 != 0, !isScrambled {
            let isPES = octets[start] == 0 && octets.uint16(start + 1) == 1 && start + 2 < end
            // A section; or a PES header with the first octets of the access unit.
            guard isPES else { return }
            start += 9 + Int(octets.byte(start + 8) ?? 0) + 16
        } else if !isScrambled, isTable(octets, place) {
            return
        }
        blank(&octets, min(end, start)..<end, noise)
    }

    /// Whether a packet identifier is reserved for tables.
    private func isTable(_ octets: [UInt8], _ place: Int) -> Bool {
        Int(octets[place + 1] & 0x1F) << 8 | Int(octets[place + 2]) < 0x20
    }
}
