internal import WeirReports

/// Writes a report as Markdown.
enum ComparisonMarkdown {
    /// Returns the text.
    static func write(_ outline: ReportOutline) -> String {
        var text = "# " + escaped(outline.title) + "\n"
        for block in outline.blocks {
            switch block {
            case .heading(let words): text += "\n## " + escaped(words) + "\n\n"
            case .lines(let lines): text += lines.map { "- " + escaped($0) + "\n" }.joined()
            case .table(let table):
                text += "\n" + row(table.columns)
                text += "|" + table.isNumeric.map { $0 ? " ---: |" : " --- |" }.joined() + "\n"
                text += table.rows.map(row).joined()
            case .ladder(let ladder): text += write(ladder)
            }
        }
        return text
    }

    private static func write(_ ladder: ReportOutline.Ladder) -> String {
        var text = "\n" + row(["", ladder.a, ladder.b])
        text += "| --- | --- | --- |\n"
        for step in ladder.rows {
            text += row([step.difference.map { "**\($0)**" } ?? "", cell(step.a), cell(step.b)], keepsMarks: true)
        }
        return text
    }

    private static func cell(_ step: ReportOutline.Ladder.Step?) -> String {
        step.map { escaped("\($0.frame) \($0.arrow) \($0.protocolName) \($0.words)") } ?? ""
    }

    private static func row(_ cells: [String]) -> String { row(cells.map(escaped), keepsMarks: true) }

    private static func row(_ cells: [String], keepsMarks: Bool) -> String {
        "| " + cells.joined(separator: " | ") + " |\n"
    }

    /// Returns text whose characters have no meaning in Markdown or HTML.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in Printable.clean(text) {
            switch character {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            case "|", "\\", "`", "*", "_", "[", "]", "#", "~": result += "\\\(character)"
            default: result.append(character)
            }
        }
        return result
    }
}
