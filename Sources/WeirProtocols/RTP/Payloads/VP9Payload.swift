import WeirEngine
import WeirPackets

/// The VP9 payload descriptor (RFC 9628).
package struct VP9Payload: Sendable, Hashable {
    /// Whether a layer frame begins here.
    package let startsFrame: Bool
    /// Whether a layer frame ends here.
    package let endsFrame: Bool
    /// Whether the frame is predicted from earlier ones.
    package let isPredicted: Bool
    /// Whether a payload follows the descriptor.
    package private(set) var hasPayload = false
    /// Whether layer indices are present.
    package let hasLayers: Bool
    /// Whether descriptor fields contradict each other.
    package private(set) var contradictsItself: Bool
    /// The PictureID, 7 or 15 bits, or nil if absent.
    package private(set) var pictureID: UInt16?
    /// Whether the PictureID has 15 bits.
    package private(set) var hasLongPictureID = false
    /// The spatial layer; 0 without layers.
    package private(set) var spatialLayer: UInt8 = 0
    /// Octets of the descriptor, before the VP9 payload.
    package private(set) var descriptorLength = 1
    /// Width of the highest layer in pixels, if in the scalability structure; otherwise 0.
    package private(set) var width = 0
    /// Height of the highest layer in pixels, if in the scalability structure; otherwise 0.
    package private(set) var height = 0

    /// Whether the frame header that begins here indicates a key frame, or nil if it cannot be parsed.
    private var headerIndicatesKeyFrame: Bool?

    /// Whether a key frame begins here, in the lowest layer. FFmpeg never sets the P bit, so the frame header decides.
    package var isKeyframe: Bool { startsFrame && spatialLayer == 0 && (headerIndicatesKeyFrame ?? !isPredicted) }

    /// Parses the descriptor, or returns nil if it does not fit the payload.
    package init?(_ bytes: RawSpan) {
        guard let first = bytes.byte(at: 0) else { return nil }
        isPredicted = first & 0x40 != 0
        startsFrame = first & 0x08 != 0
        endsFrame = first & 0x04 != 0
        var offset = 1
        if first & 0x80 != 0 {
            guard let picture = PictureNumber(bytes, at: offset) else { return nil }
            (pictureID, hasLongPictureID) = (picture.value, picture.isLong)
            offset &+= picture.octets
        }
        let isFlexible = first & 0x10 != 0
        // References are relative to the PictureID, which is therefore required.
        contradictsItself = isFlexible && first & 0x80 == 0
        hasLayers = first & 0x20 != 0
        if hasLayers {
            guard let layers = bytes.byte(at: offset) else { return nil }
            spatialLayer = layers >> 1 & 7
            // A frame without references is in the lowest temporal layer, and the lowest spatial layer has no
            // inter-layer prediction.
            if !isPredicted && layers >> 5 != 0 || spatialLayer == 0 && layers & 1 != 0 { contradictsItself = true }
            // In non-flexible mode TL0PICIDX follows.
            offset &+= isFlexible ? 1 : 2
        }
        if isFlexible, isPredicted {
            // Up to three reference indices; the lowest bit indicates another one.
            for place in 0..<3 {
                guard let reference = bytes.byte(at: offset) else { return nil }
                offset &+= 1
                if reference >> 1 == 0 { contradictsItself = true }
                if reference & 1 == 0 { break }
                if place == 2 { contradictsItself = true }
            }
        }
        if first & 0x02 != 0 {
            guard let end = readStructure(bytes, offset) else { return nil }
            offset = end
        }
        guard offset <= bytes.byteCount else { return nil }
        descriptorLength = offset
        hasPayload = offset < bytes.byteCount
        if startsFrame, let header = bytes.byte(at: offset) { headerIndicatesKeyFrame = Self.isKey(header) }
    }

    /// Parses the first octet of a frame header: a frame marker of 2, the profile, show_existing_frame, and the frame
    /// type, which is 0 for key frames. Profile 3 has one more bit.
    private static func isKey(_ header: UInt8) -> Bool? {
        guard header >> 6 == 2 else { return nil }
        return header & (header >> 4 & 3 == 3 ? 0b110 : 0b1100) == 0
    }

    /// Parses the scalability structure (layers, sizes, picture group) and returns its end.
    private mutating func readStructure(_ bytes: RawSpan, _ start: Int) -> Int? {
        guard let header = bytes.byte(at: start) else { return nil }
        var offset = start &+ 1
        if header & 0x10 != 0 {
            for _ in 0...(header >> 5) {
                guard let across = bytes.uint16(at: offset), let down = bytes.uint16(at: offset &+ 2) else {
                    return nil
                }
                width = Int(across)
                height = Int(down)
                offset &+= 4
            }
        }
        guard header & 0x08 != 0 else { return offset }
        guard let pictures = bytes.byte(at: offset) else { return nil }
        offset &+= 1
        for _ in 0..<pictures {
            guard let picture = bytes.byte(at: offset) else { return nil }
            offset &+= 1 &+ Int(picture >> 2 & 3)
        }
        return offset
    }
}

extension VP9Payload {
    /// The members of `payload` in reports.
    var fields: [Field] {
        var fields = [
            Field("format", .string("VP9")), Field("startOfFrame", .bool(startsFrame)),
            Field("endOfFrame", .bool(endsFrame)), Field("keyframe", .bool(isKeyframe)),
            Field("spatialLayer", .integer(Int(spatialLayer))),
        ]
        fields.add("pictureId", pictureID.map(Int.init))
        return fields
    }
}
