import CaptureTesting
import Testing

/// A fault planted in the media of a healthy capture, and the expected finding.
struct PlantedFault: Sendable, CustomTestStringConvertible {
    var rule: String
    var capture: String
    var payloadType: UInt8
    /// `severity key`.
    var said: String
    /// Whether the finding is at the first modified packet; otherwise it is at the following packet, which reveals the
    /// fault.
    var pointsAt = Place.changed
    var plant: @Sendable (inout [UInt8], Int) -> Bool

    enum Place: Sendable { case changed, after, anywhere }

    init(
        _ rule: String, _ capture: String, _ payloadType: UInt8, _ said: String, at place: Place = .changed,
        _ plant: @escaping @Sendable (inout [UInt8], Int) -> Bool
    ) {
        (self.rule, self.capture, self.payloadType, self.said) = (rule, capture, payloadType, said)
        (pointsAt, self.plant) = (place, plant)
    }

    var testDescription: String { "\(rule) \(said)" }
}

enum PlantedFaults {
    private static let h264 = "rtsp/rtsp-udp"
    private static let fragments = "rtsp/article-dialogue"
    private static let aggregates = "rtsp/rtsp-record-udp"
    private static let h265 = "rtsp/rtsp-h265-opus"

    static let all: [PlantedFault] =
        header + timestamps + h264Payloads + otherPayloads + transportStreams + times + h265Headers + vp8Descriptors
        + vp9Descriptors + av1Elements + audioElements + telephoneEvents

    static let header: [PlantedFault] = [
        PlantedFault("RTP-VERSION", h264, 96, "error other") { packet, number in
            guard number % 10 == 5 else { return false }
            packet[0] = packet[0] & 0x3F | 0x40
            return true
        },
        PlantedFault("RTP-LENGTH", h264, 96, "error short") { packet, number in
            guard number == 20 else { return false }
            packet = Array(packet.prefix(30))
            packet[0] |= 0x0F
            return true
        },
        PlantedFault("RTP-PADDING", h264, 96, "error count") { packet, number in
            guard number % 10 == 5 else { return false }
            packet[0] |= 0x20
            packet[packet.count - 1] = 0
            return true
        },
        PlantedFault("RTP-EXT-LEN", h264, 96, "error long") { packet, number in
            guard number == 30 else { return false }
            packet[0] |= 0x10
            packet.insert(contentsOf: [0xBE, 0xDE, 0x40, 0x00], at: 12)
            return true
        },
        PlantedFault("RTP-EXT-BLOCK", h264, 96, "error reserved") { packet, number in
            guard number % 7 == 3 else { return false }
            packet[0] |= 0x10
            packet.insert(contentsOf: [0xBE, 0xDE, 0, 1, 0xF0, 0, 0, 0], at: 12)
            return true
        },
        PlantedFault("RTP-EXT-BLOCK", h264, 96, "error long") { packet, number in
            guard number % 7 == 3 else { return false }
            packet[0] |= 0x10
            packet.insert(contentsOf: [0xBE, 0xDE, 0, 1, 0x17, 1, 2, 3], at: 12)
            return true
        },
        PlantedFault("RTP-EXT-MAP", h264, 96, "warning unknown") { packet, number in
            guard number % 7 == 3 else { return false }
            packet[0] |= 0x10
            packet.insert(contentsOf: [0xBE, 0xDE, 0, 1, 0x30, 1, 0, 0], at: 12)
            return true
        },
        PlantedFault("RTP-PT", h264, 96, "error unknown") { packet, number in
            guard number % 10 == 5 else { return false }
            packet[1] = packet[1] & 0x80 | 111
            return true
        },
        PlantedFault("RTP-SSRC-CHANGE", h264, 96, "warning changed") { packet, number in
            guard number % 10 == 5 else { return false }
            packet.replaceSubrange(8..<12, with: [0x0B, 0xAD, 0xCA, 0xFE])
            return true
        },
        PlantedFault("RTP-SSRC-ANNOUNCED", h264, 96, "warning other") { packet, number in
            guard number >= 80 else { return false }
            packet.replaceSubrange(8..<12, with: [0x0B, 0xAD, 0xCA, 0xFE])
            return true
        },
    ]

