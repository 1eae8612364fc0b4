import WeirEngine
import WeirPackets

/// The descriptor of a VP9 payload (RFC 9628).
package struct VP9Payload: Sendable, Hashable {
    /// Whether a frame of a layer begins here.
    package let startsFrame: Bool
    /// Whether a frame of a layer ends here.
    package let endsFrame: Bool
    /// Whether the frame is predicted from earlier ones.
    package let isPredicted: Bool
    /// Whether a payload follows the descriptor.
    package private(set) var hasPayload = false
    /// Whether the packet says of which layers it is.
    package let hasLayers: Bool
    /// Whether fields of the descriptor contradict each other.
    package private(set) var contradictsItself: Bool
    /// Number of the picture, 7 or 15 bits; nil when the descriptor has none.
    package private(set) var pictureID: UInt16?
    /// Whether the number has 15 bits.
    package private(set) var hasLongPictureID = false
    /// The spatial layer; 0 without layers.
    package private(set) var spatialLayer: UInt8 = 0
    /// Octets of the descriptor: the VP9 payload follows.
    package private(set) var descriptorLength = 1
    /// Width of the highest layer in pixels, where the scalability structure says it; 0 elsewhere.
    package private(set) var width = 0
    /// Height of the highest layer in pixels, where the scalability structure says it; 0 elsewhere.
    package private(set) var height = 0

    /// Whether the frame that begins here calls itself a key frame; nil where its header cannot be read.
    private var callsItselfKey: Bool?

    /// Whether a key frame begins here, in the lowest layer. Descriptors of FFmpeg say of no frame that others predict it: the
    /// frame's own header decides.
    package var isKeyframe: Bool { startsFrame && spatialLayer == 0 && (callsItselfKey ?? !isPredicted) }

    /// Reads the descriptor; nil when it does not fit the payload.
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
        // References count from the PictureID, which is there, then.
        contradictsItself = isFlexible && first & 0x80 == 0
        hasLayers = first & 0x20 != 0
        if hasLayers {
            guard let layers = bytes.byte(at: offset) else { return nil }
            spatialLayer = layers >> 1 & 7
            // What refers to no other picture is of the lowest temporal layer, and the lowest spatial layer refers to no other.
            if !isPredicted && layers >> 5 != 0 || spatialLayer == 0 && layers & 1 != 0 { contradictsItself = true }
            // Without the flexible mode TL0PICIDX follows.
            offset &+= isFlexible ? 1 : 2
        }
        if isFlexible, isPredicted {
            // Up to three differences to the pictures referred to; the lowest bit says that another follows.
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
        if startsFrame, let header = bytes.byte(at: offset) { callsItselfKey = Self.isKey(header) }
    }

    /// What the first octet of a frame says: its marker is 2, then come the profile, whether an earlier frame is only shown, and the
    /// type, which is 0 for key frames. Profile 3 has a bit more.
    private static func isKey(_ header: UInt8) -> Bool? {
        guard header >> 6 == 2 else { return nil }
        return header & (header >> 4 & 3 == 3 ? 0b110 : 0b1100) == 0
    }

    /// The scalability structure: how many layers, their sizes, and a group of pictures; returns where it ends.
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
    /// The members that reports show under `payload`.
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
