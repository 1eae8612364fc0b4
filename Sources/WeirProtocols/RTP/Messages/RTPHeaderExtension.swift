public import WeirPackets

/// The elements of an RTP header extension in the general format of RFC 8285, which packs several elements into the one
/// extension that RTP allows.
public struct RTPHeaderExtension: Sendable {
    /// An extension element.
    public struct Element: Sendable, Hashable {
        /// Local identifier, mapped by the session description (`a=extmap`).
        public var id: UInt8
        /// The element data.
        public var data: [UInt8]
    }

    /// The format of the elements.
    public enum Form: Sendable, Hashable {
        /// One-byte header: four bits of identifier and four of length (RFC 8285 §4.2).
        case oneByte
        /// Two-byte header: an octet of identifier and an octet of length (RFC 8285 §4.3).
        case twoByte
        /// A profile-specific extension, not parsed further.
        case other(profile: UInt16)
    }

    /// The format of the elements.
    public private(set) var form: Form
    /// The elements, without padding.
    public private(set) var elements: [Element] = []
    /// The first error; elements before it were parsed.
    public private(set) var problem: DecodeError?

    /// Parses the extension of `header` from its packet, or returns nil if there is none.
    public init?(_ header: RTPHeader, in bytes: RawSpan) {
        guard header.hasExtension else { return nil }
        let range = header.extensionRange
        var reader = ByteReader(bytes.clamped(0, range.upperBound), layer: "RTP header extension")
        switch header.extensionProfile {
        case 0xBEDE: form = .oneByte
        case 0x1000...0x100F: form = .twoByte
        default:
            form = .other(profile: header.extensionProfile)
            return
        }
        do throws(DecodeError) {
            try reader.seek(to: range.lowerBound)
            while !reader.isAtEnd {
                let first = try reader.uint8()
                if first == 0 { continue }  // padding
                let id: UInt8
                let length: Int
                if form == .oneByte {
                    id = first >> 4
                    length = Int(first & 0x0F) &+ 1
                    // Identifier 15 is reserved: parsing stops here (RFC 8285 §4.2).
                    if id == 15 {
                        problem = reader.malformed("identifier 15 is reserved in the one-byte form")
                        break
                    }
                    // Identifier 0 with a length is not padding; the element is ignored.
                    if id == 0 {
                        problem = reader.malformed("identifier 0 is for padding and has no length")
                        break
                    }
                } else {
                    id = first
                    length = Int(try reader.uint8())
                }
                elements.append(Element(id: id, data: try reader.span(length).array()))
            }
        } catch {
            problem = error
        }
    }
}
