import WeirPackets

/// How the analysis found one direction of an RTMP connection to begin.
struct RTMPStart {
    /// The chunk size of its first message.
    let chunkSize: Int
    /// Whether the connection's handshake is in the capture.
    let hasHandshake: Bool
}

/// Replaces what the messages of one direction of an RTMP connection carry (RTMP 1.0 §5.3): texts of commands and data, content of
/// audio and video.
///
/// Behind a gap, it continues at the next chunk that begins a message like earlier ones.
struct RTMPRedactor {
    let media: MediaRedactor
    let text: TextRedactor
    private var streams: [Int: ChunkStream] = [:]
    private var chunkSize = 128
    /// The size of chunks at a late start; nil if the analysis found none.
    private let lateSize: Int?
    private let hasHandshake: Bool
    /// The chunk that the last octets did not complete, and how many it lacks.
    private var open: (number: Int, left: Int)?
    /// The place behind the last octets.
    private var end = 0

    init(media: MediaRedactor, text: TextRedactor, start: RTMPStart?) {
        self.media = media
        self.text = text
        lateSize = start?.chunkSize
        hasHandshake = start?.hasHandshake ?? true
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
        /// Whether the beginning of the message is before a gap.
        var lacksStart = false

        mutating func endMessage() {
            parts = []
            received = 0
            lacksStart = false
        }
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
        let noise = noise.avoidingChunks
        let handshake = hasHandshake ? Self.handshake : 0
        let interrupted = open
        open = nil
        var place = max(0, handshake - start)
        for (number, stream) in streams {
            streams[number]?.parts = []
            streams[number]?.lacksStart = stream.received > 0
        }
        if start > handshake || start < 0 || !hasHandshake {
            if let end = goOn(&octets, start, interrupted, noise) {
                place = end
            } else {
                // Without the part with the message's beginning, there is nothing to continue.
                for number in streams.keys { streams[number]?.endMessage() }
                place = streams.isEmpty ? firstMessage(octets) : nextMessage(octets, 0)
                media.blank(&octets, 0..<place, noise)
            }
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
        for stream in streams.values where !stream.parts.isEmpty { finish(&octets, stream, noise) }
        end = start + octets.count
    }

    /// Goes on behind a gap in the message before it: returns the place behind the chunk in which the gap ends, or nil if it ends
    /// anywhere else.
    private mutating func goOn(
        _ octets: inout [UInt8], _ start: Int, _ open: (number: Int, left: Int)?, _ noise: Noise
    ) -> Int? {
        guard let open, var stream = streams[open.number], start >= end, start - end <= Self.longestMessage else {
            return nil
        }
        var gap = start - end
        var left = open.left
        while gap > left {
            gap -= left
            stream.received += left
            // Where other messages may come, nothing is known.
            guard stream.received < stream.length, open.number < 64 else { return nil }
            gap -= stream.extended == nil ? 1 : 5
            left = min(chunkSize, stream.length - stream.received)
            guard gap >= 0 else { return nil }
        }
        let count = min(left - gap, octets.count)
        stream.received += gap + count
        stream.lacksStart = true
        stream.parts = [0..<count]
        if count < left - gap { self.open = (open.number, left - gap - count) }
        if stream.received >= stream.length {
            finish(&octets, stream, noise)
            stream.endMessage()
        }
        streams[open.number] = stream
        return count
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
            // Cut by the end of the stream, or by a gap.
            streams[number] = stream
            open = (number, place + count - end)
            return octets.count
        }
        if stream.received >= stream.length {
            finish(&octets, stream, noise)
            control(octets, stream)
            stream.endMessage()
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
        // A segment often begins with a message, which a short snap length cuts.
        if place == 0, let found = Self.anyMessage(octets, 0) {
            let end = found.header + min(found.length, chunkSize)
            if end >= octets.count || Self.anyMessage(octets, end) != nil { return 0 }
        }
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
            for size in lateSize.map({ [$0] }) ?? Self.usualSizes {
                guard let found = Self.anyMessage(octets, place) else { break }
                let end = place + found.header + min(found.length, size)
                let isContinued = found.length > size && octets.byte(end) == octets[place] & 0x3F | 0xC0
                guard
                    isContinued || found.length <= size && (end == octets.count || Self.anyMessage(octets, end) != nil)
                else { continue }
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
        let noise = Noise(seed: UInt64(noise[first]) << 32 ^ UInt64(first), avoidsChunks: true)
        if stream.lacksStart, stream.type == 8 || stream.type == 9 {
            media.blank(&payload, 0..<payload.count, noise)
        } else {
            RTMPMessageRedactor(media: media, text: text).redact(&payload, stream.type, noise)
        }
        var place = 0
        for part in stream.parts {
            octets.put(payload[place..<place + part.count], at: part.lowerBound)
            place += part.count
        }
    }
}
