import WeirEngine
import WeirPackets

/// The descriptor of a VP8 payload (RFC 7741 §4.2), and what the payload header of a key frame says (§4.3).
package struct VP8Payload: Sendable, Hashable {
    /// Whether a frame begins here: the first partition's start.
    package let startsFrame: Bool
    /// Whether a partition begins here (S).
    package let startsPartition: Bool
    /// The partition that the first octet of the payload is of.
    package let partition: UInt8
    /// Whether that frame is a key frame.
    package let isKeyframe: Bool
    /// Whether a payload follows the descriptor.
    package let hasPayload: Bool
    /// Number of the picture, 7 or 15 bits; nil when the descriptor has none.
    package private(set) var pictureID: UInt16?
    /// Whether the number has 15 bits.
    package private(set) var hasLongPictureID = false
    /// Octets of the descriptor: the VP8 payload follows.
    package private(set) var descriptorLength = 1
    /// Width of the picture in pixels, in a key frame; 0 elsewhere.
    package private(set) var width = 0
    /// Height of the picture in pixels, in a key frame; 0 elsewhere.
    package private(set) var height = 0

    /// Reads the descriptor; nil when it does not fit the payload.
    @inline(__always)
    package init?(_ bytes: RawSpan) {
        guard let first = bytes.byte(at: 0) else { return nil }
        var offset = 1
        if first & 0x80 != 0 {
            // X: an octet that says which of PictureID, TL0PICIDX and TID/KEYIDX follow.
            guard let extensions = bytes.byte(at: 1) else { return nil }
            offset = 2
            if extensions & 0x80 != 0 {
                guard let picture = PictureNumber(bytes, at: offset) else { return nil }
                (pictureID, hasLongPictureID) = (picture.value, picture.isLong)
                offset &+= picture.octets
            }
            if extensions & 0x40 != 0 { offset &+= 1 }
            if extensions & 0x30 != 0 { offset &+= 1 }
            guard offset <= bytes.byteCount else { return nil }
        }
        descriptorLength = offset
        hasPayload = offset < bytes.byteCount
        // S is set and the partition index is 0 where a frame begins; the payload header's lowest bit is then 0 in a key
        // frame (RFC 7741 §4.3).
        startsFrame = first & 0x1F == 0x10
        startsPartition = first & 0x10 != 0
        partition = first & 7
        guard startsFrame, let header = bytes.byte(at: offset) else {
            isKeyframe = false
            return
        }
        isKeyframe = header & 1 == 0
        // The uncompressed data chunk of a key frame: three octets, a start code, and 14 bits each of width and height,
        // the low octet first (RFC 6386).
        guard isKeyframe, bytes.uint16(at: offset &+ 3) == 0x9D01, bytes.byte(at: offset &+ 5) == 0x2A,
            let across = bytes.uint16(at: offset &+ 6), let down = bytes.uint16(at: offset &+ 8)
        else { return }
        width = Int(across.byteSwapped & 0x3FFF)
        height = Int(down.byteSwapped & 0x3FFF)
    }
}

extension VP8Payload {
    /// The members that reports show under `payload`.
    var fields: [Field] {
        var fields = [
            Field("format", .string("VP8")), Field("startOfFrame", .bool(startsFrame)),
            Field("keyframe", .bool(isKeyframe)),
        ]
        fields.add("pictureId", pictureID.map(Int.init))
        return fields
    }
}
