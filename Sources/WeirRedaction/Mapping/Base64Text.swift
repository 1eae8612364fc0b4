import WeirPackets

/// Base64 (RFC 4648 §4) of short texts.
package enum Base64Text {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Returns the octets of a text, or nil if it is not base64.
    package static func decoded(_ text: [UInt8]) -> [UInt8]? {
        guard text.count >= 4, text.count % 4 == 0 else { return nil }
        let digits = text.prefix { $0 != ASCII.equals }
        guard text.count - digits.count <= 2, text.dropFirst(digits.count).allSatisfy({ $0 == ASCII.equals }) else {
            return nil
        }
        var (bits, count): (UInt32, Int) = (0, 0)
        var octets: [UInt8] = []
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            octets.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return octets
    }

    /// Returns the text of octets, padded.
    package static func encoded(_ octets: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        for start in stride(from: 0, to: octets.count, by: 3) {
            let group = octets[start..<min(start + 3, octets.count)]
            let bits = (group + [0, 0]).prefix(3).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            for place in 0..<4 {
                text.append(place <= group.count ? alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)] : ASCII.equals)
            }
        }
        return text
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x41...0x5A: digit - 0x41
        case 0x61...0x7A: digit - 0x61 + 26
        case 0x30...0x39: digit - 0x30 + 52
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }
}
