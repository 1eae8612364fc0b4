/// The default format of a payload type number (RFC 3551 §6, tables 4 and 5).
package struct StaticPayloadType: Sendable, Hashable {
    /// The media type of a payload type.
    package enum Media: String, Sendable, Hashable {
        /// Audio.
        case audio
        /// Video.
        case video
        /// Audio and video in one stream.
        case audioVideo
    }

    /// The encoding name.
    package var encoding: String
    /// The media type.
    package var media: Media
    /// The RTP clock rate in hertz. It is 8000 for G722, which samples at 16000 (RFC 3551 §4.5.2).
    package var clockRate: Int
    /// The number of audio channels; 1 for video, and for MPA, whose bitstream contains it.
    package var channels: Int
}

/// The static payload type assignments.
package enum StaticPayloadTypes {
    /// Formats by payload type number, without reserved and unassigned numbers.
    package static let all: [UInt8: StaticPayloadType] = [
        0: audio("PCMU", 8_000),
        3: audio("GSM", 8_000),
        4: audio("G723", 8_000),
        5: audio("DVI4", 8_000),
        6: audio("DVI4", 16_000),
        7: audio("LPC", 8_000),
        8: audio("PCMA", 8_000),
        9: audio("G722", 8_000),
        10: audio("L16", 44_100, channels: 2),
        11: audio("L16", 44_100),
        12: audio("QCELP", 8_000),
        13: audio("CN", 8_000),
        14: audio("MPA", 90_000),
        15: audio("G728", 8_000),
        16: audio("DVI4", 11_025),
        17: audio("DVI4", 22_050),
        18: audio("G729", 8_000),
        25: video("CelB"),
        26: video("JPEG"),
        28: video("nv"),
        31: video("H261"),
        32: video("MPV"),
        33: StaticPayloadType(encoding: "MP2T", media: .audioVideo, clockRate: 90_000, channels: 1),
        34: video("H263"),
    ]

    private static func audio(_ encoding: String, _ clockRate: Int, channels: Int = 1) -> StaticPayloadType {
        StaticPayloadType(encoding: encoding, media: .audio, clockRate: clockRate, channels: channels)
    }

    private static func video(_ encoding: String) -> StaticPayloadType {
        StaticPayloadType(encoding: encoding, media: .video, clockRate: 90_000, channels: 1)
    }
}