    static let timestamps: [PlantedFault] = [
        PlantedFault("RTP-TS-RATE", h264, 96, "warning off", at: .anywhere) { packet, _ in
            write(timestamp(packet) &* 2, &packet)
        },
        PlantedFault("RTP-TS-BACK", h264, 96, "warning ahead") { packet, number in
            guard number >= 60 else { return false }
            return write(timestamp(packet) &+ 1_800_000, &packet)
        },
        PlantedFault("RTP-TS-BACK", h264, 96, "note ahead") { packet, number in
            guard number >= 60 else { return false }
            return write(timestamp(packet) &+ 270_000, &packet)
        },
        PlantedFault("RTP-TS-BACK", h264, 96, "warning back") { packet, number in
            guard number >= 60 else { return false }
            return write(timestamp(packet) &- 270_000, &packet)
        },
        // Half a second of video in order, and a fifth of a second of audio: no clock drift.
        PlantedFault("RTP-TS-BACK", h264, 96, "warning back") { packet, number in
            guard number >= 90 else { return false }
            return write(timestamp(packet) &- 45_000, &packet)
        },
        PlantedFault("RTP-TS-BACK", h264, 0, "warning back") { packet, number in
            guard number >= 60 else { return false }
            return write(timestamp(packet) &- 1_600, &packet)
        },
        PlantedFault("RTP-TS-AU", fragments, 96, "error several", at: .anywhere) { packet, number in
            write(timestamp(packet) &+ UInt32(number), &packet)
        },
        PlantedFault("RTP-MARKER", h264, 96, "warning missing", at: .anywhere) { packet, _ in
            packet[1] &= 0x7F
            return true
        },
        PlantedFault("RTP-MARKER", h264, 96, "warning early", at: .anywhere) { packet, _ in
            packet[1] |= 0x80
            return true
        },
    ]

    static let h264Payloads: [PlantedFault] = [
        PlantedFault("H264-FU", fragments, 96, "error whole") { packet, _ in
            guard packet[12] & 0x1F == 28, packet[13] & 0x80 != 0 else { return false }
            packet[13] |= 0x40
            return true
        },
        PlantedFault("H264-FU", fragments, 96, "error noStart") { packet, _ in
            guard packet[12] & 0x1F == 28, packet[13] & 0x80 != 0 else { return false }
            packet[13] &= 0x7F
            return true
        },
        PlantedFault("H264-FU", fragments, 96, "error noEnd", at: .after) { packet, _ in
            guard packet[12] & 0x1F == 28, packet[13] & 0x40 != 0 else { return false }
            packet[13] &= 0xBF
            return true
        },
        PlantedFault("H264-FU-TYPE", fragments, 96, "warning changed") { packet, _ in
            guard packet[12] & 0x1F == 28, packet[13] & 0x80 == 0 else { return false }
            packet[13] = packet[13] & 0xE0 | 9
            return true
        },
        PlantedFault("H264-STAP", aggregates, 96, "error size") { packet, _ in
            guard packet[12] & 0x1F == 24 else { return false }
            packet[13] = 0x40
            return true
        },
        PlantedFault("H264-FBIT", h264, 96, "warning set") { packet, number in
            guard number % 10 == 5 else { return false }
            packet[12] |= 0x80
            return true
        },
        PlantedFault("H264-ANNEXB", h264, 96, "warning startCode") { packet, number in
            guard number % 10 == 5 else { return false }
            packet.insert(contentsOf: [0, 0, 0, 1], at: 12)
            return true
        },
        PlantedFault("H264-SPROP", h264, 96, "warning stream", at: .anywhere) { packet, _ in
            guard packet[12] & 0x1F == 7 else { return false }
            packet[15] ^= 1
            return true
        },
        // Only the first sequence parameter set; later ones are the announced one.
        PlantedFault("H264-SPROP", h264, 96, "warning stream") { packet, number in
            guard packet[12] & 0x1F == 7, number < 20 else { return false }
            packet[15] ^= 1
            return true
        },
        PlantedFault("H264-SPROP", h264, 96, "warning streamPicture") { packet, _ in
            guard packet[12] & 0x1F == 8 else { return false }
            packet[packet.count - 1] ^= 0x20
            return true
        },
        PlantedFault("H264-MODE", h264, 96, "error undefined") { packet, number in
            guard number == 40 else { return false }
            packet[12] = packet[12] & 0xE0 | 30
            return true
        },
        PlantedFault("H264-MODE", h264, 96, "error structure") { packet, number in
            guard number == 40 else { return false }
            packet.insert(contentsOf: [0x19, 0, 1, 0, UInt8(packet.count - 12 & 0xFF)], at: 12)
            return true
        },
    ]

