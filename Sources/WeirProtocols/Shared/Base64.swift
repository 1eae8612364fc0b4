import WeirEngine

/// Base64 (RFC 4648 §4), read in pieces as it arrives.
///
/// A tunnel encodes each request by itself, so padding may stand in the middle, and peers add line breaks: padding ends
/// a group, everything outside the alphabet is passed over and counted. The URL-safe letters are read too.
package struct Base64: Sendable {
    private var bits: UInt32 = 0
    private var count = 0
    /// The group at hand began in octets that are missing: nothing of it can be decoded.
    private var isBroken = false
    /// Octets that are neither letters of the alphabet, padding nor line ends.
    package private(set) var invalidCharacters = 0

    /// Creates a decoder at the start of a group.
    package init() {}

    /// Decodes what `octet` completes and appends it to `output`.
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
        // Octets are handed on as soon as their eight bits are there, so that padding has nothing left to say.
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

    /// Passes over `octets` missing letters: what is left of the group that they end in is lost with them.
    package mutating func skip(_ octets: Int) {
        count = (count &+ max(0, octets) % 4) % 4
        isBroken = count != 0
    }

    /// Decodes a whole text.
    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8] {
        var decoder = Base64()
        var output: [UInt8] = []
        for octet in text { decoder.decode(octet, into: &output) }
        return output
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Encodes octets, with padding.
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

    /// Whether the octet is a letter of the alphabet.
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
