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
public struct VerdictOptions: Sendable {
    /// Width and colour of the text.
    public var page = TextReport.Page()
    /// Whether to say which clauses were exercised.
    public var withCoverage = false
    /// Where captures lie.
    public var paths = CheckoutPaths()
    /// Weir's version.
    public var version = Version.number

    /// The defaults.
    public init() {}
}
