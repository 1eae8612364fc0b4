extension TextReport {
    /// How the page looks, and how much of the capture is on it.
    public struct Page: Sendable {
        /// Which timelines follow the overview.
        public enum Extent: Sendable {
            /// None.
            case overview
            /// Condensed ones, of many sessions only those with errors or warnings.
            case condensed
            /// All, with every step.
            case whole
        }

        /// Columns of the display.
        public var width = 120
        /// Whether to color it.
        public var color = false
        /// Whether steps have date and time of day in UTC, instead of the seconds since the first packet.
        public var showsTimeOfDay = false
        /// Which timelines follow the overview.
        public var extent = Extent.condensed
        /// Whether known habits of programs are listed one by one.
        public var showsHabits = false

        /// Whether every step stands on a line of its own.
        var isWhole: Bool { extent == .whole }

        /// 120 columns, no color, condensed.
        public init() {}
    }
}