    static let otherPayloads: [PlantedFault] = [
        PlantedFault("H265-FU", h265, 96, "error whole") { packet, _ in
            guard packet[12] >> 1 & 0x3F == 49, packet[14] & 0x80 != 0 else { return false }
            packet[14] |= 0x40
            return true
        },
        PlantedFault("H265-AP", h265, 96, "error size") { packet, number in
            guard number == 20 else { return false }
            packet.replaceSubrange(12..<16, with: [0x60, 0x01, 0x40, 0x00])
            return true
        },
        PlantedFault("H265-SPROP", h265, 96, "warning differs") { packet, _ in
            guard packet[12] >> 1 & 0x3F == 33 else { return false }
            packet[packet.count - 1] ^= 0x10
            return true
        },
        PlantedFault("AAC-AUHDR", "rtsp/rtsp-b-frames", 97, "error size") { packet, number in
            guard number == 10 else { return false }
            packet[13] = 0xF0
            return true
        },
        PlantedFault("LATM-LENGTH", "rtsp/rtsp-record-mp4v-latm", 97, "error size") { packet, number in
            guard number == 10 else { return false }
            packet[12] ^= 0x10
            return true
        },
        PlantedFault("MPEG4-CONFIG", "rtsp/rtsp-mp4v-latm", 96, "warning differs") { packet, _ in
            // The profile, after the start code of a sequence.
            guard packet.dropFirst(12).starts(with: [0, 0, 1, 0xB0]) else { return false }
            packet[16] = 0xF3
            return true
        },
        PlantedFault("RTP-TS-AU", "rtsp/rtsp-mp4v-latm", 96, "error several", at: .anywhere) { packet, number in
            write(timestamp(packet) &+ UInt32(number), &packet)
        },
        PlantedFault("VP8-DESC", "rtsp/rtsp-vp8-g722", 96, "error short") { packet, number in
            guard number == 10 else { return false }
            packet = Array(packet.prefix(12)) + [0x90, 0x80]
            return true
        },
        PlantedFault("JPEG-HDR", "rtsp/rtsp-jpeg-pcma", 26, "error offset") { packet, number in
            guard number == 10 else { return false }
            packet[15] = 77
            return true
        },
    ]

    /// Modifies the packets of a PID in a datagram; returns whether there were any.
    private static func change(
        _ pid: UInt16, _ packet: inout [UInt8], _ body: (inout [UInt8], Int) -> Bool
    ) -> Bool {
        var isChanged = false
        for start in stride(from: 12, to: packet.count - 187, by: 188) {
            let number = (UInt16(packet[start + 1]) << 8 | UInt16(packet[start + 2])) & 0x1FFF
            if number == pid, body(&packet, start) { isChanged = true }
        }
        return isChanged
    }

    private static let transport = "rtp/rtp-mpegts"

    static let transportStreams: [PlantedFault] = [
        PlantedFault("TS-SYNC", transport, 33, "error broken") { packet, number in
            guard number == 20 else { return false }
            packet[12] = 0x48
            return true
        },
        PlantedFault("TS-CC", transport, 33, "error jump") { packet, number in
            guard number > 20 else { return false }
            return change(0x100, &packet) { packet, start in
                packet[start + 3] ^= 0x05
                return true
            }
        },
        PlantedFault("TS-TEI", transport, 33, "error set") { packet, number in
            guard number == 20 else { return false }
            packet[13] |= 0x80
            return true
        },
        PlantedFault("TS-CRC", transport, 33, "error wrong") { packet, number in
            guard number > 20 else { return false }
            return change(0, &packet) { packet, start in
                packet[start + 14] ^= 0x40
                return true
            }
        },
        PlantedFault("TS-PAT", transport, 33, "error late", at: .after) { packet, number in
            guard 10..<50 ~= number else { return false }
            return change(0, &packet, hide)
        },
        PlantedFault("TS-PMT", transport, 33, "error late", at: .after) { packet, number in
            guard 10..<50 ~= number else { return false }
            return change(0x1000, &packet, hide)
        },
        PlantedFault("TS-PCR", transport, 33, "warning late", at: .after) { packet, number in
            guard 10..<40 ~= number else { return false }
            return change(0x100, &packet) { packet, start in
                guard packet[start + 3] & 0x20 != 0, packet[start + 4] > 0 else { return false }
                packet[start + 5] &= 0xEF
                return true
            }
        },
        PlantedFault("TS-PTS", transport, 33, "warning late", at: .after) { packet, number in
            guard 10..<50 ~= number else { return false }
            return change(0x100, &packet) { packet, start in
                guard packet[start + 1] & 0x40 != 0 else { return false }
                let payload = start + 4 + (packet[start + 3] & 0x20 != 0 ? Int(packet[start + 4]) + 1 : 0)
                guard payload + 8 < start + 188 else { return false }
                packet[payload + 7] &= 0x3F
                return true
            }
        },
    ]

    /// Turns a packet into a null packet.
    private static func hide(_ packet: inout [UInt8], _ start: Int) -> Bool {
        packet[start + 1] |= 0x1F
        packet[start + 2] = 0xFF
        return true
    }

    static func timestamp(_ packet: [UInt8]) -> UInt32 {
        packet[4..<8].reduce(0) { $0 << 8 | UInt32($1) }
    }

    static func write(_ timestamp: UInt32, _ packet: inout [UInt8]) -> Bool {
        packet.replaceSubrange(4..<8, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: timestamp >> $0) })
        return true
    }
}
