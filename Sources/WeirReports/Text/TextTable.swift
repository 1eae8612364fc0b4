import WeirEngine
import WeirPackets

/// A table with columns as wide as their longest cell; the last column takes the rest of the line.
struct TextTable {
    /// A cell: the end of its text, and its width.
    private struct Cell {
        var end: Int
        var width: Int
    }

    /// Whether each column is right-aligned, for numbers.
    private let isRight: [Bool]
    /// Whether each column is omitted, for other reasons than being empty.
    private var isHidden: [Bool]
    /// The text of all cells, row by row, in one buffer: a string for each would take longer than the rest.
    private var octets: [UInt8] = []
    /// The cells, those of the heading first.
    private var cells: [Cell] = []
    /// The maximum number of lines of each row, whose last cell is truncated beyond it; empty for any number.
    var mostLines: [Int] = []

    /// The gap between columns, and in a narrow table.
    private static let (gap, narrowGap) = (2, 1)
    /// The minimum width of a text column in a narrow table.
    private static let leastOfText = 12

    /// Creates a table without rows, with right-aligned columns.
    init(_ heading: [String], right: Set<Int>) {
        isRight = heading.indices.map { right.contains($0) }
        isHidden = heading.map { _ in false }
        for words in heading { add(words) }
    }

    /// Appends a cell; each row has as many as the heading.
    mutating func add(_ words: String) { add { $0.append(words) } }

    /// Appends the cell that `write` writes.
    mutating func add(_ write: (inout [UInt8]) -> Void) {
        let start = octets.count
        write(&octets)
        var width = TextLayout.plainWidth(octets[start...])
        if width == nil {
            let words = Printable.clean(String(decoding: octets[start...], as: UTF8.self))
            octets.replaceSubrange(start..., with: words.utf8)
            width = TextLayout.width(words)
        }
        cells.append(Cell(end: octets.count, width: width ?? 0))
    }

    /// The number of rows, with the heading.
    private var rowCount: Int { isRight.isEmpty ? 0 : cells.count / isRight.count }

    /// Returns the text of a cell.
    private func words(_ row: Int, _ column: Int) -> ArraySlice<UInt8> {
        let index = row * isRight.count + column
        return octets[(index == 0 ? 0 : cells[index - 1].end)..<cells[index].end]
    }

    private func width(_ row: Int, _ column: Int) -> Int { cells[row * isRight.count + column].width }

    /// Removes a column in which several rows have the same text, and returns that.
    mutating func takeShared(_ column: Int) -> String? {
        guard rowCount > 2, !words(1, column).isEmpty else { return nil }
        for row in 2..<rowCount where words(row, column) != words(1, column) { return nil }
        isHidden[column] = true
        return String(decoding: words(1, column), as: UTF8.self)
    }

    // MARK: - Writing

    /// The printed columns.
    private struct Layout {
        /// The first column of the table.
        var column: Int
        /// The columns of the table that are printed, and their widths.
        var used: [Int]
        var widths: [Int]
        var gap: Int

        /// The last of them, and its width.
        var last: (index: Int, width: Int) { (used[used.count - 1], widths[used.count - 1]) }
        /// The first column of its cells.
        var start: Int
    }

    /// Prints the table, its first column at `column`; empty columns are omitted.
    func write(to page: inout TextPage, column: Int, first head: String = "") {
        let used = isRight.indices.filter { index in
            !isHidden[index] && (1..<rowCount).contains { !words($0, index).isEmpty }
        }
        guard !used.isEmpty else { return }
        var widths = used.map { index in (0..<rowCount).reduce(0) { max($0, width($1, index)) } }
        guard let gap = fit(&widths, used, column: column, within: page.page.width) else {
            return writeLines(used, to: &page, column: column, first: head)
        }
        let layout = Layout(
            column: column, used: used, widths: widths, gap: gap, start: column + Self.sum(widths, gap))
        for row in 0..<rowCount {
            let start = page.octets.count
            if row == 0, !head.isEmpty { page.part(head) } else { page.spaces(column) }
            writeStart(row, layout, to: &page)
            writeEnd(row, layout, from: start, to: &page)
        }
    }

    /// Writes the cells of a row but the last.
    private func writeStart(_ row: Int, _ layout: Layout, to page: inout TextPage) {
        for position in 0..<layout.used.count - 1 {
            let (index, width) = (layout.used[position], layout.widths[position])
            let (words, size) = Self.cut(words(row, index), self.width(row, index), to: width)
            if isRight[index] { page.spaces(width - size) }
            page.part(words)
            if !isRight[index] { page.spaces(width - size) }
            page.spaces(layout.gap)
        }
    }

    /// Writes the last cell of a row, and ends the row, which began at `start`.
    private func writeEnd(_ row: Int, _ layout: Layout, from start: Int, to page: inout TextPage) {
        let last = layout.last
        var (words, size) = (words(row, last.index), width(row, last.index))
        if isRight[last.index], !words.isEmpty, size < last.width {
            words = ([UInt8](repeating: ASCII.space, count: last.width - size) + words)[...]
            size = last.width
        }
        let room = page.page.width - layout.start
        guard row > 0 else {
            if room >= Self.least || isRight[last.index] {
                let each = room < Self.least ? page.page.width - layout.column - Self.indent : room
                page.part(Self.cut(words, size, to: each).words)
            }
            return page.endTrimmed(from: start, .explanation)
        }
        let lines = row <= mostLines.count ? mostLines[row - 1] : 0
        if lines > 0 {
            let each = room < Self.least ? page.page.width - layout.column - Self.indent : room
            (words, size) = Self.cut(words, size, to: Self.columns(of: lines, each: each))
        }
        if words.isEmpty {
            page.endTrimmed(from: start)
        } else if room >= min(Self.least, size) {
            page.hang(words, width: size, column: layout.start)
        } else {
            page.endTrimmed(from: start)
            page.spaces(layout.column + Self.indent)
            page.hang(words, width: size, column: layout.column + Self.indent)
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
        let last = used.last.map { isRight[$0] } ?? false ? widths.last ?? 0 : 0
        for gap in [Self.gap, Self.narrowGap] where Self.sum(widths, gap) + column + last <= width { return gap }
        while Self.sum(widths, Self.narrowGap) + column + last > width {
            let text = widths.indices.dropLast().filter { !isRight[used[$0]] && widths[$0] > Self.leastOfText }
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
        for row in 1..<rowCount {
            let cells = used.compactMap { index -> String? in
                guard !words(row, index).isEmpty else { return nil }
                let words = String(decoding: words(row, index), as: UTF8.self)
                let name = isRight[index] ? String(decoding: self.words(0, index), as: UTF8.self) : ""
                return name.isEmpty || name == "#" ? words : "\(name) \(words)"
            }
            let start = row == 1 && !head.isEmpty ? head : TextLayout.spaces(column)
            page.hanging(start, cells.joined(separator: "  "), column: column + Self.gap)
        }
    }

    /// Returns text of a width truncated to another width, at a word boundary.
    private static func cut(
        _ words: ArraySlice<UInt8>, _ width: Int, to columns: Int
    ) -> (words: ArraySlice<UInt8>, width: Int) {
        guard width > columns else { return (words, width) }
        let shown = cut(String(decoding: words, as: UTF8.self), columns)
        return (Array(shown.utf8)[...], TextLayout.width(shown))
    }

    /// Returns text truncated to a width, at a word boundary.
    static func cut(_ words: String, _ columns: Int) -> String {
        guard TextLayout.width(words) > columns else { return words }
        return (TextLayout.wrap(words, columns - 2).first ?? "") + " …"
    }
}
