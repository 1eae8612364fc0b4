import CaptureTesting

// Faults of RTCP.

extension PlantedFaults {
    private static let reported = "rtsp/rtsp-standstill-udp"

    /// Faults in RTCP; `plant` is called with each datagram.
    static let reports: [PlantedFault] = [
        PlantedFault("RTCP-LENGTH", reported, 0, "error version") { packet, number in
            guard number > 1 else { return false }
            packet[0] = packet[0] & 0x3F | 0x40
            return true
        },
        // From the first datagram on.
        PlantedFault("RTCP-LENGTH", reported, 0, "error version") { packet, _ in
            guard isReport(packet) else { return false }
            packet[0] = packet[0] & 0x3F | 0xC0
            return true
        },
        PlantedFault("RTCP-COMPOUND", reported, 0, "note bye") { packet, number in
            guard number > 1, isReport(packet) else { return false }
            packet = Array(packet[0..<28]) + [0x81, 203, 0, 1] + source + packet[28...]
            return true
        },
        PlantedFault("RTCP-BYE", reported, 0, "note goesOn") { packet, _ in
            guard isReport(packet) else { return false }
            packet += [0x81, 203, 0, 1] + source
            return true
        },
        PlantedFault("RTCP-RR-SEQ", reported, 0, "warning ahead") { packet, _ in
            guard isAbout(packet) else { return false }
            packet[18] ^= 0x40
            return true
        },
        PlantedFault("RTCP-COMPOUND", reported, 0, "warning noName") { packet, _ in
            guard packet[1] == 200 else { return false }
            packet = Array(packet.prefix((Int(packet[2]) << 8 | Int(packet[3])) * 4 + 4))
            return true
        },
        PlantedFault("RTCP-COMPOUND", reported, 0, "error noReport") { packet, _ in
            guard packet[1] == 200 else { return false }
            packet = Array(packet.dropFirst((Int(packet[2]) << 8 | Int(packet[3])) * 4 + 4))
            return true
        },
        PlantedFault("RTCP-LENGTH", reported, 0, "error broken") { packet, number in
            guard number == 1 else { return false }
            packet[(Int(packet[2]) << 8 | Int(packet[3])) * 4 + 7] += 40
            return true
        },
        PlantedFault("RTCP-CNAME", reported, 0, "warning changed") { packet, number in
            guard number > 3, packet[1] == 200 else { return false }
            let first = (Int(packet[2]) << 8 | Int(packet[3])) * 4 + 4
            guard packet.count > first + 12, packet[first + 1] == 202, packet[first + 8] == 1 else { return false }
            packet[first + 10] ^= 1
            return true
        },
        PlantedFault("RTCP-SR-COUNT", reported, 0, "warning packets") { packet, number in
            guard number > 3, isReport(packet) else { return false }
            packet[22] += 2
            return true
        },
        PlantedFault("RTCP-SR-COUNT", reported, 0, "warning octets") { packet, number in
            guard number > 3, isReport(packet) else { return false }
            packet[25] += 2
            return true
        },
        PlantedFault("RTCP-SR-CLOCK", reported, 0, "warning slope") { packet, number in
            guard number > 3, isReport(packet) else { return false }
            packet[17] &+= 8
            return true
        },
        PlantedFault("RTCP-SR-CLOCK", reported, 0, "note date", at: .anywhere) { packet, _ in
            guard isReport(packet) else { return false }
            packet[8] = 0xBC
            return true
        },
        PlantedFault("RTCP-RR-LSR", reported, 0, "warning unknown") { packet, _ in
            guard isAbout(packet), packet[24...27] != [0, 0, 0, 0] else { return false }
            packet[25] ^= 0x55
            return true
        },
        PlantedFault("RTCP-RR-LOSS", reported, 0, "note behind", at: .anywhere) { packet, _ in
            guard isAbout(packet) else { return false }
            packet.replaceSubrange(12..<16, with: [250, 0, 0, 90])
            return true
        },
        PlantedFault("RTCP-FB-NEGOTIATED", reported, 0, "warning profile") { packet, _ in
            guard isAbout(packet) else { return false }
            packet += [0x81, 205, 0, 3] + packet[4..<8] + source + [0x10, 0, 0, 0]
            return true
        },
        PlantedFault("RTCP-NACK-SERVED", reported, 0, "warning never") { packet, number in
            guard number < 4, isAbout(packet) else { return false }
            packet += [0x81, 205, 0, 3] + packet[4..<8] + source + [0x10, 0, 0, 0]
            return true
        },
        PlantedFault("RTCP-FIR", reported, 0, "error source") { packet, _ in
            guard isAbout(packet) else { return false }
            packet += [0x84, 206, 0, 4] + packet[4..<8] + source + source + [1, 0, 0, 0]
            return true
        },
        PlantedFault("RTCP-FIR", reported, 0, "error number", at: .after) { packet, number in
            guard isAbout(packet) else { return false }
            packet += [0x84, 206, 0, 4] + packet[4..<8] + [0, 0, 0, 0] + source + [UInt8(number * 9), 0, 0, 0]
            return true
        },
    ]

    /// The SSRC of the audio stream.
    private static let source: [UInt8] = [0x2B, 0x52, 0xFF, 0x01]

    /// Whether the datagram is a sender report of the audio stream.
    private static func isReport(_ packet: [UInt8]) -> Bool {
        packet.count >= 28 && packet[1] == 200 && Array(packet[4..<8]) == source
    }

    /// Whether the datagram is a receiver report about the audio stream.
    private static func isAbout(_ packet: [UInt8]) -> Bool {
        packet.count >= 32 && packet[1] == 201 && Array(packet[8..<12]) == source
    }
}
