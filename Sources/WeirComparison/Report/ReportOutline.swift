/// A report independent of its format: headings, sentences, tables and ladders.
struct ReportOutline {
    /// A part of a report.
    enum Block {
        case heading(String)
        case lines([String])
        case table(Table)
        case ladder(Ladder)
    }

    /// A table.
    struct Table {
        var columns: [String]
        /// Whether a column contains numbers, which are right-aligned.
        var isNumeric: [Bool]
        var rows: [[String]]
    }

    /// Two ladders side by side.
    struct Ladder {
        /// A step of a ladder.
        struct Step {
            var frame: String
            var offset: String
            /// Whether the client sent it; nil if neither side did.
            var isToRight: Bool?
            /// The direction as a character.
            var arrow: String { isToRight.map { $0 ? "→" : "←" } ?? "" }
            var protocolName: String
            var words: String
        }

        /// The titles.
        var a: String
        var b: String
        /// The names of the two sides, the left one first.
        var ends: (String, String)
        /// Steps beside each other, and the number of their difference.
        var rows: [(a: Step?, b: Step?, difference: Int?)]
    }

    /// The title of the document.
    var title: String
    /// The parts.
    var blocks: [Block] = []

    mutating func heading(_ words: String) { blocks.append(.heading(words)) }
    mutating func lines(_ lines: [String]) { if !lines.isEmpty { blocks.append(.lines(lines)) } }
    mutating func table(_ columns: [(name: String, isNumeric: Bool)], _ rows: [[String]]) {
        guard !rows.isEmpty else { return }
        blocks.append(.table(Table(columns: columns.map(\.name), isNumeric: columns.map(\.isNumeric), rows: rows)))
    }
}
