import WeirEngine

/// Writes XML 1.0 into a growing text: elements indented, what XML cannot hold replaced.
struct XMLWriter {
    private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    private var open: [String] = []

    /// Begins an element that holds others.
    mutating func begin(_ name: String, _ attributes: [(String, String)] = []) {
        tag(name, attributes, ">\n")
        open.append(name)
    }

    /// Ends the element begun last.
    mutating func end() {
        guard let name = open.popLast() else { return }
        indent()
        text += "</\(name)>\n"
    }

    /// An element that holds nothing but text, or nothing.
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

    /// Markup is escaped, and so are line ends in attributes, which would become blanks. Characters that XML 1.0 §2.2 does
    /// not allow, and what steers a terminal, are written out.
    private static func escaped(_ text: String, isAttribute: Bool) -> String {
        var result = String.UnicodeScalarView()
        func append(_ words: String) { result.append(contentsOf: words.unicodeScalars) }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\"" where isAttribute: append("&quot;")
            // In a log it would begin a command to GitHub's runner.
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
