import WeirEngine

/// A way to write the conformance report.
protocol VerdictPage: AnyObject {
    /// A capture is judged.
    func add(_ capture: CheckedCapture)
    /// All captures are judged.
    func conclude(_ run: RunVerdict)
    /// What can be written by now, if the format allows it.
    func take() -> [UInt8]
}

/// What the formats of a conformance report need to know beside how to print.
package struct VerdictOptions: Sendable {
    /// Width and colour of the text.
    package var page = TextReport.Page()
    /// Whether to say which clauses were exercised.
    package var withCoverage = false
    /// Where captures lie.
    package var paths = CheckoutPaths()
    /// Weir's version.
    package var version = Version.number

    /// The defaults.
    package init() {}
}
