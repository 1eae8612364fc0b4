extension TextReport {
    /// Layout and extent of the report.
    public struct Page: Sendable {
        /// The timelines after the overview.
        public enum Extent: Sendable {
            /// No timelines.
            case overview
            /// Condensed timelines; of many sessions, only those with errors or warnings.
            case condensed
            /// All timelines, with every step.
            case whole
        }

        /// The width of the display in columns.
        public var width = 120
        /// Whether to use color.
        public var color = false
        /// Whether steps show date and time in UTC, instead of seconds since the first packet.
        public var showsTimeOfDay = false
        /// The timelines after the overview.
        public var extent = Extent.condensed
        /// Whether known quirks of implementations are listed one by one.
        public var showsHabits = false

        /// Whether every step has a line of its own.
        var isWhole: Bool { extent == .whole }

        /// Creates a page of 120 columns, without color, condensed.
        public init() {}
    }
}
