import WeirEngine

/// A format of the conformance report.
protocol VerdictPage: AnyObject {
    /// Adds a capture.
    func add(_ capture: CheckedCapture)
    /// Ends the report after the last capture.
    func conclude(_ run: RunVerdict)
    /// Removes and returns the output so far, if the format allows it.
    func take() -> [UInt8]
}

/// Options specific to conformance reports.
package struct VerdictOptions: Sendable {
    /// Width and color of the text.
    package var page = TextReport.Page()
    /// Whether to list exercised clauses.
    package var withCoverage = false
    /// The paths of captures in the repository.
    package var paths = CheckoutPaths()
    /// The version of Weir.
    package var version = Version.number

    /// Creates the default options.
    package init() {}
}
