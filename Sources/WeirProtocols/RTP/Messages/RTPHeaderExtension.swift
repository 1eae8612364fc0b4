public import WeirPackets

/// The elements of an RTP header extension in the general form of RFC 8285: several small extensions share the one
/// extension that RTP allows.
public struct RTPHeaderExtension: Sendable {
    /// One element.
    public struct Element: Sendable, Hashable {
        /// Local identifier, whose meaning the session description gives (`a=extmap`).
        public var id: UInt8
        /// The element's data.
        public var data: [UInt8]
    }

    /// How the elements are written.
    public enum Form: Sendable, Hashable {
        /// Four bits of identifier and four of length (RFC 8285 §4.2).
        case oneByte
        /// An octet of identifier and an octet of length (RFC 8285 §4.3).
        case twoByte
        /// Something else: a profile's own extension, not read further.
        case other(profile: UInt16)
    }

    /// How the elements are written.
    public private(set) var form: Form
    /// The elements, padding left out.
    public private(set) var elements: [Element] = []
    /// What is wrong with the elements; those before it were read.
    public private(set) var problem: DecodeError?

    /// Reads the extension of `header` from the packet that it was read from; nil when there is none.
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
                    // Identifier 15 is reserved: reading stops there, whatever follows (RFC 8285 §4.2).
                    if id == 15 {
                        problem = reader.malformed("identifier 15 is reserved in the one-byte form")
                        break
                    }
                    // Identifier 0 with a length is no padding octet; the element is to be ignored.
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
