import WeirPackets

/// A program of an MPEG transport stream, from its map table (ISO/IEC 13818-1 §2.4.4.8).
package struct TransportStreamProgram: Sendable, Hashable {
    /// An elementary stream of the program.
    package struct Element: Sendable, Hashable {
        /// `stream_type`.
        package var type: UInt8
        /// The PID of its packets.
        package var pid: UInt16
        /// What its descriptors say.
        package var descriptors = TransportStreamDescriptors()

        /// The codec of the type (ISO/IEC 13818-1 table 2-34), or that of the descriptors for private types; nil if
        /// neither is known.
        package var codec: String? {
            switch type {
            case 0x01: "MPEG-1 video"
            case 0x02: "MPEG-2 video"
            case 0x03, 0x04: "MPEG audio"
            case 0x0F, 0x11: "AAC"
            case 0x10: "MPEG-4 video"
            case 0x1B: "H264"
            case 0x21: "JPEG 2000"
            case 0x24: "H265"
            case 0x33: "H266"
            case 0x81: "AC-3"
            case 0x87: "E-AC-3"
            case 0x86: descriptors.registration == "CUEI" ? "SCTE-35" : nil
            default: descriptors.codec
            }
        }

        /// Whether it is video or audio, which is sent all the time.
        var isContinuous: Bool {
            switch codec {
            case nil, "SCTE-35", "KLV", "VBI data", TransportStreamDescriptors.teletext,
                TransportStreamDescriptors.subtitles:
                false
            default: true
            }
        }
    }

    /// The program number.
    package var number: UInt16
    /// The PID of its map table.
    package var mapPID: UInt16
    /// The PID that carries its PCR; 0x1FFF for none.
    package var clockPID: UInt16 = 0x1FFF
    /// What the descriptors of the program say.
    package var descriptors = TransportStreamDescriptors()
    /// The elementary streams, in order.
    package var elements: [Element] = []
}

/// Reassembles the sections of one PID, which may span packets (ISO/IEC 13818-1 §2.4.4).
struct SectionBuffer: Sendable {
    /// The size of the longest section in octets (§2.4.4.11).
    private static let longest = 1_024

    private var octets: [UInt8] = []
    private var isOpen = false

    /// Adds the payload of a packet; returns the completed sections.
    mutating func take(_ payload: RawSpan, starts: Bool) -> [[UInt8]] {
        var rest = payload
        var ended: [[UInt8]] = []
        if starts {
            guard let pointer = payload.byte(at: 0) else { return [] }
            if isOpen {
                octets += payload.clamped(1, 1 &+ Int(pointer)).array()
                close(&ended)
            }
            octets = []
            isOpen = true
            rest = payload.clamped(1 &+ Int(pointer))
        }
        guard isOpen else { return ended }
        octets += rest.array()
        close(&ended)
        return ended
    }

    /// Discards the incomplete section.
    mutating func clear() {
        octets = []
        isOpen = false
    }

    private mutating func close(_ ended: inout [[UInt8]]) {
        while octets.count >= 3, octets[0] != 0xFF {
            let length = (Int(octets[1] & 0x0F) << 8 | Int(octets[2])) &+ 3
            guard length <= Self.longest else {
                clear()
                return
            }
            guard octets.count >= length else { return }
            ended.append(Array(octets[..<length]))
            octets.removeFirst(length)
        }
        if octets.first == 0xFF { clear() }
    }

    /// Returns whether the CRC-32 over the whole section leaves 0 (§2.4.4.3, annex A).
    static func isIntact(_ section: [UInt8]) -> Bool {
        CRC32.forward(section, initial: .max) == 0
    }
}
