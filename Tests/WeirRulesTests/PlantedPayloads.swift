import CaptureTesting
import WeirEngine
import WeirPackets

// Faults of payload formats: H.265, VP8, VP9, AV1 and telephone events.

extension PlantedFaults {
    private static let h265 = "rtsp/rtsp-h265-opus"
    private static let vp8 = "rtsp/rtsp-vp8-g722"
    private static let vp9 = "rtsp/rtsp-vp9-l24"
    private static let av1 = "rtp/rtp-av1"
    private static let telephone = "rtp/rtp-telephone-event"

    /// Captures without signaling.
    static let unsignaled = [av1, telephone]

    /// The payload types that signaling would define.
    static func meanings(_ capture: String) -> [AnalyzerOptions.DecodeAs] {
        let known: [String: (port: UInt16, formats: [UInt8: String])] = [
            av1: (5_120, [96: "AV1/90000"]), telephone: (5_080, [0: "PCMU/8000", 101: "telephone-event/8000"]),
        ]
        return known[capture].map { flow in
            let formats = flow.formats.map { AnalyzerOptions.DecodeAs.Meaning(number: $0.key, text: $0.value) }
            return [
                AnalyzerOptions.DecodeAs(transport: .udp, port: flow.port, protocolName: "rtp", meanings: formats)
            ]
        } ?? []
    }

    static let h265Headers: [PlantedFault] = [
        PlantedFault("H265-FBIT", h265, 96, "warning set") { packet, number in
            guard number % 10 == 5 else { return false }
            packet[12] |= 0x80
            return true
        },
        PlantedFault("H265-ANNEXB", h265, 96, "warning startCode") { packet, number in
            guard number % 10 == 5, packet[12] >> 1 & 0x3F < 48 else { return false }
            packet.insert(contentsOf: [0, 0, 0, 1], at: 12)
            return true
        },
        PlantedFault("H265-ANNEXB", h265, 96, "warning startCode") { packet, _ in
            guard packet[12] >> 1 & 0x3F == 49, packet[14] & 0x80 != 0 else { return false }
            packet.insert(contentsOf: [0, 0, 1], at: 15)
            return true
        },
        PlantedFault("H265-HDR", h265, 96, "error temporal") { packet, number in
            guard number % 10 == 5 else { return false }
            packet[13] &= 0xF8
            return true
        },
        PlantedFault("H265-HDR", h265, 96, "warning undefined") { packet, number in
            guard number == 20 else { return false }
            packet[12] = packet[12] & 0x81 | 60 << 1
            return true
        },
    ]

    static let vp8Descriptors: [PlantedFault] = [
        PlantedFault("VP8-DESC", vp8, 96, "error start") { packet, number in
            guard number % 10 == 5 else { return false }
            packet[12] &= 0xEF
            return true
        },
        // Two pictures joined into one.
        PlantedFault("VP8-DESC", vp8, 96, "error again", at: .after) { packet, number in
            if number == 10 { packet[1] &= 0x7F }
            return number == 10 || number == 11 && write(timestamp(packet) &- vp8Interval, &packet)
        },
    ]

    /// The interval between pictures in the VP8 capture.
    private static let vp8Interval: UInt32 = 9_000

