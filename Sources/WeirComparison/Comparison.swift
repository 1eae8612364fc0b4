/// The comparison of two captures.
package enum Comparison: Sendable {
    /// The same traffic at two places.
    case places(PlacesComparison)
    /// Two runs of the same kind.
    case runs(RunsComparison)

    /// What two captures are.
    package enum Mode: String, Sendable, CaseIterable {
        /// One run at two places.
        case places
        /// Two runs.
        case runs
    }

    /// Compares two captures.
    ///
    /// - Parameter mode: What they are; nil to find out by their content.
    package init(
        _ a: ComparedCapture, _ b: ComparedCapture, mode: Mode? = nil, limits: ComparisonLimits = ComparisonLimits()
    ) {
        switch mode ?? (PlacesComparison.fits(a, b) ? .places : .runs) {
        case .places: self = .places(PlacesComparison(a, b, limits))
        case .runs: self = .runs(RunsComparison(a, b, limits))
        }
    }

    /// Whether the captures differ.
    package var isDifferent: Bool {
        switch self {
        case .places(let comparison): comparison.isDifferent
        case .runs(let comparison): comparison.isDifferent
        }
    }
}
