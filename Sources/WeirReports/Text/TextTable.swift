import WeirEngine
import WeirPackets

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

    /// The gap between columns, and in a narrow table.
    private static let (gap, narrowGap) = (2, 1)
    /// The minimum width of a text column in a narrow table.
    private static let leastOfText = 12

    /// Prints the table, its first column at `column`; empty columns are omitted.
    func write(to page: inout TextPage, column: Int, first head: String = "") {
        let all = (heading.map { [$0] } ?? []) + rows
        let count = all.map(\.count).max() ?? 0
        let used = (0..<count).filter { index in rows.contains { $0.indices.contains(index) && !$0[index].isEmpty } }
        guard let last = used.last else { return }
        let cells = all.map { row in used.map { cell(row, $0) } }
        let sizes = cells.map { $0.map { TextLayout.width($0) } }
        var widths = used.indices.map { position in sizes.map { $0[position] }.max() ?? 0 }
        let gap = fit(&widths, used, column: column, within: page.page.width)
        guard let gap else { return writeLines(used, to: &page, column: column, first: head) }
        let isRight = used.map { right.contains($0) }
        let fixed = widths.dropLast().reduce(column) { $0 + $1 + gap }
        for (number, row) in cells.enumerated() {
            let isHeading = number == 0 && heading != nil
            var line = number == 0 && !head.isEmpty ? head : TextLayout.spaces(column)
            for position in used.indices.dropLast() {
                let width = widths[position]
                let fits = sizes[number][position] <= width
                let words = fits ? row[position] : Self.cut(row[position], width)
                let padding = TextLayout.spaces(width - (fits ? sizes[number][position] : TextLayout.width(words)))
                line += isRight[position] ? padding + words : words + padding
                line += TextLayout.spaces(gap)
            }
            var words = row.last ?? ""
            if right.contains(last), !words.isEmpty { words = TextLayout.right(words, widths.last ?? 0) }
            let index = number - (heading == nil ? 0 : 1)
            let lines = isHeading ? 1 : mostLines.indices.contains(index) ? mostLines[index] : 0
            let room = page.page.width - fixed
            if isHeading, room < Self.least, !right.contains(last) {
                words = ""
            } else if lines > 0 {
                let each = room < Self.least ? page.page.width - column - Self.indent : room
                words = Self.cut(words, Self.columns(of: lines, each: each))
            }
            if isHeading {
                page.line(page.style(Self.trimmed(line + words), .explanation))
            } else if words.isEmpty {
                page.line(Self.trimmed(line))
            } else if room >= min(Self.least, TextLayout.width(words)) {
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

    /// Makes the columns fit into a page; the last one takes a line of its own if there is little left for it.
    ///
    /// - Returns: The gap between columns, or nil if they do not fit.
    private func fit(_ widths: inout [Int], _ used: [Int], column: Int, within width: Int) -> Int? {
        let last = used.last.map { right.contains($0) } ?? false ? widths.last ?? 0 : 0
        for gap in [Self.gap, Self.narrowGap] where Self.sum(widths, gap) + column + last <= width { return gap }
        while Self.sum(widths, Self.narrowGap) + column + last > width {
            let text = widths.indices.dropLast().filter { !right.contains(used[$0]) && widths[$0] > Self.leastOfText }
            guard let widest = text.max(by: { widths[$0] < widths[$1] }) else { return nil }
            widths[widest] -= 1
        }
        return Self.narrowGap
    }

    /// Returns the columns of all but the last, with gaps.
    private static func sum(_ widths: [Int], _ gap: Int) -> Int { widths.dropLast().reduce(0) { $0 + $1 + gap } }

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
        guard line.utf8.last == ASCII.space else { return line }
        let end = line.utf8.lastIndex { $0 != ASCII.space }.map { line.utf8.index(after: $0) } ?? line.startIndex
        return String(line[..<end])
    }

    /// Returns text truncated to a width, at a word boundary.
    static func cut(_ words: String, _ columns: Int) -> String {
        guard TextLayout.width(words) > columns else { return words }
        return (TextLayout.wrap(words, columns - 2).first ?? "") + " …"
    }
}
