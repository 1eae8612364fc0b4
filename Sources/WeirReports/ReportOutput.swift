public import WeirEngine

/// Where a report's octets go: a file, a pipe, or memory in a test.
public protocol ReportOutput: AnyObject {
    /// Takes octets in the order in which they are to appear.
    func write(_ octets: [UInt8])
    /// Something that was to be written cannot be had any more: what is written is no whole report.
    func fail(_ reason: any Error)
}

/// A report that is written as the timeline comes in.
public protocol Report: ReportSink {
    /// Writes out what was gathered, if the format allows it.
    func flush()
    /// Writes an overview of what was seen so far, if the format has one.
    func showOverview()
    /// All captures are analysed: writes what is left.
    func finish()
}

extension Report {
    /// By default there is none.
    public func showOverview() {}
}

/// Keeps a report in memory.
public final class MemoryOutput: ReportOutput {
    /// What was written so far.
    public private(set) var octets: [UInt8] = []
    /// The same as text.
    public var text: String { String(decoding: octets, as: UTF8.self) }
    /// Why it is no whole report.
    public private(set) var failure: (any Error)?

    /// Creates an empty one.
    public init() {}

    /// Appends octets.
    public func write(_ octets: [UInt8]) {
        self.octets += octets
    }

    /// Takes note of why it is no whole report.
    public func fail(_ reason: any Error) {
        failure = failure ?? reason
    }
}

/// Which steps are explained in plain words.
public enum Explanations: String, Sendable, CaseIterable {
    /// Steps of each kind once, in text where the line has room for it.
    case first
    /// All steps.
    case always
    /// None.
    case never
}

/// What every report needs to know of how to print.
public struct ReportOptions: Sendable {
    /// Language of notes, findings and outcomes.
    public var language = Language.english
    /// Whether secrets are shown.
    public var secrets = SecretPolicy.masked
    /// Which steps are explained in plain words.
    public var explanations = Explanations.first
    /// Which events are shown.
    public var selection = Selection()
    /// The protocols that may be met, for their words.
    public var plugins: [any Plugin.Type]

    /// The defaults, with the words of these protocols.
    public init(plugins: [any Plugin.Type]) {
        self.plugins = plugins
    }
}
