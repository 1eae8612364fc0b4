import WeirEngine

/// A table with columns as wide as their longest cell; the last column takes the rest of the line.
struct TextTable {
    /// A row: its cells as plain text.
    typealias Row = [String]

    /// Right-aligned columns, for numbers.
    var right: Set<Int> = []
    /// The column headings, or nil.
    var heading: Row?
    /// The rows.
    var rows: [Row] = []
    /// The maximum number of lines of each row, whose last cell is truncated beyond it; empty for any number.
    var mostLines: [Int] = []

    /// The gap between columns.
    private static let gap = 2

    /// Prints the table, its first column at `column`; empty columns are omitted.
    func write(to page: inout TextPage, column: Int, first head: String = "") {
        let all = (heading.map { [$0] } ?? []) + rows
        let count = all.map(\.count).max() ?? 0
        let used = (0..<count).filter { index in rows.contains { $0.indices.contains(index) && !$0[index].isEmpty } }
        guard let last = used.last else { return }
        let widths = used.map { index in all.map { TextLayout.width(cell($0, index)) }.max() ?? 0 }
        let fixed = widths.dropLast().reduce(column) { $0 + $1 + Self.gap }
        let width = fixed + (right.contains(last) ? widths.last ?? 0 : 0)
        guard width <= page.page.width else { return writeLines(used, to: &page, column: column, first: head) }
        for (number, row) in all.enumerated() {
            let isHeading = number == 0 && heading != nil
            var line = number == 0 && !head.isEmpty ? head : TextLayout.spaces(column)
            for (index, width) in zip(used, widths) where index != last {
                let words = cell(row, index)
                line += right.contains(index) ? TextLayout.right(words, width) : TextLayout.left(words, width)
                line += TextLayout.spaces(Self.gap)
            }
            var words = cell(row, last)
            if right.contains(last), !words.isEmpty { words = TextLayout.right(words, widths.last ?? 0) }
            let index = number - (heading == nil ? 0 : 1)
            let lines = isHeading ? 1 : mostLines.indices.contains(index) ? mostLines[index] : 0
            if lines > 0 { words = Self.cut(words, Self.columns(of: lines, each: page.page.width - fixed)) }
            if isHeading {
                page.line(page.style(Self.trimmed(line + words), .explanation))
            } else if words.isEmpty {
                page.line(Self.trimmed(line))
            } else if page.page.width - fixed >= min(Self.least, TextLayout.width(words)) {
                page.hanging(line, words, column: fixed)
            } else {
                page.line(Self.trimmed(line))
                page.hanging(TextLayout.spaces(column + Self.indent), words, column: column + Self.indent)
            }
        }
    }

    /// The minimum width of the last column for wrapping; in a narrower one, the cell takes a line of its own.
    private static let least = 24
    /// The indentation of such a line.
    private static let indent = 5

    /// Returns the columns of text that fit into some lines; wrapping leaves a part of all but the last unused.
    private static func columns(of lines: Int, each columns: Int) -> Int {
        lines * columns - (lines - 1) * least / 2
    }

    /// Prints the rows without alignment, for a narrow display: each number with its column heading.
    private func writeLines(_ used: [Int], to page: inout TextPage, column: Int, first head: String) {
        for (number, row) in rows.enumerated() {
            let cells = used.compactMap { index -> String? in
                let words = cell(row, index)
                guard !words.isEmpty else { return nil }
                let name = heading.map { right.contains(index) ? cell($0, index) : "" } ?? ""
                return name.isEmpty || name == "#" ? words : "\(name) \(words)"
            }
            let start = number == 0 && !head.isEmpty ? head : TextLayout.spaces(column)
            page.hanging(start, cells.joined(separator: "  "), column: column + Self.gap)
        }
    }

    private func cell(_ row: Row, _ index: Int) -> String {
        row.indices.contains(index) ? Printable.clean(row[index]) : ""
    }

    private static func trimmed(_ line: String) -> String {
        let end = line.utf8.lastIndex { $0 != 0x20 }.map { line.utf8.index(after: $0) } ?? line.startIndex
        return String(line[..<end])
    }

    /// Returns text truncated to a width, at a word boundary.
    static func cut(_ words: String, _ columns: Int) -> String {
        guard TextLayout.width(words) > columns else { return words }
        return (TextLayout.wrap(words, columns - 2).first ?? "") + " …"
    }
}
