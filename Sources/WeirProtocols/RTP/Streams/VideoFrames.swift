import WeirPackets

/// Tracks the pictures of one stream of VP8, VP9, AV1, H.266, MPEG-4 Visual or JPEG: key frames, sizes, and violations
/// of the payload formats.
package struct VideoFrames: Sendable {
    /// Faults of the last packet.
    package private(set) var faults: PacketFaults = []
    /// Width of the last key frame in pixels; 0 while unknown.
    package private(set) var width = 0
    /// Height of the last key frame in pixels; 0 while unknown.
    package private(set) var height = 0
    /// The MPEG-4 Visual configuration in the stream, or nil if there is none.
    private(set) var configuration: MPEG4VideoConfiguration?
    /// The frame with that configuration.
    private(set) var configurationFrame = 0
    private var keyframeTimestamp: UInt32?
    private var pictureID: UInt16?
    /// The VP8 partition of the last packet, unless its frame ended there.
    private var openPartition: UInt8?
    /// Whether the last packet left a VP9 frame or AV1 OBU incomplete, or nil if unknown.
    private var isOpen: Bool?
    /// Whether VP9 packets have layer indices.
    private var hasLayers = false
    /// The offset of the next fragment of a JPEG picture, and the main header that it must repeat.
    private var nextOffset: Int?
    private var constant: UInt64?

    /// Creates a tracker without packets.
    package init() {}

    /// Processes a packet that is not a duplicate.
    ///
    /// - Returns: whether a random access picture begins, once per picture.
    package mutating func observe(_ bytes: RawSpan, _ format: RTPPayloadFormat, _ order: PacketOrder) -> Bool {
        faults = []
        let isKeyframe: Bool
        switch format {
        case .vp8: isKeyframe = observeVP8(bytes, order)
        case .vp9: isKeyframe = observeVP9(bytes, order)
        case .av1: isKeyframe = observeAV1(bytes, order)
        case .mpeg4Video: isKeyframe = observeMPEG4(bytes, order)
        case .h266: isKeyframe = H266Payload(bytes)?.holdsRandomAccess ?? false
        case .jpeg:
            observeJPEG(bytes, order)
            // Every JPEG picture is a key frame, so none is reported.
            isKeyframe = false
        default: isKeyframe = false
        }
        guard isKeyframe, keyframeTimestamp != order.timestamp else { return false }
        keyframeTimestamp = order.timestamp
        return true
    }

    private mutating func observeVP8(_ bytes: RawSpan, _ order: PacketOrder) -> Bool {
        guard let payload = VP8Payload(bytes) else {
            if order.isWhole { faults.insert(.descriptor) }
            openPartition = nil
            return false
        }
        if !payload.hasPayload, order.isWhole { faults.insert(.descriptor) }
        if order.isTorn, !payload.startsFrame {
            faults.insert(.unitTimestamps)
        } else if order.isNext {
            if order.isNewUnit, !payload.startsPartition { faults.insert(.frameStart) }
            if !order.isNewUnit, payload.startsPartition, payload.partition == openPartition {
                faults.insert(.frameStartAgain)
            }
        }
        // After the marker another frame begins, whatever its timestamp.
        openPartition = order.marker ? nil : payload.partition
        follow(payload.pictureID, payload.hasLongPictureID, isNew: order.isNewUnit, order)
        if payload.isKeyframe, payload.width > 0 { (width, height) = (payload.width, payload.height) }
        return payload.isKeyframe
    }

    private mutating func observeVP9(_ bytes: RawSpan, _ order: PacketOrder) -> Bool {
        guard let payload = VP9Payload(bytes) else {
            if order.isWhole { faults.insert(.descriptor) }
            isOpen = nil
            return false
        }
        if !payload.hasPayload, order.isWhole { faults.insert(.descriptor) }
        if payload.contradictsItself { faults.insert(.descriptorFields) }
        if order.isTorn, !payload.startsFrame {
            faults.insert(.unitTimestamps)
        } else if order.isNext, let isOpen {
            if !payload.startsFrame, order.isNewUnit || !isOpen { faults.insert(.frameStart) }
            if payload.startsFrame, isOpen { faults.insert(.frameStartAgain) }
        }
        isOpen = !payload.endsFrame
        if payload.hasLayers { hasLayers = true }
        follow(payload, order)
        if payload.width > 0 { (width, height) = (payload.width, payload.height) }
        return payload.isKeyframe
    }

    private mutating func observeAV1(_ bytes: RawSpan, _ order: PacketOrder) -> Bool {
        guard let payload = AV1Payload(bytes) else { return false }
        if !payload.addsUp, order.isWhole { faults.insert(.descriptor) }
        if payload.startsSequence, payload.continuesUnit { faults.insert(.descriptorFields) }
        if order.isTorn, payload.continuesUnit {
            faults.insert(.unitTimestamps)
        } else if order.isNext, let isOpen, isOpen != payload.continuesUnit {
            faults.insert(isOpen ? .fragmentWithoutEnd : .fragmentWithoutStart)
        }
        isOpen = payload.isContinued
        return payload.startsSequence
    }

    private mutating func observeMPEG4(_ bytes: RawSpan, _ order: PacketOrder) -> Bool {
        guard let payload = MPEG4VideoPayload(bytes) else { return false }
        if order.isTorn, !payload.startsUnit { faults.insert(.unitTimestamps) }
        if payload.holdsLayer, let read = MPEG4VideoConfiguration(bytes), read != configuration {
            configuration = read
            configurationFrame = order.frame
        }
        return payload.isKeyframe
    }

    /// Checks the PictureID, which is incremented for each picture and constant within one (RFC 7741 §4.2).
    private mutating func follow(_ number: UInt16?, _ isLong: Bool, isNew: Bool, _ order: PacketOrder) {
        defer { pictureID = number }
        guard let number, let pictureID, order.isNext else { return }
        let step = (number &- pictureID) & (isLong ? 0x7FFF : 0x7F)
        if step != (isNew ? 1 : 0) { faults.insert(.pictureID) }
    }

    /// Checks the VP9 PictureID, which is incremented for each picture and constant in all packets of a frame (RFC 9628
    /// §4.2).
    ///
    /// A middlebox may remove pictures of layers. A frame that is not shown may have the timestamp of the next one, but
    /// not its PictureID (§4.1).
    private mutating func follow(_ payload: VP9Payload, _ order: PacketOrder) {
        defer { pictureID = payload.pictureID }
        guard let number = payload.pictureID, let pictureID, order.isNext else { return }
        let mask: UInt16 = payload.hasLongPictureID ? 0x7FFF : 0x7F
        let step = (number &- pictureID) & mask
        let mayBe: ClosedRange<UInt16>
        if !payload.startsFrame {
            mayBe = 0...0
        } else {
            mayBe = (order.isNewUnit ? 1 : 0)...(hasLayers ? mask / 2 : 1)
        }
        // A missing start is reported separately.
        guard payload.startsFrame || !order.isNewUnit, !mayBe.contains(step) else { return }
        faults.insert(.pictureID)
    }

    private mutating func observeJPEG(_ bytes: RawSpan, _ order: PacketOrder) {
        guard let payload = JPEGPayload(bytes) else {
            if order.isWhole { faults.insert(.changedHeader) }
            (nextOffset, constant) = (nil, nil)
            return
        }
        (width, height) = (payload.width, payload.height)
        if order.isTorn, payload.offset > 0 {
            faults.insert(.unitTimestamps)
        } else if order.isNext {
            let expected = order.isNewUnit ? 0 : nextOffset ?? payload.offset
            if payload.offset != expected { faults.insert(.fragmentOffset) }
            if !order.isNewUnit, let constant, payload.constant != constant { faults.insert(.changedHeader) }
        }
        constant = payload.constant
        nextOffset = payload.offset &+ order.wireLength &- payload.dataOffset
    }
}