    static let vp9Descriptors: [PlantedFault] = [
        PlantedFault("VP9-DESC", vp9, 96, "error short") { packet, number in
            guard number == 10 else { return false }
            packet = Array(packet.prefix(12)) + [0x0E]
            return true
        },
        PlantedFault("VP9-DESC", vp9, 96, "error short") { packet, number in
            guard number == 10 else { return false }
            packet = Array(packet.prefix(12)) + [0x4C]
            return true
        },
        // Flexible mode without the PictureID that its differences refer to.
        PlantedFault("VP9-DESC", vp9, 96, "error fields") { packet, number in
            guard number == 10 else { return false }
            packet[12] |= 0x10
            return true
        },
        // The lowest layer, with a dependency on a lower one.
        PlantedFault("VP9-DESC", vp9, 96, "error fields") { packet, number in
            guard number == 10 else { return false }
            packet[12] |= 0x20
            packet.insert(contentsOf: [0x01, 0x00], at: 13)
            return true
        },
        PlantedFault("VP9-DESC", vp9, 96, "error start") { packet, number in
            guard number % 10 == 5 else { return false }
            packet[12] &= 0xF7
            return true
        },
        PlantedFault("VP9-DESC", vp9, 96, "error again", at: .after) { packet, number in
            guard number == 10 else { return false }
            packet[12] &= 0xFB
            return true
        },
        PlantedFault("VP9-DESC", vp9, 96, "warning pictureID", at: .after) { packet, number in
            packet[12] |= 0x80
            packet.insert(contentsOf: [0x80, UInt8(number < 10 ? number : number + 3)], at: 13)
            return true
        },
    ]

    static let av1Elements: [PlantedFault] = [
        PlantedFault("AV1-OBU", av1, 96, "error size") { packet, _ in
            // More than one element: the length of the first.
            guard packet[12] & 0x20 != 0 else { return false }
            packet.replaceSubrange(13...13, with: [0xFF, 0xFF, 0x7F])
            return true
        },
        PlantedFault("AV1-OBU", av1, 96, "error size") { packet, _ in
            // A small single OBU, with two announced.
            guard packet[12] == 0x10, packet.count < 30 else { return false }
            packet[12] = 0x20
            return true
        },
        PlantedFault("AV1-OBU", av1, 96, "error size") { packet, number in
            guard number == 20 else { return false }
            packet = Array(packet.prefix(13))
            return true
        },
        PlantedFault("AV1-OBU", av1, 96, "error noStart") { packet, number in
            guard number > 5, packet[12] == 0x10 else { return false }
            packet[12] |= 0x80
            return true
        },
        PlantedFault("AV1-OBU", av1, 96, "error noStart", at: .after) { packet, number in
            guard number > 5, packet[12] & 0xC0 == 0x40 else { return false }
            packet[12] &= 0xBF
            return true
        },
        PlantedFault("AV1-OBU", av1, 96, "error noEnd") { packet, _ in
            guard packet[12] & 0x80 != 0 else { return false }
            packet[12] &= 0x7F
            return true
        },
        PlantedFault("AV1-OBU", av1, 96, "error sequence") { packet, _ in
            guard packet[12] & 0x08 != 0 else { return false }
            packet[12] |= 0x80
            return true
        },
    ]

    static let audioElements: [PlantedFault] = [
        PlantedFault("OPUS-FRAMES", h265, 97, "error malformed") { packet, number in
            guard number % 10 == 5 else { return false }
            // The frame count is in the next octet: zero.
            packet[12] |= 3
            packet[13] &= 0xC0
            return true
        },
        PlantedFault("LATM-LENGTH", "rtsp/rtsp-mp4v-latm", 97, "warning marker", at: .after) { packet, _ in
            // Several elements of this sender have the same timestamp: the last one reveals the fault.
            packet[1] &= 0x7F
            return true
        },
    ]

    static let telephoneEvents: [PlantedFault] = [
        PlantedFault("TEL-EVENT", telephone, 101, "error timestamp", at: .anywhere) { packet, number in
            guard number % 8 > 0 else { return false }
            return write(timestamp(packet) &+ UInt32(number % 8) * 160, &packet)
        },
        PlantedFault("TEL-EVENT", telephone, 101, "error end") { packet, _ in
            guard packet[13] & 0x80 != 0 else { return false }
            packet[13] &= 0x7F
            return true
        },
        // Only the last key: after it there is nothing but audio.
        PlantedFault("TEL-EVENT", telephone, 101, "error end") { packet, number in
            guard number == 23 else { return false }
            packet[13] &= 0x7F
            return true
        },
    ]
}
