import WeirPackets

/// Replaces what the messages of one direction of an RTMP connection carry (RTMP 1.0 §5.3): texts of commands and data, content of
/// audio and video.
///
/// Behind a gap, it continues at the next chunk that begins a message like earlier ones.
struct RTMPRedactor {
    let media: MediaRedactor
    let text: TextRedactor
    private var streams: [Int: ChunkStream] = [:]
    private var chunkSize = 128

    init(media: MediaRedactor, text: TextRedactor) {
        self.media = media
        self.text = text
    }

    /// A chunk stream: the header that the next chunk may omit, and the message so far.
    private struct ChunkStream {
        var length = 0
        var type: UInt8 = 0
        var messageStream: UInt32 = 0
        /// The extended timestamp of the message, if it has one.
        var extended: UInt32?
        /// Where the octets of the message so far are.
        var parts: [Range<Int>] = []
        var received = 0
    }

    /// The handshake packets C0 and C1, C2 (RTMP 1.0 §5.2), which contain nothing but random numbers and digests.
    private static let handshake = 1 + 1_536 + 1_536
    /// Basic header, message header and extended timestamp.
    private static let longestHeader = 3 + 11 + 4
    private static let mostChunkStreams = 4_096
    private static let longestMessage = 1 << 24

    /// Replaces the content of contiguous octets; what is not a chunk is replaced by noise.
    ///
    /// - Parameter start: The place of the first octet in the connection's direction.
    mutating func redact(_ octets: inout [UInt8], start: Int, _ noise: Noise) {
        var place = max(0, Self.handshake - start)
        // Without the part with the message's beginning, there is nothing to continue.
        for number in streams.keys {
            streams[number]?.parts = []
            streams[number]?.received = 0
        }
        if start > Self.handshake || start < 0 {
            place = streams.isEmpty ? firstMessage(octets) : nextMessage(octets, 0)
            media.blank(&octets, 0..<place, noise)
        }
        while place < octets.count {
            if let next = chunk(&octets, place, noise) {
                place = next
                continue
            }
            guard octets.count - place > Self.longestHeader else { break }
            let next = nextMessage(octets, place + 1)
            media.blank(&octets, place..<next, noise)
            place = next
        }
        // A message that is not complete.
        for stream in streams.values where stream.received > 0 { finish(&octets, stream, noise) }
    }

    /// Reads a chunk. Returns the place behind it, or nil if it is not complete or not a chunk.
    private mutating func chunk(_ octets: inout [UInt8], _ start: Int, _ noise: Noise) -> Int? {
        var place = start
        guard let basic = octets.byte(place) else { return nil }
        place += 1
        var number = Int(basic & 0x3F)
        if number == 0 {
            guard let octet = octets.byte(place) else { return nil }
            number = Int(octet) + 64
            place += 1
        } else if number == 1 {
            guard let low = octets.byte(place), let high = octets.byte(place + 1) else { return nil }
            number = Int(high) << 8 | Int(low) + 64
            place += 2
        }
        let format = basic >> 6
        guard streams[number] != nil || streams.count < Self.mostChunkStreams else { return nil }
        var stream = streams[number] ?? ChunkStream()
        guard header(octets, format, &place, &stream) else { return nil }
        assumeSize(octets, place, stream.length - stream.received, number)
        let count = min(chunkSize, stream.length - stream.received)
        let end = min(octets.count, place + count)
        stream.parts.append(place..<end)
        stream.received += end - place
        guard place + count <= octets.count else {
            // Cut by the end of the stream.
            streams[number] = stream
            return octets.count
        }
        if stream.received >= stream.length {
            finish(&octets, stream, noise)
            control(octets, stream)
            stream.parts = []
            stream.received = 0
        }
        streams[number] = stream
        return place + count
    }

    /// Reads a message header (RTMP 1.0 §5.3.1.2) and the extended timestamp.
    private func header(_ octets: [UInt8], _ format: UInt8, _ place: inout Int, _ stream: inout ChunkStream) -> Bool {
        let count = [11, 7, 3, 0][Int(format)]
        guard place + count <= octets.count else { return false }
        if format < 3 {
            let isExtended = octets.part(place, place + 3).elementsEqual([0xFF, 0xFF, 0xFF])
            stream.extended = isExtended ? octets.uint32(place + count) : nil
            // A new message: what was not complete of the last one is given up.
            if stream.received > 0, stream.received < stream.length { return false }
        }
        if format < 2 {
            stream.length = Int(octets[place + 3]) << 16 | Int(octets[place + 4]) << 8 | Int(octets[place + 5])
            stream.type = octets[place + 6]
        }
        if format == 0 { stream.messageStream = octets.uint32(place + 7) ?? 0 }
        guard stream.length <= Self.longestMessage else { return false }
        place += count
        // Some peers repeat it in each chunk of the message, others do not.
        if let extended = stream.extended, format < 3 || octets.uint32(place) == extended { place += 4 }
        return place <= octets.count
    }

