internal import WeirPackets

/// What the first octets of an audio message say (FLV 10.1 §E.4.2; E-RTMP v2 "Enhanced Audio").
public struct RTMPAudio: Sendable, Hashable {
    /// The codec, such as `AAC`; for one named by four characters that nobody knows, these.
    public let codec: String
    /// `sequenceHeader`, `codedFrames` and others; nil for codecs that have no such field.
    public let packetType: String?
    /// Whether the codec was named by four characters (enhanced RTMP).
    public let isEnhanced: Bool

    /// Whether the message holds what a decoder needs before the first frame.
    public var isConfiguration: Bool { packetType == "sequenceHeader" || packetType == "multichannelConfig" }

    init(_ bytes: RawSpan) throws(DecodeError) {
        var reader = ByteReader(bytes, layer: "audio")
        let first = try reader.uint8()
        isEnhanced = first >> 4 == 9
        guard isEnhanced else {
            codec = Self.formats[first >> 4] ?? "format \(first >> 4)"
            packetType = first >> 4 == 10 ? try reader.uint8() == 0 ? "sequenceHeader" : "codedFrames" : nil
            return
        }
        let enhanced = try EnhancedTag(&reader, type: first & 0x0F, multitrack: 5)
        codec = Self.names[enhanced.fourCC] ?? enhanced.fourCC
        packetType = Self.packetTypes[enhanced.packetType] ?? "type \(enhanced.packetType)"
    }

    private static let formats: [UInt8: String] = [
        0: "PCM", 1: "ADPCM", 2: "MP3", 3: "PCM little-endian", 4: "Nellymoser 16 kHz", 5: "Nellymoser 8 kHz",
        6: "Nellymoser", 7: "G.711 A-law", 8: "G.711 mu-law", 10: "AAC", 11: "Speex", 14: "MP3 8 kHz",
        15: "device-specific",
    ]
    private static let names = [
        "ac-3": "AC-3", "ec-3": "E-AC-3", "Opus": "Opus", ".mp3": "MP3", "fLaC": "FLAC", "mp4a": "AAC",
    ]
    private static let packetTypes: [UInt8: String] = [
        0: "sequenceHeader", 1: "codedFrames", 2: "sequenceEnd", 4: "multichannelConfig",
    ]
}

/// What the first octets of a video message say (FLV 10.1 §E.4.3; E-RTMP v2 "Enhanced Video").
public struct RTMPVideo: Sendable, Hashable {
    /// The codec, such as `H.264`; for one named by four characters that nobody knows, these.
    public let codec: String
    /// `key`, `inter`, `disposableInter`, `generatedKey`, `command`, or `type n`.
    public let frameType: String
    /// `sequenceHeader`, `codedFrames`, `sequenceEnd` and others; nil for codecs that have no such field.
    public let packetType: String?
    /// Milliseconds from the decoding time to the presentation time.
    public let compositionTime: Int?
    /// Whether the codec was named by four characters (enhanced RTMP).
    public let isEnhanced: Bool

    /// Whether the message holds what a decoder needs before the first frame.
    public var isConfiguration: Bool {
        packetType == "sequenceHeader" || packetType == "mpeg2TSSequenceStart" || packetType == "metadata"
    }

    init(_ bytes: RawSpan) throws(DecodeError) {
        var reader = ByteReader(bytes, layer: "video")
        let first = try reader.uint8()
        isEnhanced = first & 0x80 != 0
        let frame = first >> 4 & 0x07
        frameType = Self.frameTypes[frame] ?? "type \(frame)"
        guard isEnhanced else {
            let id = first & 0x0F
            codec = Self.codecs[id] ?? "codec \(id)"
            // 12 for HEVC is no part of the FLV specification; many Chinese servers and encoders use it.
            guard id == 7 || id == 12, frame != 5 else {
                (packetType, compositionTime) = (nil, nil)
                return
            }
            let type = try reader.uint8()
            packetType = Self.packetTypes[type].flatMap { type < 3 ? $0 : nil } ?? "type \(type)"
            compositionTime = type == 1 ? Self.signed(try reader.uint24()) : nil
            return
        }
        let enhanced = try EnhancedTag(&reader, type: first & 0x0F, multitrack: 6)
        codec = Self.names[enhanced.fourCC] ?? enhanced.fourCC
        packetType = Self.packetTypes[enhanced.packetType] ?? "type \(enhanced.packetType)"
        let hasTime = ["avc1", "hvc1", "vvc1"].contains(enhanced.fourCC) && enhanced.packetType == 1
        compositionTime =
            hasTime && !enhanced.isMultitrack && frame != 5 ? Self.signed(try reader.uint24()) : nil
    }

    private static func signed(_ value: UInt32) -> Int {
        value & 0x80_0000 == 0 ? Int(value) : Int(value) &- 0x100_0000
    }

    private static let frameTypes: [UInt8: String] = [
        1: "key", 2: "inter", 3: "disposableInter", 4: "generatedKey", 5: "command",
    ]
    private static let codecs: [UInt8: String] = [
        2: "Sorenson H.263", 3: "Screen video", 4: "VP6", 5: "VP6 with alpha", 6: "Screen video 2", 7: "H.264",
        12: "H.265",
    ]
    private static let names = [
        "vp08": "VP8", "vp09": "VP9", "av01": "AV1", "avc1": "H.264", "hvc1": "H.265", "vvc1": "H.266",
    ]
    private static let packetTypes: [UInt8: String] = [
        0: "sequenceHeader", 1: "codedFrames", 2: "sequenceEnd", 3: "codedFramesX", 4: "metadata",
        5: "mpeg2TSSequenceStart",
    ]
}

/// What enhanced RTMP writes behind the first octet of an audio or video message: modifiers, tracks, the codec's name.
private struct EnhancedTag {
    var packetType: UInt8
    var fourCC: String
    var isMultitrack = false

    @_lifetime(reader: copy reader)
    init(_ reader: inout ByteReader, type: UInt8, multitrack: UInt8) throws(DecodeError) {
        packetType = type
        // Each modifier ends with the type that follows it, which can be a further modifier.
        while packetType == 7 {
            var octets = Int(try reader.uint8()) &+ 1
            if octets == 256 { octets = Int(try reader.uint16()) &+ 1 }
            try reader.skip(octets)
            packetType = try reader.uint8() & 0x0F
        }
        var codecsDiffer = false
        if packetType == multitrack {
            let tracks = try reader.uint8()
            isMultitrack = true
            codecsDiffer = tracks >> 4 == 2
            packetType = tracks & 0x0F
        }
        if codecsDiffer {
            fourCC = "several codecs"
        } else {
            fourCC = try reader.span(4).text()
        }
    }
}
