/// Characters that control a terminal, reorder a line or are invisible, with which a peer's text could be spoofed
/// (Unicode Standard Annex #9, Unicode Technical Report #36).
package enum Unprintable {
    /// Whether a character is unprintable: C0 and C1 controls; bidirectional marks, embeddings, overrides and isolates;
    /// line and paragraph separators; zero-width characters; variation selectors and tags, which can encode hidden
    /// text.
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

    /// Returns the visible form of such a character: `\x1b`.
    package static func shown(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\x" + (digits.utf8.count < 2 ? "0" : "") + digits
    }

    /// Whether these UTF-8 bytes may begin such a character beyond ASCII; a quick filter, since they are rare.
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
