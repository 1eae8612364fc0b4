import WeirPackets

/// Replaces what RTP and RTCP packets carry.
struct RTPRedactor {
    let media: MediaRedactor
    let text: TextRedactor
    /// The encodings of streams by SSRC and payload type, and by SSRC alone.
    let encodings: [UInt64: String]
    /// The SSRCs of streams that are encrypted.
    let encrypted: Set<UInt32>
    /// Packets that are protected with keys that the capture shows.
    let protected: ProtectedMedia

    /// Whether octets are RTP or RTCP: version 2 (RFC 3550 §5.1).
    static func accepts(_ octets: [UInt8], _ start: Int) -> Bool { (octets.byte(start) ?? 0) >> 6 == 2 }

    /// Returns the length of the header, with sources and extension (RFC 3550 §5.1, §5.3.1).
    static func headerLength(_ octets: [UInt8], _ start: Int) -> Int {
        let first = octets.byte(start) ?? 0
        let length = 12 + 4 * Int(first & 0xF)
        guard first & 0x10 != 0 else { return length }
        return length + 4 + 4 * Int(octets.uint16(start + length + 2) ?? 0)
    }

    /// Replaces the content of a packet. `isEncrypted` marks SRTP.
    func redact(_ octets: inout [UInt8], _ range: Range<Int>, isEncrypted: Bool, _ noise: Noise) {
        let start = range.lowerBound
        guard let first = octets.byte(start), let second = octets.byte(start + 1), range.count >= 8 else {
            return media.blank(&octets, range, noise)
        }
        let isProtected = protected.redact(&octets, range, header: Self.headerLength(octets, start)) {
            redact(&$0, 0..<$0.count, isEncrypted: false, noise)
        }
        guard !isProtected else { return }
        guard !(192...223).contains(second) else {
            // The sender of a report may have no stream: one encrypted stream tells of all.
            return control(&octets, range, isEncrypted: isEncrypted, noise)
        }
        guard range.count >= 12, let ssrc = octets.uint32(start + 8) else { return media.blank(&octets, range, noise) }
        let isEncrypted = isEncrypted || encrypted.contains(ssrc)
        let header = Self.headerLength(octets, start)
        var payload = min(range.upperBound, start + header)..<range.upperBound
        guard !isEncrypted else {
            // Where padding is counted, its count stays.
            let end = payload.upperBound - (first & 0x20 != 0 ? 1 : 0)
            return media.blank(&octets, payload.lowerBound..<max(payload.lowerBound, end), noise)
        }
        if first & 0x20 != 0, let padding = octets.byte(range.upperBound - 1), Int(padding) <= payload.count {
            payload = payload.lowerBound..<payload.upperBound - Int(padding)
        }
        let encoding = encodings[Self.key(ssrc, second & 0x7F)] ?? encodings[Self.key(ssrc, nil)]
        media.redact(&octets, payload, encoding: encoding ?? Self.fixed[second & 0x7F], noise)
    }

    /// The key of an encoding.
    static func key(_ ssrc: UInt32, _ payloadType: UInt8?) -> UInt64 {
        UInt64(ssrc) << 16 | UInt64(payloadType.map { UInt16($0) } ?? 0xFFFF)
    }

    /// Static payload types (RFC 3551 §6).
    private static let fixed: [UInt8: String] = [
        0: "PCMU", 3: "GSM", 8: "PCMA", 9: "G722", 10: "L16", 11: "L16", 13: "CN", 14: "MPA", 18: "G729", 26: "JPEG",
        33: "MP2T",
    ]

    /// Replaces the texts of source descriptions and application packets (RFC 3550 §6.5, §6.7).
    private func control(_ octets: inout [UInt8], _ range: Range<Int>, isEncrypted: Bool, _ noise: Noise) {
        guard !isEncrypted else {
            // The flag and index behind the report, and the tag (RFC 3711 §3.4).
            let start = range.lowerBound + 8
            return media.blank(&octets, start..<max(start, range.upperBound - 14), noise)
        }
        var place = range.lowerBound
        while let length = octets.uint16(place + 2), let type = octets.byte(place + 1), place + 4 <= range.upperBound {
            let end = min(range.upperBound, place + 4 + 4 * Int(length))
            switch type {
            case 202: descriptions(&octets, place + 4..<end, sources: (octets.byte(place) ?? 0) & 0x1F)
            // The reason of BYE is behind the sources, with its length.
            case 203: text.redactAll(&octets, min(end, place + 5 + 4 * Int((octets.byte(place) ?? 0) & 0x1F))..<end)
            // Those with numbers that are judged have known names.
            case 204 where !octets.part(place + 8, place + 12).elementsEqual(Array("RIST".utf8)):
                media.blank(&octets, min(end, place + 12)..<end, noise)
            default: break
            }
            place = end
        }
    }

    /// Replaces the items of a source description (RFC 3550 §6.5): chunks of an SSRC, and items with type and length.
    private func descriptions(_ octets: inout [UInt8], _ range: Range<Int>, sources: UInt8) {
        var place = range.lowerBound
        for _ in 0..<sources {
            place += 4
            while place < range.upperBound, let type = octets.byte(place), type != 0,
                let length = octets.byte(place + 1)
            {
                let end = min(range.upperBound, place + 2 + Int(length))
                text.redactAll(&octets, min(end, place + 2)..<end)
                place = end
            }
            // A chunk ends with zeros up to the next word.
            place = range.lowerBound + (place - range.lowerBound) / 4 * 4 + 4
        }
    }
}
