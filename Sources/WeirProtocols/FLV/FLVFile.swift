/// What stands around tags in an FLV file (FLV 10.1 §E.2, §E.3, §E.4).
enum FLVFile {
    /// Type of a tag with metadata; those of audio and video are RTMP's (RTMP §7.1.4, §7.1.5).
    static let metadata: UInt8 = 18

    /// The beginning of a file that holds sound, pictures or both.
    static func header(hasAudio: Bool, hasVideo: Bool) -> [UInt8] {
        [0x46, 0x4C, 0x56, 1, (hasAudio ? 4 : 0) | (hasVideo ? 1 : 0), 0, 0, 0, 9, 0, 0, 0, 0]
    }

    /// A tag with the size that follows it; nil when it is longer than a tag may be.
    static func tag(type: UInt8, timestamp: UInt32, _ body: [UInt8]) -> [UInt8]? {
        guard body.count <= 0xFF_FFFF - 11 else { return nil }
        let size = UInt32(body.count)
        // The lower 24 bits of the time, then the highest eight; the stream is always 0.
        let head: [UInt8] = [
            type, UInt8(truncatingIfNeeded: size >> 16), UInt8(truncatingIfNeeded: size >> 8),
            UInt8(truncatingIfNeeded: size), UInt8(truncatingIfNeeded: timestamp >> 16),
            UInt8(truncatingIfNeeded: timestamp >> 8), UInt8(truncatingIfNeeded: timestamp),
            UInt8(truncatingIfNeeded: timestamp >> 24), 0, 0, 0,
        ]
        let whole = size + 11
        return head + body + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: whole >> $0) }
    }
}
