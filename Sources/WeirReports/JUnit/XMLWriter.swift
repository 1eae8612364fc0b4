import WeirEngine

/// Serializes XML 1.0, with indented elements; characters that XML does not allow are replaced.
struct XMLWriter {
    private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    private var open: [String] = []

    /// Writes the start tag of an element with child elements.
    mutating func begin(_ name: String, _ attributes: [(String, String)] = []) {
        tag(name, attributes, ">\n")
        open.append(name)
    }

    /// Writes the end tag of the innermost element.
    mutating func end() {
        guard let name = open.popLast() else { return }
        indent()
        text += "</\(name)>\n"
    }

    /// Writes an element with text content, or an empty one.
    mutating func element(_ name: String, _ attributes: [(String, String)] = [], _ content: String = "") {
        if content.isEmpty {
            tag(name, attributes, "/>\n")
        } else {
            tag(name, attributes, ">")
            text += Self.escaped(content, isAttribute: false)
            text += "</\(name)>\n"
        }
    }

    private mutating func tag(_ name: String, _ attributes: [(String, String)], _ end: String) {
        indent()
        text += "<\(name)"
        for (key, value) in attributes { text += " \(key)=\"\(Self.escaped(value, isAttribute: true))\"" }
        text += end
    }

    private mutating func indent() {
        for _ in open { text += "  " }
    }

    /// Returns escaped text. Line ends in attributes are also escaped, since they would be normalized to spaces.
    /// Characters that XML 1.0 §2.2 does not allow, and terminal control characters, are shown as escape sequences.
    private static func escaped(_ text: String, isAttribute: Bool) -> String {
        var result = String.UnicodeScalarView()
        func append(_ words: String) { result.append(contentsOf: words.unicodeScalars) }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\"" where isAttribute: append("&quot;")
            // In a log, the sequence would start a command of the GitHub runner.
            case "[" where result.suffix(2).elementsEqual("##".unicodeScalars): append("&#91;")
            case "\n" where isAttribute: append("&#10;")
            case "\t" where isAttribute: append("&#9;")
            case "\n", "\t": result.append(scalar)
            case "\u{FFFE}", "\u{FFFF}": append("\u{FFFD}")
            case let scalar where Unprintable.contains(scalar): append(Unprintable.shown(scalar))
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
