internal import WeirReports

/// Writes a report as text.
enum ComparisonText {
    private static let width = 120

    /// Returns the text.
    static func write(_ outline: ReportOutline) -> String {
        var text = wrapped(outline.title, indent: 0) + "\n"
        for block in outline.blocks {
            switch block {
            case .heading(let words): text += "\n" + words + "\n"
            case .lines(let lines): for line in lines { text += wrapped(line, indent: 2) }
            case .table(let table): text += table.plain
            // The differences are listed.
            case .ladder: break
            }
        }
        return Printable.clean(text, keepingLines: true)
    }

    /// Breaks a line at spaces.
    private static func wrapped(_ line: String, indent: Int) -> String {
        var result = ""
        var current = String(repeating: " ", count: indent)
        var isEmpty = true
        for word in line.split(separator: " ", omittingEmptySubsequences: false) {
            if !isEmpty, current.count + 1 + word.count > width {
                result += current + "\n"
                current = String(repeating: " ", count: indent + 2) + word
            } else {
                current += (isEmpty ? "" : " ") + word
            }
            isEmpty = false
        }
        return result + current + "\n"
    }
}

extension ReportOutline.Table {
    /// The table with columns aligned by spaces.
    fileprivate var plain: String {
        let all = [columns] + rows
        let widths = columns.indices.map { column in all.map { Self.columns($0[column]) }.max() ?? 0 }
        return all.map { row in
            var line = " "
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: max(0, widths[column] - Self.columns(cell)))
                line += " " + (isNumeric[column] ? padding + cell : cell + padding) + " "
            }
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }

    /// Returns the columns that a text takes in a terminal: two for each CJK character.
    private static func columns(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + (0x2E80...0xFFEF ~= $1.value ? 2 : 1) }
    }
}
