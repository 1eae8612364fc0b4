/// Keeps what a peer sent from steering the terminal: control characters are shown, never obeyed.
enum Printable {
    /// The text with control characters written out as `\x1b`.
    static func clean(_ text: String, keepingLines: Bool = false) -> String {
        // Almost all text is plain; only what is not has to be looked at character by character.
        if TextLayout.isPlain(text) || !text.unicodeScalars.contains(where: isControl) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isControl(scalar), !(keepingLines && scalar == "\n") {
                result.append(contentsOf: "\\x\(hexadecimal(scalar.value))".unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// C0 and C1 controls, and the bidirectional overrides that can reorder a line.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return digits.utf8.count < 2 ? "0" + digits : digits
    }
}
