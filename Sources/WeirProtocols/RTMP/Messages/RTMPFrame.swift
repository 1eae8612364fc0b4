import WeirPackets

/// An ordinary audio or video message: a complete frame of H.264, H.265 or AAC in plain FLV, in regular chunks.
/// Contains all that the figures of a stream need, without heap allocation.
package struct RTMPFrame: Sendable {
    /// The codec of the frame.
    package enum Codec: Sendable {
        /// AAC.
        case aac
        /// H.264.
        case avc
        /// H.265.
        case hevc
    }

    /// 8 for audio, 9 for video.
    package var typeID: UInt8
    /// The message stream ID.
    package var messageStreamID: UInt32
    /// The timestamp in milliseconds, modulo 2^32.
    package var timestamp: UInt32
    /// Whether the timestamp is known absolutely, not only relative to others.
    package var isTimestampKnown: Bool
    /// The number of losses of messages of its side before it, modulo 2^16.
    package var losses: UInt16
    /// The payload length in octets.
    package var length: Int
    /// The codec.
    package var codec: Codec
    /// Whether it is a video key frame.
    package var isKeyframe = false
    /// The composition time offset of video, in milliseconds.
    package var compositionTime: Int?
    /// Whether the NAL units of video were parsed to the end.
    package var hasUnits = false
}

extension RTMPMessage {
    /// Whether it is such a message with entirely regular chunks.
    package var isUsualFrame: Bool {
        // An ID with only its most significant octet set may have been written big-endian.
        let isUsualStream = framing.format != 0 || messageStreamID == 0 || messageStreamID & 0xFF_FFFF != 0
        guard !isCut, !framing.isOdd, !framing.isInAggregate, !framing.isBasicHeaderLong(chunkStreamID),
            !framing.isExtendedNeedlessly, isUsualStream
        else { return false }
        switch payload {
        case .audio(let audio?): return audio.first >> 4 == 10 && audio.packetTypeID == 1
        case .video(let video?):
            return RTMPFrame.beginsVideo(video.first) && video.packetTypeID == 1 && video.faults.isEmpty
        default: return false
        }
    }
}

extension RTMPMessage {
    /// Whether it is audio or video in enhanced FLV.
    var isEnhanced: Bool {
        switch payload {
        case .audio(let audio?): audio.enhanced != nil
        case .video(let video?): video.enhanced != nil
        default: false
        }
    }
}

extension RTMPFrame {
    /// Returns whether this is the first octet of video with frame type 1 or 2 and codec 7 or 12 (FLV 10.1 §E.4.3.1).
    @inline(__always)
    static func beginsVideo(_ first: UInt8) -> Bool {
        first == 0x17 || first == 0x27 || first == 0x1C || first == 0x2C
    }
}
