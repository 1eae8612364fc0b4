import WeirPackets

/// A message of audio or video that is like most of them: a frame of H.264, H.265 or AAC in plain FLV, complete, in chunks
/// with nothing odd about them. All that a stream's figures need of it, without heap.
package struct RTMPFrame: Sendable {
    /// What it is coded with.
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
    /// Message stream id.
    package var messageStreamID: UInt32
    /// Time in milliseconds, modulo 2^32.
    package var timestamp: UInt32
    /// Whether that is known, not only how far it is from others.
    package var isTimestampKnown: Bool
    /// How often messages of its side were lost before it, modulo 2^16.
    package var losses: UInt16
    /// Octets of its payload.
    package var length: Int
    /// What it is coded with.
    package var codec: Codec
    /// Whether it is a key frame of video.
    package var isKeyframe = false
    /// Of video: milliseconds from the decoding time to the presentation time.
    package var compositionTime: Int?
    /// Of video: its NAL units were followed to the end.
    package var hasUnits = false
}

extension RTMPMessage {
    /// Whether it is such a message, and nothing about its chunks is anything to remark on.
    package var isUsualFrame: Bool {
        // An id with only its highest octet set may have been written the wrong way round.
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
    /// First octets of video: type of the frame 1 or 2, codec 7 or 12 (FLV 10.1 §E.4.3.1).
    @inline(__always)
    static func beginsVideo(_ first: UInt8) -> Bool {
        first == 0x17 || first == 0x27 || first == 0x1C || first == 0x2C
    }
}
