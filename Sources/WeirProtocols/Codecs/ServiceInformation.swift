import WeirPackets

/// The names of network and services of a transport stream: the service description and network information tables
/// (ETSI EN 300 468 §5.2.1, §5.2.3).
package struct ServiceInformation: Sendable {
    /// A service, which has the number of its program.
    struct Service: Sendable, Hashable {
        var name: String?
        var provider: String?
    }

    /// The PID of service description tables (EN 300 468 §5.1.3).
    static let servicePID: UInt16 = 0x11

    /// `transport_stream_id` of the program association table.
    var streamID: UInt16?
    /// The PID of the network information table.
    var networkPID: UInt16 = 0x10
    /// `network_id`.
    private(set) var networkID: UInt16?
    /// The name of the network.
    private(set) var networkName: String?
    /// The services by program number.
    private(set) var services: [UInt16: Service] = [:]

    /// Creates information without names.
    package init() {}

    /// Returns whether a section is read: that of the actual services or network.
    package static func isRead(_ section: [UInt8], pid: UInt16, network: UInt16) -> Bool {
        guard section.count >= 15, section[5] & 1 == 1 else { return false }
        return pid == servicePID && section[0] == 0x42 || pid == network && section[0] == 0x40
    }

    /// Reads a section; returns false if it has more services than the limit.
    package mutating func take(_ section: [UInt8], limit: Int) -> Bool {
        let end = section.count - 4
        guard section[0] == 0x42 else {
            networkID = UInt16(section[3]) << 8 | UInt16(section[4])
            let length = Int(section[8] & 0x0F) << 8 | Int(section[9])
            for (tag, content) in Self.descriptors(section[10..<min(max(10, 10 + length), end)]) where tag == 0x40 {
                networkName = DVBText.decoded(content)
            }
            return true
        }
        // The original network and a reserved octet precede the services.
        var offset = 11
        while offset + 5 <= end {
            let number = UInt16(section[offset]) << 8 | UInt16(section[offset + 1])
            let length = Int(section[offset + 3] & 0x0F) << 8 | Int(section[offset + 4])
            guard services[number] != nil || services.count < limit else { return false }
            for (tag, content) in Self.descriptors(section[offset + 5..<min(offset + 5 + length, end)])
            where tag == 0x48 {
                services[number] = Self.service(content)
            }
            offset += 5 + length
        }
        return true
    }

    /// Reads a service descriptor: type, provider and name, each text after its length (§6.2.33).
    private static func service(_ content: ArraySlice<UInt8>) -> Service {
        var rest = content.dropFirst()
        func text() -> String? {
            guard let length = rest.first else { return nil }
            let octets = rest.dropFirst().prefix(Int(length))
            rest = rest.dropFirst(1 + Int(length))
            return octets.isEmpty ? nil : DVBText.decoded(octets)
        }
        let provider = text()
        return Service(name: text(), provider: provider)
    }

    private static func descriptors(_ octets: ArraySlice<UInt8>) -> [(UInt8, ArraySlice<UInt8>)] {
        var found: [(UInt8, ArraySlice<UInt8>)] = []
        var rest = octets
        while let tag = rest.first, rest.count >= 2 {
            let length = Int(rest[rest.startIndex + 1])
            guard rest.count >= 2 + length else { break }
            found.append((tag, rest.dropFirst(2).prefix(length)))
            rest = rest.dropFirst(2 + length)
        }
        return found
    }
}

/// Text in tables of DVB (ETSI EN 300 468 annex A).
package enum DVBText {
    /// The accents of ISO/IEC 6937 from 0xC1 on, as combining characters; 0 where there is none.
    private static let accents: [UInt32] = [
        0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0, 0x30A, 0x327, 0, 0x30B, 0x328, 0x30C,
    ]

    /// Decodes text by the table that its first octets select; other tables than UTF-8, UTF-16, ISO/IEC 6937 and
    /// ISO/IEC 8859-1, 5 and 15 only as far as their characters are those of ASCII.
    package static func decoded(_ octets: ArraySlice<UInt8>) -> String {
        guard let first = octets.first else { return "" }
        switch first {
        case 0x15: return cleaned(String(decoding: octets.dropFirst(), as: UTF8.self))
        case 0x11: return cleaned(String(decoding: wide(octets.dropFirst()), as: UTF16.self))
        case 0x10: return latin(octets.dropFirst(3), part: octets.dropFirst(2).first ?? 0)
        case 0x01...0x0B: return latin(octets.dropFirst(), part: first + 4)
        case 0x0C...0x1F: return latin(octets.dropFirst(), part: 0)
        default: return accented(octets)
        }
    }

    private static func wide(_ octets: ArraySlice<UInt8>) -> [UInt16] {
        let octets = Array(octets)
        return stride(from: 0, to: octets.count - 1, by: 2).map { UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1]) }
    }

    /// Decodes a part of ISO/IEC 8859.
    private static func latin(_ octets: ArraySlice<UInt8>, part: UInt8) -> String {
        var text = String.UnicodeScalarView()
        for octet in octets {
            switch (octet, part) {
            case (0x20...0x7E, _): text.append(Unicode.Scalar(octet))
            case (0xA4, 15): text.append("€")
            case (0xA1..., 1), (0xA1..., 15): text.append(Unicode.Scalar(octet))
            case (0xA1...0xAC, 5), (0xAE...0xEF, 5), (0xF1...0xFC, 5):
                // Cyrillic letters have the order of Unicode.
                if let letter = Unicode.Scalar(UInt32(octet) + 0x360) { text.append(letter) }
            case (0x8A, _): text.append(" ")
            case (0..<0x20, _), (0x7F...0x9F, _): break
            default: text.append("\u{FFFD}")
            }
        }
        return String(text)
    }

    /// Decodes the default table, ISO/IEC 6937, in which an accent precedes its letter.
    private static func accented(_ octets: ArraySlice<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        var accent: Unicode.Scalar?
        for octet in octets {
            switch octet {
            case 0x20...0x7E:
                text.append(Unicode.Scalar(octet))
                if let mark = accent { text.append(mark) }
                accent = nil
            case 0xC1...0xCF:
                let mark = accents[Int(octet - 0xC1)]
                accent = mark == 0 ? nil : Unicode.Scalar(mark)
            case 0xA4: text.append("€")
            case 0x8A: text.append(" ")
            case 0xE1: text.append("Æ")
            case 0xE9: text.append("Ø")
            case 0xF1: text.append("æ")
            case 0xF9: text.append("ø")
            case 0xFB: text.append("ß")
            case 0..<0x20, 0x7F...0x9F: break
            default: text.append("\u{FFFD}")
            }
        }
        return String(text)
    }

    /// Removes control characters.
    private static func cleaned(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
}
