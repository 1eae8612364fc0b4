internal import WeirPackets

/// Finds a chunk in the middle of a stream, with little room for mistake: a wrong one would make garbage of all that
/// follows, so rather none is found.
enum RTMPResynchronisation {
    /// Octets that are searched before the older half is given up.
    static let window = 128 * 1_024

    /// The first offset at or after `start` where two chunks in a row begin messages, or continue one.
    static func find(_ bytes: RawSpan, from start: Int, _ side: RTMPSide) -> Int? {
        var offset = start
        while offset &+ 12 <= bytes.byteCount {
            if isFullHeader(bytes, at: offset), isFollowed(bytes, offset, side) { return offset }
            offset &+= 1
        }
        return nil
    }

    /// Whether a header of type 0 with a known message type and what belongs to that type begins here.
    static func isFullHeader(_ bytes: RawSpan, at offset: Int) -> Bool {
        guard let basic = bytes.byte(at: offset), basic >> 6 == 0, basic >= 2, bytes.byte(at: offset &+ 11) == 0,
            let type = bytes.byte(at: offset &+ 7), let high = bytes.byte(at: offset &+ 4),
            let low = bytes.uint16(at: offset &+ 5), let stream = bytes.byte(at: offset &+ 8),
            let middle = bytes.uint16(at: offset &+ 9), middle == 0
        else { return false }
        let length = Int(high) << 16 | Int(low)
        switch type {
        case 1, 2, 3, 5: return length == 4 && stream == 0 && basic == 2
        case 6: return length == 5 && stream == 0 && basic == 2
        case 4: return (6...10).contains(length) && stream == 0 && basic == 2
        case 17, 20, 18: return length > 3 && length < 1 << 20 && beginsWithName(bytes, offset &+ 12)
        case 8, 9: return length > 1 && stream != 0 && basic > 2
        default: return false
        }
    }

    /// Whether an AMF0 string of printable characters is here, as at the beginning of commands.
    private static func beginsWithName(_ bytes: RawSpan, _ start: Int) -> Bool {
        let marker = bytes.byte(at: start) == 0 ? start &+ 1 : start
        guard bytes.byte(at: marker) == 2, let length = bytes.uint16(at: marker &+ 1), (2...64).contains(length) else {
            return false
        }
        for index in 0..<Int(length) {
            guard let octet = bytes.byte(at: marker &+ 3 &+ index), (0x21...0x7E).contains(octet) else { return false }
        }
        return true
    }

    /// Whether the chunk that begins at `offset` ends where another one begins.
    private static func isFollowed(_ bytes: RawSpan, _ offset: Int, _ side: RTMPSide) -> Bool {
        guard let basic = bytes.byte(at: offset), let high = bytes.byte(at: offset &+ 4),
            let low = bytes.uint16(at: offset &+ 5)
        else { return false }
        let length = Int(high) << 16 | Int(low)
        let next = offset &+ 12 &+ min(length, side.chunkSize)
        guard let following = bytes.byte(at: next) else { return false }
        if length > side.chunkSize { return following == 0xC0 | basic }
        return isFullHeader(bytes, at: next) || (following >> 6 == 1 && following & 0x3F == basic)
    }
}
