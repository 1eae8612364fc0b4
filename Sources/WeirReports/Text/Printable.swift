import WeirEngine

/// Keeps what a peer sent from steering the terminal: what cannot be seen is shown, never obeyed.
package enum Printable {
    /// The text with control characters written out as `\x1b`.
    package static func clean(_ text: String, keepingLines: Bool = false) -> String {
        // Almost all text is plain; only what is not has to be looked at character by character.
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
