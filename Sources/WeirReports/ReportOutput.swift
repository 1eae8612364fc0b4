public import WeirEngine

/// The destination of a report: a file, a pipe, or memory in a test.
public protocol ReportOutput: AnyObject {
    /// Writes octets in their final order.
    func write(_ octets: [UInt8])
    /// Marks the report as incomplete: a part of it cannot be read back.
    func fail(_ reason: any Error)
}

/// A report that is written while the capture is analyzed.
public protocol Report: ReportSink {
    /// Writes out buffered output, if the format allows it.
    func flush()
    /// Writes an overview of everything so far, if the format has one.
    func showOverview()
    /// Writes the remainder after the last capture.
    func finish()
}

extension Report {
    /// Does nothing by default.
    public func showOverview() {}
}

/// Collects a report in memory.
public final class MemoryOutput: ReportOutput {
    /// The octets written so far.
    public private(set) var octets: [UInt8] = []
    /// The octets as text.
    public var text: String { String(decoding: octets, as: UTF8.self) }
    /// Why the report is incomplete.
    public private(set) var failure: (any Error)?

    /// Creates an empty output.
    public init() {}

    /// Appends octets.
    public func write(_ octets: [UInt8]) {
        self.octets += octets
    }

    /// Records why the report is incomplete.
    public func fail(_ reason: any Error) {
        failure = failure ?? reason
    }
}

/// The steps that are explained.
public enum Explanations: String, Sendable, CaseIterable {
    /// The first step of each kind; in text only if the line has room for it.
    case first
    /// All steps.
    case always
    /// None.
    case never
}

/// Options of all reports.
public struct ReportOptions: Sendable {
    /// The language of notes, findings and outcomes.
    public var language = Language.english
    /// Whether secrets are shown.
    public var secrets = SecretPolicy.masked
    /// The steps that are explained.
    public var explanations = Explanations.first
    /// The events that are shown.
    public var selection = Selection()
    /// The plugins whose texts are used.
    public var plugins: [any Plugin.Type]

    /// Creates default options with the texts of these plugins.
    public init(plugins: [any Plugin.Type]) {
        self.plugins = plugins
    }
}
