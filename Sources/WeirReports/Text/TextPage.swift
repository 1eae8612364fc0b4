import WeirDissectors
import WeirPackets
import WeirRules

/// A page of text that is filled line by line.
struct TextPage {
    private(set) var octets: [UInt8] = []
    let page: TextReport.Page
    let catalogue: Catalogue

    init(_ options: ReportOptions, _ page: TextReport.Page) {
        self.page = page
        catalogue = Catalogue(options.language, options.secrets)
    }

    mutating func line(_ text: String = "") {
        octets.append(contentsOf: text.utf8)
        octets.append(ASCII.lineFeed)
    }

    /// The beginning of a line; what follows comes with `line`.
    mutating func part(_ text: String) {
        octets.append(contentsOf: text.utf8)
    }

    /// The same, filled with spaces on the left.
    mutating func part(_ text: String, right columns: Int) {
        spaces(columns - TextLayout.width(text))
        part(text)
    }

    /// The same, filled with spaces on the right.
    mutating func part(_ text: String, left columns: Int) {
        part(text)
        spaces(columns - TextLayout.width(text))
    }

    /// Spaces; none when the count is negative.
    mutating func spaces(_ count: Int) {
        for _ in 0..<max(0, count) { octets.append(ASCII.space) }
    }

    /// Text that goes on under its beginning: `head` stands in front of the first line only.
    mutating func hanging(_ head: String, _ text: String, column: Int, style: TextStyle? = nil) {
        let lines = TextLayout.wrap(Printable.clean(text), max(20, page.width - column))
        for (index, part) in lines.enumerated() {
            let front = index == 0 ? head : String(repeating: " ", count: column)
            line(front + (style.map { self.style(part, $0) } ?? part))
        }
    }

    /// A word in bold, and text that goes on under its beginning.
    mutating func block(_ name: String, _ text: String) {
        hanging(style(name, .heading) + "  ", text, column: TextLayout.width(name) + 2)
    }

    /// A finding, its severity right before `column`.
    mutating func finding(_ finding: Finding, place: String = "", column: Int) {
        let (name, look): (String, TextStyle) =
            switch (finding.verdict, finding.severity) {
            case (.inconclusive, _): (label("inconclusive"), .note)
            case (_, .error): (label("error"), .error)
            case (_, .warning): (label("warning"), .warning)
            case (_, .note): (label("note"), .note)
            }
        var text = "\(finding.rule)  \(place)\(catalogue.sentence(finding.message))"
        if let expected = finding.expected, let actual = finding.actual {
            // The sentence goes on.
            if text.last == "." || text.last == "。" { text.removeLast() }
            let values = (catalogue.sentence(expected), catalogue.sentence(actual))
            // The values go on with the sentence.
            if text.hasSuffix(".") || text.hasSuffix("。") { text.removeLast() }
            text += label("expectedActual", .string(values.0), .string(values.1))
        }
        if !finding.reference.isEmpty { text += " (\(finding.reference))" }
        if let quirk = finding.quirk { text += " [\(quirk)]" }
        hanging(style(TextLayout.right(name, column - 2), look) + "  ", text, column: column)
    }

    /// Rules that a message of which only the beginning was captured leaves undecided.
    mutating func cut(_ findings: [Finding], column: Int) {
        guard !findings.isEmpty else { return }
        let rules = findings.map(\.rule).joined(separator: ", ")
        hanging(
            style(TextLayout.right(label("inconclusive"), column - 2), .note) + "  ",
            rules + label("cutRules"), column: column)
    }

    func style(_ text: String, _ style: TextStyle) -> String { style.apply(text, color: page.color) }

    func label(_ key: String, _ arguments: Text.Argument...) -> String {
        catalogue.sentence(Text("label.\(key)", arguments: arguments))
    }

    /// Findings in words: `1 error, 2 warnings`; nil when there are none.
    func tally(_ counts: FindingCounts) -> String? {
        let parts = [
            (counts.errors, "errors"), (counts.warnings, "warnings"), (counts.notes, "notes"),
            (counts.inconclusive, "inconclusives"),
        ].filter { $0.0 > 0 }.map { count($0.1, $0.0) }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// Takes what was written.
    mutating func take(_ output: any ReportOutput) {
        guard !octets.isEmpty else { return }
        output.write(octets)
        octets.removeAll(keepingCapacity: true)
    }
}
