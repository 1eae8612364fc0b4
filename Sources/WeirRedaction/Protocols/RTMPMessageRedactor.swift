import WeirPackets

/// Replaces the content of RTMP messages: texts, audio and video tags.
struct RTMPMessageRedactor {
    let media: MediaRedactor
    let text: TextRedactor

    /// Replaces the content of a message by its type (RTMP 1.0 §7.1).
    func redact(_ payload: inout [UInt8], _ type: UInt8, _ noise: Noise) {
        switch type {
        case 8: audio(&payload, 0..<payload.count, noise)
        case 9: video(&payload, 0..<payload.count, noise)
        case 15...20: text.redact(&payload)
        case 22: aggregate(&payload, noise)
        default: break
        }
    }

    /// Replaces the content of an audio tag (FLV 10.1 §E.4.2): sequence headers are kept.
    func audio(_ octets: inout [UInt8], _ range: Range<Int>, _ noise: Noise) {
        let start = range.lowerBound
        guard let header = octets.byte(start) else { return }
        switch header >> 4 {
        case 10:
            if octets.byte(start + 1) == 1 {
                media.blank(&octets, min(range.upperBound, start + 2)..<range.upperBound, noise)
            }
        case 9:
            if header & 0xF == 1 { media.blank(&octets, min(range.upperBound, start + 24)..<range.upperBound, noise) }
        case 2, 14: media.blank(&octets, min(range.upperBound, start + 5)..<range.upperBound, noise)
        default: media.blank(&octets, min(range.upperBound, start + 1)..<range.upperBound, noise)
        }
    }

    /// Replaces the content of a video tag (FLV 10.1 §E.4.3): sequence headers and the heads of NAL units are kept.
    func video(_ octets: inout [UInt8], _ range: Range<Int>, _ noise: Noise) {
        let (start, end) = (range.lowerBound, range.upperBound)
        guard let header = octets.byte(start) else { return }
        if header & 0x80 != 0 {
            // Enhanced RTMP: a packet type and a FourCC.
            if header & 0xF == 6 {
                tracks(&octets, range, noise)
            } else {
                coded(&octets, start + 1..<end, header & 0xF, noise)
            }
        } else if header & 0xF == 7 || header & 0xF == 12 {
            if octets.byte(start + 1) == 1 {
                media.lengthPrefixedUnits(&octets, min(end, start + 5)..<end, isHEVC: header & 0xF == 12, noise)
            }
        } else if header >> 4 != 5 {
            media.blank(&octets, min(end, start + 10)..<end, noise)
        }
    }

    /// Replaces the content of a packet of Enhanced RTMP from its FourCC on.
    private func coded(_ octets: inout [UInt8], _ range: Range<Int>, _ packetType: UInt8, _ noise: Noise) {
        let end = range.upperBound
        let codec = octets.part(range.lowerBound, range.lowerBound + 4)
        let body = min(end, range.lowerBound + 4)
        let isHEVC = codec.elementsEqual(Array("hvc1".utf8))
        let hasUnits = isHEVC || codec.elementsEqual(Array("avc1".utf8))
        switch packetType {
        case 1 where hasUnits: media.lengthPrefixedUnits(&octets, min(end, body + 3)..<end, isHEVC: isHEVC, noise)
        case 3 where hasUnits: media.lengthPrefixedUnits(&octets, body..<end, isHEVC: isHEVC, noise)
        case 1, 3: media.blank(&octets, min(end, body + 35)..<end, noise)
        case 4: text.redact(&octets, body..<end)
        default: break
        }
    }

    /// Replaces the content of a multitrack packet: per track an id, and a size and a FourCC of its own where they differ.
    private func tracks(_ octets: inout [UInt8], _ range: Range<Int>, _ noise: Noise) {
        guard let kind = octets.byte(range.lowerBound + 1) else { return }
        let (layout, packetType) = (kind >> 4, kind & 0xF)
        var place = range.lowerBound + 2
        var codec = Array(octets.part(place, place + 4))
        if layout != 2 { place += 4 }
        while place < range.upperBound {
            if layout == 2 {
                codec = Array(octets.part(place, place + 4))
                place += 4
            }
            place += 1
            var end = range.upperBound
            if layout != 0, let high = octets.byte(place), let low = octets.uint16(place + 1) {
                place += 3
                end = min(end, place + (Int(high) << 16 | Int(low)))
            }
            guard place < end else { return }
            var track = codec + octets[place..<end]
            coded(&track, 0..<track.count, packetType, noise)
            octets.put(track.dropFirst(codec.count), at: place)
            place = end
        }
    }

    /// Replaces the content of the tags of an aggregate message (RTMP 1.0 §7.1.6).
    private func aggregate(_ octets: inout [UInt8], _ noise: Noise) {
        var place = 0
        while let type = octets.byte(place), let high = octets.byte(place + 1), let low = octets.uint16(place + 2) {
            let start = place + 11
            let end = min(octets.count, start + (Int(high) << 16 | Int(low)))
            guard start <= end else { return }
            if type == 8 { audio(&octets, start..<end, noise) }
            if type == 9 { video(&octets, start..<end, noise) }
            if type == 18 { text.redact(&octets, start..<end) }
            place = end + 4
        }
    }
}
