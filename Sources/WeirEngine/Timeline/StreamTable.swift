/// A table of what a stream contains, for reports: its parts, one a row.
public struct StreamTable: Sendable {
    /// A column.
    public struct Column: Sendable {
        /// The heading.
        public var heading: Wording
        /// Whether it has numbers, which are aligned to the right.
        public var isNumber: Bool

        /// Creates a column.
        public init(_ heading: Wording, isNumber: Bool = false) {
            self.heading = heading
            self.isNumber = isNumber
        }
    }

    /// A row.
    public struct Row: Sendable {
        /// A cell for each column; empty if unknown.
        public var cells: [Wording]
        /// Further figures.
        public var notes: [Wording]

        /// Creates a row.
        public init(_ cells: [Wording], notes: [Wording] = []) {
            self.cells = cells
            self.notes = notes
        }
    }

    /// What the table is about, with figures of the whole.
    public var title: [Wording]
    /// The columns.
    public var columns: [Column]
    /// The rows.
    public var rows: [Row]

    /// Creates a table.
    public init(title: [Wording], columns: [Column], rows: [Row]) {
        self.title = title
        self.columns = columns
        self.rows = rows
    }
}
