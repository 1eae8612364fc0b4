import WeirPackets

/// Replaces the content of the frames of a WebSocket connection (RFC 6455 §5.2), below their masks.
struct WebSocketRedactor {
    let media: MediaRedactor

    /// A frame whose content can be replaced.
    private struct Frame {
        let range: Range<Int>
        let mask: [UInt8]
    }

    /// Replaces the content of frames from a place on. `body` gets the content of all data frames, one behind the other.
    func redact(_ octets: inout [UInt8], _ start: Int, _ noise: Noise, _ body: (inout [UInt8]) -> Void) {
        var frames: [Frame] = []
        var place = start
        while let first = octets.byte(place), let header = Header(octets, place) {
            let end = min(octets.count, place + header.count + header.length)
            let range = min(end, place + header.count)..<end
            // A compressed text cannot be replaced at its length: it is not passed.
            if first & 0x40 != 0 {
                media.blank(&octets, range, noise)
            } else if first & 0xF < 3 || first & 0xF == 9 {
                frames.append(Frame(range: range, mask: header.mask))
            }
            place = max(end, place + 2)
        }
        if place < octets.count { media.blank(&octets, place..<octets.count, noise) }
        var content = frames.flatMap { mixed(octets[$0.range], $0.mask) }
        body(&content)
        var offset = 0
        for frame in frames {
            octets.put(mixed(content[offset..<offset + frame.range.count], frame.mask), at: frame.range.lowerBound)
            offset += frame.range.count
        }
    }

    private func mixed(_ octets: ArraySlice<UInt8>, _ mask: [UInt8]) -> [UInt8] {
        guard mask.count == 4 else { return Array(octets) }
        return octets.enumerated().map { $1 ^ mask[$0 & 3] }
    }

    /// The header of a frame.
    private struct Header {
        var count = 2
        var length: Int
        var mask: [UInt8] = []

        init?(_ octets: [UInt8], _ place: Int) {
            guard let second = octets.byte(place + 1) else { return nil }
            length = Int(second & 0x7F)
            if length == 126 {
                length = Int(octets.uint16(place + 2) ?? 0)
                count = 4
            } else if length == 127 {
                guard octets.uint32(place + 2) == 0, let low = octets.uint32(place + 6) else { return nil }
                length = Int(low)
                count = 10
            }
            guard second & 0x80 != 0 else { return }
            mask = Array(octets.part(place + count, place + count + 4))
            count += 4
        }
    }
}

extension ASCII {
    /// Whether an octet is a space, a tab or part of a line end.
    static func isBlank(_ octet: UInt8) -> Bool {
        octet == space || octet == tab || octet == lineFeed || octet == carriageReturn
    }
}
