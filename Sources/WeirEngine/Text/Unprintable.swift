/// Characters of a peer's words that steer a terminal, reorder a line or cannot be seen, so that a text does not look like
/// what it is (Unicode Standard Annex #9, Unicode Technical Report #36).
package enum Unprintable {
    /// C0 and C1 controls; marks, embeddings, overrides and isolates of writing direction; separators of lines and
    /// paragraphs; characters without width; variation selectors and tags, in which a hidden text fits.
    package static func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true
        case 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        case 0xAD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x3164, 0xFE00...0xFE0F, 0xFFA0,
            0xFFF0...0xFFFB:
            true
        case 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF: true
        default: false
        }
    }

    /// How such a character is told: `\x1b`.
    package static func shown(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\x" + (digits.utf8.count < 2 ? "0" : "") + digits
    }

    /// Whether the octets of UTF-8 may begin one beyond ASCII; hardly any text has such.
    static func mayBegin(_ first: UInt8, _ second: UInt8) -> Bool {
        switch first {
        case 0xC2: second < 0xA0 || second == 0xAD
        case 0xCD: second == 0x8F
        case 0xD8: second == 0x9C
        case 0xE1: second == 0x85 || second == 0x9E || second == 0xA0
        case 0xE2: second == 0x80 || second == 0x81
        case 0xE3: second == 0x85
        case 0xEF: second == 0xB8 || second == 0xBB || second == 0xBE || second == 0xBF
        case 0xF0: second == 0x9B || second == 0x9D
        case 0xF3: second == 0xA0
        default: false
        }
    }
}