    /// Returns the place of the next chunk that begins a message of a known stream, with the same type, and is followed by another;
    /// else the end.
    private func nextMessage(_ octets: [UInt8], _ start: Int) -> Int {
        var place = max(0, start)
        while place < octets.count {
            if let end = likelyEnd(octets, place),
                end >= octets.count || likelyEnd(octets, end) != nil || octets[end] >> 6 == 3
            {
                return place
            }
            place += 1
        }
        return octets.count
    }

    private static let usualSizes = [128, 256, 512, 1_024, 4_000, 4_096, 8_192, 60_000, 65_536]

    /// Assumes a larger chunk size if a message goes on where a chunk would end: the size was not captured, or the peer does not
    /// keep to it.
    private mutating func assumeSize(_ octets: [UInt8], _ place: Int, _ length: Int, _ number: Int) {
        func continues(_ size: Int) -> Bool {
            octets.byte(place + size) == 0xC0 | UInt8(truncatingIfNeeded: number & 0x3F)
        }
        guard length > chunkSize, !continues(chunkSize), !isHeader(octets, place + chunkSize) else { return }
        let known = chunkSize
        let larger = Self.usualSizes.first { size in
            size > known && (length > size ? continues(size) : isHeader(octets, place + length))
        }
        chunkSize = larger ?? chunkSize
    }

    /// Returns the place of the first chunk in a capture that begins late: one that is followed by others with some chunk size.
    private mutating func firstMessage(_ octets: [UInt8]) -> Int {
        for place in octets.indices where Self.anyMessage(octets, place) != nil {
            for size in Self.usualSizes {
                guard let found = Self.anyMessage(octets, place) else { break }
                let end = place + found.header + min(found.length, size)
                let isContinued = found.length > size && octets.byte(end) == octets[place] & 0x3F | 0xC0
                guard isContinued || found.length <= size && Self.anyMessage(octets, end) != nil else { continue }
                chunkSize = size
                return place
            }
        }
        return octets.count
    }

    /// Whether a chunk that begins a message may be at a place: of a usual kind, or with the header of a known chunk stream.
    private func isHeader(_ octets: [UInt8], _ place: Int) -> Bool {
        guard let basic = octets.byte(place) else { return true }
        if basic >> 6 >= 2, let stream = streams[Int(basic & 0x3F)] { return stream.length > 0 }
        return Self.anyMessage(octets, place) != nil
    }

    /// Returns the lengths of the headers and of the message, if a chunk of a usual kind begins at a place.
    private static func anyMessage(_ octets: [UInt8], _ place: Int) -> (header: Int, length: Int)? {
        guard let basic = octets.byte(place), basic >> 6 < 2, basic & 0x3F >= 2, let high = octets.byte(place + 4),
            let low = octets.uint16(place + 5), let type = octets.byte(place + 7),
            [1, 3, 4, 5, 6, 8, 9, 18, 20].contains(type)
        else { return nil }
        let length = Int(high) << 16 | Int(low)
        guard (1..<1 << 20).contains(length) else { return nil }
        if basic >> 6 == 0 {
            guard let stream = octets.uint32(place + 8), stream & 0xFF_FFFF == 0, stream >> 24 < 32 else { return nil }
        }
        return (basic >> 6 == 0 ? 12 : 8, length)
    }

    /// Returns the end of the first chunk of a message like earlier ones, or nil.
    private func likelyEnd(_ octets: [UInt8], _ place: Int) -> Int? {
        guard let basic = octets.byte(place), basic >> 6 < 2, let stream = streams[Int(basic & 0x3F)],
            stream.length > 0,
            let high = octets.byte(place + 4), let low = octets.uint16(place + 5), octets.byte(place + 7) == stream.type
        else { return nil }
        let length = Int(high) << 16 | Int(low)
        guard length > 0, length < 1 << 20 else { return nil }
        if basic >> 6 == 0, octets.uint32(place + 8) != stream.messageStream { return nil }
        return place + (basic >> 6 == 0 ? 12 : 8) + min(length, chunkSize)
    }

    /// Follows Set Chunk Size and Abort (RTMP 1.0 §5.4.1, §5.4.2).
    private mutating func control(_ octets: [UInt8], _ stream: ChunkStream) {
        guard stream.type == 1 || stream.type == 2, let start = stream.parts.first?.lowerBound,
            let value = octets.uint32(start)
        else { return }
        if stream.type == 1 {
            chunkSize = max(1, Int(value & 0x7FFF_FFFF))
        } else {
            streams[Int(value)]?.parts = []
            streams[Int(value)]?.received = 0
        }
    }

    /// Replaces the content of a message.
    private func finish(_ octets: inout [UInt8], _ stream: ChunkStream, _ noise: Noise) {
        guard let first = stream.parts.first?.lowerBound, stream.received > 0 else { return }
        var payload = stream.parts.flatMap { octets[$0] }
        message(&payload, stream.type, Noise(seed: UInt64(noise[first]) << 32 ^ UInt64(first)))
        var place = 0
        for part in stream.parts {
            octets.put(payload[place..<place + part.count], at: part.lowerBound)
            place += part.count
        }
    }

    /// Replaces the content of a message by its type (RTMP 1.0 §7.1).
    func message(_ payload: inout [UInt8], _ type: UInt8, _ noise: Noise) {
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
