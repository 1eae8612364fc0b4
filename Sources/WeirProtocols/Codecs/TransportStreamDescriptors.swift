import WeirEngine

/// What the descriptors of a program or an elementary stream say (ISO/IEC 13818-1 §2.6, ETSI EN 300 468 §6.2).
package struct TransportStreamDescriptors: Sendable, Hashable {
    /// A page of teletext (EN 300 468 §6.2.43).
    package struct Page: Sendable, Hashable {
        /// The language.
        var language: String?
        /// The page number, such as `888`.
        var number: String
        /// Whether it has subtitles, also those for the hard of hearing.
        var hasSubtitles: Bool
    }

    /// The name of teletext (ETSI EN 300 706).
    static let teletext = "teletext"
    /// The name of bitmap subtitles (ETSI EN 300 743).
    static let subtitles = "DVB subtitles"
    /// Pages and languages kept of a stream.
    private static let most = 16

    /// The codec of a private stream, if a descriptor names it.
    package private(set) var codec: String?
    /// `format_identifier` of a registration descriptor, of four letters.
    package private(set) var registration: String?
    /// Languages, as in ISO 639-2.
    package private(set) var languages: [String] = []
    /// The pages of teletext.
    package private(set) var pages: [Page] = []
    /// The conditional access systems that protect the content.
    package private(set) var accessSystems: [UInt16] = []

    /// Creates an empty set.
    package init() {}

    /// Reads a loop of descriptors, as far as it is complete.
    package init(_ octets: ArraySlice<UInt8>) {
        var rest = octets
        while let tag = rest.first, rest.count >= 2 {
            let length = Int(rest[rest.startIndex + 1])
            let content = rest.dropFirst(2).prefix(length)
            guard content.count == length else { return }
            take(tag, Array(content))
            rest = rest.dropFirst(2 + length)
        }
    }

    private mutating func take(_ tag: UInt8, _ content: [UInt8]) {
        switch tag {
        case 0x05: takeRegistration(content)
        case 0x09 where content.count >= 4: add(accessSystem: UInt16(content[0]) << 8 | UInt16(content[1]))
        case 0x0A:
            // Language and audio type.
            for offset in stride(from: 0, to: content.count - 3, by: 4) { add(language: content[offset..<offset + 3]) }
        case 0x45: codec = "VBI data"
        case 0x46, 0x56:
            codec = Self.teletext
            for offset in stride(from: 0, to: content.count - 4, by: 5) { takePage(content[offset..<offset + 5]) }
        case 0x59:
            codec = Self.subtitles
            for offset in stride(from: 0, to: content.count - 7, by: 8) { add(language: content[offset..<offset + 3]) }
        case 0x6A: codec = "AC-3"
        case 0x7A: codec = "E-AC-3"
        case 0x7B: codec = "DTS"
        case 0x7C: codec = "AAC"
        default: break
        }
    }

    private mutating func takeRegistration(_ content: [UInt8]) {
        guard content.count >= 4, content.prefix(4).allSatisfy({ 0x20...0x7E ~= $0 }) else { return }
        let name = String(decoding: content.prefix(4), as: UTF8.self)
        registration = name
        switch name {
        case "AC-3": codec = "AC-3"
        case "EAC3": codec = "E-AC-3"
        case "AV01": codec = "AV1"
        case "BSSD": codec = "SMPTE 302M audio"
        case "DTS1", "DTS2", "DTS3": codec = "DTS"
        case "HEVC": codec = "H265"
        case "KLVA": codec = "KLV"
        case "Opus": codec = "Opus"
        default: break
        }
    }

    private mutating func takePage(_ entry: ArraySlice<UInt8>) {
        guard let kind = entry.dropFirst(3).first, let low = entry.last, pages.count < Self.most else { return }
        add(language: entry.prefix(3))
        // Magazine 0 is called 8; the page number has two decimal digits.
        let magazine = kind & 7 == 0 ? 8 : kind & 7
        let number = "\(magazine)\(low >> 4)\(low & 15)"
        let isSubtitle = kind >> 3 == 2 || kind >> 3 == 5
        pages.append(Page(language: Self.language(entry.prefix(3)), number: number, hasSubtitles: isSubtitle))
    }

    private mutating func add(accessSystem: UInt16) {
        guard accessSystems.count < Self.most, !accessSystems.contains(accessSystem) else { return }
        accessSystems.append(accessSystem)
    }

    private mutating func add(language octets: ArraySlice<UInt8>) {
        guard let language = Self.language(octets), languages.count < Self.most, !languages.contains(language) else {
            return
        }
        languages.append(language)
    }

    private static func language(_ octets: ArraySlice<UInt8>) -> String? {
        guard octets.allSatisfy({ 0x61...0x7A ~= $0 | 0x20 }) else { return nil }
        return String(decoding: octets, as: UTF8.self)
    }
}
