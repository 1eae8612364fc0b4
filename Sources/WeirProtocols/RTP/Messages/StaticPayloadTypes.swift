/// What a payload type number means when nothing else is said (RFC 3551 §6, tables 4 and 5).
package struct StaticPayloadType: Sendable, Hashable {
    /// The media types of a payload type.
    package enum Media: String, Sendable, Hashable {
        /// Sound.
        case audio
        /// Pictures.
        case video
        /// Both in one stream.
        case audioVideo
    }

    /// The encoding's name.
    package var encoding: String
    /// What it carries.
    package var media: Media
    /// The RTP clock rate in hertz. G722's is 8000 though it samples at 16000 (RFC 3551 §4.5.2).
    package var clockRate: Int
    /// The number of audio channels; 1 for video, and for MPA, which says it in the stream.
    package var channels: Int
}

/// The payload types with a fixed meaning.
package enum StaticPayloadTypes {
    /// By payload type number. Reserved and unassigned numbers are not there.
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
