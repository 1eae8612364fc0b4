import CaptureTesting

// Faults of clocks, audio, and streams that stop.

extension PlantedFaults {
    private static let video = "rtsp/rtsp-udp"
    private static let sound = "rtsp/rtsp-vp9-l24"
    private static let transport = "rtp/rtp-mpegts"

    static let times: [PlantedFault] = [
        PlantedFault("RTP-TS-RATE", video, 96, "warning still") { packet, _ in
            packet.replaceSubrange(4..<8, with: [0, 0, 3, 0xE8])
            return true
        },
        PlantedFault("RTP-SEQ-DUP", video, 96, "warning again", at: .after) { packet, _ in
            packet.replaceSubrange(2..<4, with: [0x11, 0x11])
            return true
        },
        PlantedFault("RTP-MARKER", sound, 97, "note sound", at: .after) { packet, _ in
            packet[1] |= 0x80
            return true
        },
        PlantedFault("PCM-SIZE", sound, 97, "note parts") { packet, number in
            guard number == 10 else { return false }
            packet.removeLast()
            return true
        },
        PlantedFault("AAC-AUHDR", "rtsp/rtsp-record-udp", 97, "error size") { packet, number in
            guard number == 3 else { return false }
            packet[12] = 0
            packet[13] = 0
            return true
        },
        // A size larger than the payload, in a packet with the marker.
        PlantedFault("AAC-AUHDR", "rtsp/rtsp-2.0", 97, "error size") { packet, number in
            guard number == 5, packet[1] & 0x80 != 0, packet[13] == 16 else { return false }
            packet[14] ^= 0x10
            return true
        },
        PlantedFault("VP8-DESC", "rtsp/rtsp-vp8-g722", 96, "error short") { packet, number in
            guard number == 10 else { return false }
            packet = Array(packet.prefix(13))
            return true
        },
        PlantedFault("H265-SPROP", "rtsp/rtsp-h265-opus", 96, "warning differs") { packet, _ in
            // The video parameter set, which precedes the others.
            guard packet[12] >> 1 & 0x3F == 32 else { return false }
            packet[packet.count - 2] ^= 0x10
            return true
        },
        PlantedFault("RTP-TS-AU", "rtsp/rtsp-h265-opus", 96, "error several") { packet, _ in
            // The last fragment of an SEI message.
            guard packet[12] >> 1 & 0x3F == 49, packet[14] & 0x3F == 39, packet[14] & 0x40 != 0 else { return false }
            packet[7] ^= 1
            return true
        },
        PlantedFault("TS-PAT", transport, 33, "error late", at: .after) { packet, number in
            number >= 10 && hide(0, in: &packet)
        },
        PlantedFault("TS-PMT", transport, 33, "error late", at: .after) { packet, number in
            number >= 10 && hide(0x1000, in: &packet)
        },
        PlantedFault("TS-PCR", transport, 33, "warning late", at: .after) { packet, number in
            number >= 10 && hideClock(in: &packet)
        },
        // It never arrives.
        PlantedFault("TS-PAT", transport, 33, "error late", at: .after) { packet, _ in hide(0, in: &packet) },
        PlantedFault("TS-PMT", transport, 33, "error late", at: .after) { packet, _ in hide(0x1000, in: &packet) },
        PlantedFault("TS-PCR", transport, 33, "warning late", at: .after) { packet, _ in hideClock(in: &packet) },
    ]

    /// Clears the flag of each clock reference; returns whether there were any.
    private static func hideClock(in packet: inout [UInt8]) -> Bool {
        var isChanged = false
        for start in stride(from: 12, to: packet.count - 187, by: 188)
        where packet[start + 3] & 0x20 != 0 && packet[start + 4] > 0 && packet[start + 5] & 0x10 != 0 {
            packet[start + 5] &= 0xEF
            isChanged = true
        }
        return isChanged
    }

    /// Turns the packets of a PID into null packets; returns whether there were any.
    private static func hide(_ pid: UInt16, in packet: inout [UInt8]) -> Bool {
        var isChanged = false
        for start in stride(from: 12, to: packet.count - 187, by: 188) {
            guard (UInt16(packet[start + 1]) << 8 | UInt16(packet[start + 2])) & 0x1FFF == pid else { continue }
            packet[start + 1] |= 0x1F
            packet[start + 2] = 0xFF
            isChanged = true
        }
        return isChanged
    }

    /// Turns the report about a stream of `rtsp-standstill-udp` into an extended report with a run of 90 lost packets.
    static func reportLoss(in packet: inout [UInt8], from begin: UInt16, to end: UInt16) -> Bool {
        let stream: [UInt8] = [0x2B, 0x52, 0xFF, 0x01]
        guard packet.count >= 32, packet[1] == 201, Array(packet[8..<12]) == stream else { return false }
        let rest = Array(packet.dropFirst((Int(packet[2]) << 8 | Int(packet[3])) * 4 + 4))
        packet = [0x80, 201, 0, 1] + packet[4..<8] + rest + [0x80, 207, 0, 11] + packet[4..<8]
        packet += [6, 0x80, 0, 9] + stream
        packet += [begin, end].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        packet += [0, 0, 0, 90] + [UInt8](repeating: 0, count: 24)
        return true
    }

    /// Faults in RTCP that their first packet reveals.
    static let brokenReports: [PlantedFault] = [
        PlantedFault("RTCP-RR-LOSS", "rtsp/rtsp-standstill-udp", 0, "note behind") { packet, _ in
            reportLoss(in: &packet, from: 3064, to: 3184)
        },
        PlantedFault("RTCP-LENGTH", "rtsp/rtsp-standstill-udp", 0, "error broken") { packet, number in
            guard number == 2 else { return false }
            packet[2] = 3
            return true
        },
        PlantedFault("RTCP-SR-CLOCK", "rtsp/rtsp-standstill-udp", 0, "note date") { packet, _ in
            guard packet[1] == 200, Array(packet[4..<8]) == [0x2B, 0x52, 0xFF, 0x01] else { return false }
            packet[8] = 0xBC
            return true
        },
    ]
}
