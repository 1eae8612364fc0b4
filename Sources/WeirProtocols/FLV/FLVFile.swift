/// The structure of an FLV file around its tags (FLV 10.1 §E.2, §E.3, §E.4).
enum FLVFile {
    /// The metadata tag type; those of audio and video are the RTMP message types (RTMP §7.1.4, §7.1.5).
    static let metadata: UInt8 = 18

    /// Returns the header of a file with audio, video or both.
    static func header(hasAudio: Bool, hasVideo: Bool) -> [UInt8] {
        [0x46, 0x4C, 0x56, 1, (hasAudio ? 4 : 0) | (hasVideo ? 1 : 0), 0, 0, 0, 9, 0, 0, 0, 0]
    }

    /// Returns a tag followed by its size, or nil if it exceeds the maximum tag size.
    static func tag(type: UInt8, timestamp: UInt32, _ body: [UInt8]) -> [UInt8]? {
        guard body.count <= 0xFF_FFFF - 11 else { return nil }
        let size = UInt32(body.count)
        // The lower 24 bits of the timestamp precede the upper eight; the stream ID is always 0.
        let head: [UInt8] = [
            type, UInt8(truncatingIfNeeded: size >> 16), UInt8(truncatingIfNeeded: size >> 8),
            UInt8(truncatingIfNeeded: size), UInt8(truncatingIfNeeded: timestamp >> 16),
            UInt8(truncatingIfNeeded: timestamp >> 8), UInt8(truncatingIfNeeded: timestamp),
            UInt8(truncatingIfNeeded: timestamp >> 24), 0, 0, 0,
        ]
        let whole = size + 11
        return head + body + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: whole >> $0) }
    }

    /// The octets of a tag that contain its timestamp.
    static let timestamp = 4..<8
}
