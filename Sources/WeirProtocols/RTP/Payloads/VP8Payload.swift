import WeirEngine
import WeirPackets

/// The VP8 payload descriptor (RFC 7741 §4.2), with fields of the payload header of a key frame (§4.3).
package struct VP8Payload: Sendable, Hashable {
    /// Whether a frame begins here: the first partition's start.
    package let startsFrame: Bool
    /// Whether a partition begins here (S).
    package let startsPartition: Bool
    /// The partition index (PID).
    package let partition: UInt8
    /// Whether that frame is a key frame.
    package let isKeyframe: Bool
    /// Whether a payload follows the descriptor.
    package let hasPayload: Bool
    /// The PictureID, 7 or 15 bits, or nil if absent.
    package private(set) var pictureID: UInt16?
    /// Whether the PictureID has 15 bits.
    package private(set) var hasLongPictureID = false
    /// Octets of the descriptor, before the VP8 payload.
    package private(set) var descriptorLength = 1
    /// Picture width in pixels, in a key frame; otherwise 0.
    package private(set) var width = 0
    /// Picture height in pixels, in a key frame; otherwise 0.
    package private(set) var height = 0

    /// Parses the descriptor, or returns nil if it does not fit the payload.
    @inline(__always)
    package init?(_ bytes: RawSpan) {
        guard let first = bytes.byte(at: 0) else { return nil }
        var offset = 1
        if first & 0x80 != 0 {
            // X: an octet with the presence bits of PictureID, TL0PICIDX and TID/KEYIDX.
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
        // A frame begins where S is set and the partition index is 0; the lowest bit of the payload header is then 0 in
        // a key frame (RFC 7741 §4.3).
        startsFrame = first & 0x1F == 0x10
        startsPartition = first & 0x10 != 0
        partition = first & 7
        guard startsFrame, let header = bytes.byte(at: offset) else {
            isKeyframe = false
            return
        }
        isKeyframe = header & 1 == 0
        // The uncompressed data chunk of a key frame: three octets, a start code, and 14 bits each of width and height,
        // little-endian (RFC 6386).
        guard isKeyframe, bytes.uint16(at: offset &+ 3) == 0x9D01, bytes.byte(at: offset &+ 5) == 0x2A,
            let across = bytes.uint16(at: offset &+ 6), let down = bytes.uint16(at: offset &+ 8)
        else { return }
        width = Int(across.byteSwapped & 0x3FFF)
        height = Int(down.byteSwapped & 0x3FFF)
    }
}

extension VP8Payload {
    /// The members of `payload` in reports.
    var fields: [Field] {
        var fields = [
            Field("format", .string("VP8")), Field("startOfFrame", .bool(startsFrame)),
            Field("keyframe", .bool(isKeyframe)),
        ]
        fields.add("pictureId", pictureID.map(Int.init))
        return fields
    }
}
