import WeirEngine

/// An incremental base64 decoder (RFC 4648 §4).
///
/// A tunnel encodes each request separately, so padding may occur anywhere, and peers add line breaks: padding ends a
/// group, and characters outside the alphabet are skipped and counted. The URL-safe alphabet is accepted, too.
package struct Base64: Sendable {
    private var bits: UInt32 = 0
    private var count = 0
    /// Whether the current group started in missing data and cannot be decoded.
    private var isBroken = false
    /// Number of characters other than the alphabet, padding and line ends.
    package private(set) var invalidCharacters = 0

    /// Creates a decoder at the start of a group.
    package init() {}

    /// Adds a character and appends the completed byte, if any, to `output`.
    package mutating func decode(_ octet: UInt8, into output: inout [UInt8]) {
        guard let value = Self.value(octet) else {
            if octet == UInt8(ascii: "=") {
                bits = 0
                count = 0
                isBroken = false
            } else if octet != 0x0A, octet != 0x0D, octet != 0x20, octet != 0x09 {
                invalidCharacters &+= 1
            }
            return
        }
        // Bytes are output once their eight bits are complete, so padding can be ignored.
        bits = (bits << 6 | UInt32(value)) & 0xFFFF
        count &+= 1
        if !isBroken, count > 1 {
            output.append(UInt8(truncatingIfNeeded: bits >> UInt32(truncatingIfNeeded: 8 &- 2 &* count)))
        }
        if count == 4 {
            count = 0
            isBroken = false
        }
    }

    /// Skips `octets` missing characters; the rest of the group they end in is dropped.
    package mutating func skip(_ octets: Int) {
        count = (count &+ max(0, octets) % 4) % 4
        isBroken = count != 0
    }

    /// Decodes a complete text.
    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8] {
        var decoder = Base64()
        var output: [UInt8] = []
        for octet in text { decoder.decode(octet, into: &output) }
        return output
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Encodes bytes, with padding.
    package static func encode(_ octets: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for octet in octets {
            bits = (bits << 8 | UInt32(octet)) & 0xFFFF
            count &+= 8
            while count >= 6 {
                count &-= 6
                text.append(alphabet[Int(bits >> count & 0x3F)])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << (6 &- count) & 0x3F)]) }
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether the byte is a character of the alphabet.
    package static func isLetter(_ octet: UInt8) -> Bool { value(octet) != nil }

    private static func value(_ octet: UInt8) -> UInt8? {
        switch octet {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): octet &- 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): octet &- 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): octet &+ 4
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
