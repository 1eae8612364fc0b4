import WeirPackets

/// The framing of an Opus packet: its TOC octet and what follows from it (RFC 6716 §3.2).
struct OpusPacket {
    /// The clock rate of all Opus streams (RFC 7587 §4.1).
    static let clockRate = 48_000
    /// Maximum octets of a frame with implicit length (R2).
    private static let longestFrame = 1_275
    /// Samples in 120 ms, the longest packet (R5).
    private static let longest = 5_760

    /// Returns the samples per frame at 48 kHz, from the TOC octet (§3.1).
    static func frameSamples(_ first: UInt8) -> Int {
        switch (first >> 3, first >> 3 & 3) {
        case (0..<12, 3): 2_880
        case (0..<12, let size): 480 &<< Int(size)
        case (12..<16, let size): 480 &<< Int(size & 1)
        case (_, let size): 120 &<< Int(size)
        }
    }

    /// Returns the samples of a packet at 48 kHz, from its first octets; 0 if they are missing.
    static func samples(_ bytes: RawSpan) -> Int {
        guard let first = bytes.byte(at: 0) else { return 0 }
        switch first & 3 {
        case 0: return frameSamples(first)
        case 1, 2: return frameSamples(first) &* 2
        default: return frameSamples(first) &* Int((bytes.byte(at: 1) ?? 0) & 0x3F)
        }
    }

    /// Returns whether the packet is well-formed (§3.4); decoders discard it if not.
    static func isWellFormed(_ bytes: RawSpan) -> Bool {
        guard let first = bytes.byte(at: 0) else { return false }
        let count = bytes.byteCount
        switch first & 3 {
        case 0: return count &- 1 <= longestFrame
        case 1: return count & 1 == 1 && (count &- 1) / 2 <= longestFrame
        case 2:
            var offset = 1
            guard let length = length(bytes, &offset, count) else { return false }
            return count &- offset &- length <= longestFrame
        default: return hasFrames(bytes, frameSamples(first))
        }
    }

    /// Parses the length of a frame, in one or two octets; returns nil if the length or the frame does not fit before
    /// `end`.
    private static func length(_ bytes: RawSpan, _ offset: inout Int, _ end: Int) -> Int? {
        guard offset < end, let low = bytes.byte(at: offset) else { return nil }
        offset &+= 1
        var length = Int(low)
        if low >= 252 {
            guard offset < end, let high = bytes.byte(at: offset) else { return nil }
            offset &+= 1
            length &+= Int(high) &* 4
        }
        return length <= end &- offset ? length : nil
    }

    /// Returns whether the packet contains the number of frames in its second octet (§3.2.5).
    private static func hasFrames(_ bytes: RawSpan, _ samples: Int) -> Bool {
        guard let second = bytes.byte(at: 1) else { return false }
        let frames = Int(second & 0x3F)
        guard frames > 0, frames &* samples <= longest else { return false }
        var offset = 2
        var end = bytes.byteCount
        if second & 0x40 != 0 {
            while true {
                guard let padding = bytes.byte(at: offset) else { return false }
                offset &+= 1
                end &-= padding == 255 ? 254 : Int(padding)
                if padding < 255 { break }
            }
        }
        guard offset <= end else { return false }
        guard second & 0x80 != 0 else {
            return (end &- offset) % frames == 0 && (end &- offset) / frames <= longestFrame
        }
        // The last frame has no length field.
        var octets = 0
        for _ in 1..<frames {
            guard let length = length(bytes, &offset, end) else { return false }
            octets &+= length
        }
        return octets <= end &- offset && end &- offset &- octets <= longestFrame
    }
}
