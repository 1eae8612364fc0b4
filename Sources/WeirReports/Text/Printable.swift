import WeirEngine

/// Escapes control characters in text from the wire, so that it cannot control the terminal.
package enum Printable {
    /// Returns the text with control characters escaped as `\x1b`.
    package static func clean(_ text: String, keepingLines: Bool = false) -> String {
        // Fast path: almost all text is plain.
        if TextLayout.isPlain(text) || !text.unicodeScalars.contains(where: Unprintable.contains) { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if Unprintable.contains(scalar), !(keepingLines && scalar == "\n") {
                result += Unprintable.shown(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
