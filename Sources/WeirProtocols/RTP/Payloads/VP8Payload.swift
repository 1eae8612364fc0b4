import WeirPackets

/// The descriptor of a VP8 payload (RFC 7741 §4.2), as far as it tells where frames begin.
public struct VP8Payload: Sendable, Hashable {
    /// Whether a frame begins here: the first partition's start.
    public let startsFrame: Bool
    /// Whether that frame is a key frame.
    public let isKeyframe: Bool

    /// Reads the descriptor; nil when it has too few octets.
    @inline(__always)
    public init?(_ bytes: RawSpan) {
        guard let first = bytes.byte(at: 0) else { return nil }
        var offset = 1
        if first & 0x80 != 0 {
            // X: an octet that says which of PictureID, TL0PICIDX and TID/KEYIDX follow.
            guard let extensions = bytes.byte(at: 1) else { return nil }
            offset = 2
            if extensions & 0x80 != 0 {
                guard let picture = bytes.byte(at: offset) else { return nil }
                offset &+= picture & 0x80 != 0 ? 2 : 1
            }
            if extensions & 0x40 != 0 { offset &+= 1 }
            if extensions & 0x30 != 0 { offset &+= 1 }
        }
        // S is set and the partition index is 0 where a frame begins; the payload header's lowest bit is then 0 in a key
        // frame (RFC 7741 §4.3).
        startsFrame = first & 0x1F == 0x10
        guard startsFrame, let header = bytes.byte(at: offset) else {
            isKeyframe = false
            return
        }
        isKeyframe = header & 1 == 0
    }
}
