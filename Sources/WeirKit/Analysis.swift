public import WeirCapture
public import WeirEngine
import WeirPackets
public import WeirProtocols

/// An analysis of captures: from files to sessions, streams, events and findings.
///
///     let result = try Analysis("camera.pcap").run()
///     for stream in result.streams { print(stream.encoding ?? "?", stream.details.summary) }
///     for finding in result.findings where finding.severity == .error { print(finding.rule, finding.frame ?? 0) }
///
/// `run()` analyzes all files in sequence and stores the results; `run(_:into:)` reports incrementally and stores
/// nothing.
public struct Analysis {
    /// The files in order: pcap or pcapng, optionally compressed.
    public let files: [String]
    /// The protocols to detect, with their rules.
    public var plugins: [any Plugin.Type]
    /// The rules to check; those of `plugins` by default.
    public var rules: [any Rule.Type]
    /// The options of the analyzer.
    public var options = AnalyzerOptions()
    /// The options of the rule engine.
    public var judging = RuleEngine.Options()
    /// The filter, as a pcap-filter(7) expression; nil for all packets.
    public var filter: CaptureFilter?

    /// Whether secrets in the capture itself decrypt it.
    package var usesContainedSecrets = true
    /// Called with a description of a line with secrets in a capture that cannot be used.
    package var whenSecretsUnread: (@Sendable (String) -> Void)?

    /// Receives every media packet, to write it to files.
    package var tap: (any MediaTap & PieceTap)? { didSet { options.keepsMedia = tap != nil } }

    /// Creates an analysis of files.
    ///
    /// - Parameter plugins: The protocols to detect; append your own to `BuiltIn.plugins`.
    public init(_ files: String..., plugins: [any Plugin.Type] = BuiltIn.plugins) {
        self.init(files, plugins: plugins)
    }

    /// Creates an analysis of files.
    public init(_ files: [String], plugins: [any Plugin.Type] = BuiltIn.plugins) {
        self.files = files
        self.plugins = plugins
        rules = plugins.flatMap { $0.rules }
    }

    /// Analyzes all files and returns the results, which must fit into memory.
    ///
    /// - Throws: `CaptureError` if a file cannot be opened. A truncated or damaged file is analyzed up to that point;
    ///   the summary reports the damage.
    public func run() throws(CaptureError) -> AnalysisResult {
        let collector = ResultCollector(plugins: plugins)
        for file in files {
            let reported = collector.result.summaries.count
            do throws(CaptureError) {
                try run(file, into: collector)
            } catch {
                // The summary reports the damage of a file that could be opened.
                if collector.result.summaries.count == reported { throw error }
            }
        }
        return collector.result
    }

    /// Analyzes one file and reports incrementally.
    ///
    /// - Parameter watch: Called periodically with the file and the number of frames analyzed: before each frame of a
    ///   pipe that may block, otherwise before each 256th.
    /// - Throws: `CaptureError` if the file cannot be opened or not be read to its end. What was read before has been
    ///   reported.
    public func run(
        _ file: String, into sink: any ReportSink, watch: (borrowing CaptureFile, Int) -> Void = { _, _ in }
    ) throws(CaptureError) {
        try run(try CaptureFile(file, filter: filter), file, into: sink, watch: watch)
    }

    /// Analyzes an open file, using its filter.
    public func run(
        _ opened: consuming CaptureFile, _ file: String, into sink: any ReportSink,
        watch: (borrowing CaptureFile, Int) -> Void = { _, _ in }
    ) throws(CaptureError) {
        try run(opened, file, into: sink, keeping: nil, watch: watch)
    }

    /// Analyzes an open file, using its filter.
    ///
    /// - Parameter remains: Keeps the state of the analysis, if the process ends with it.
    package func run(
        _ opened: consuming CaptureFile, _ file: String, into sink: any ReportSink, keeping remains: Remains?,
        watch: (borrowing CaptureFile, Int) -> Void
    ) throws(CaptureError) {
        var capture = opened
        var options = options
        options.isFiltered = options.isFiltered || filter != nil
        if usesContainedSecrets { Self.addSecrets(of: capture, file, &options, report: whenSecretsUnread) }
        let judge = RuleEngine(rules: rules, of: plugins, options: judging, sink: sink)
        let analyzer = Analyzer(options: options, plugins: plugins, sink: judge)
        if let tap {
            analyzer.shared(MediaStreams.self).tap = tap
            analyzer.shared(PieceTaps.self).tap = tap
        }
        analyzer.begin(
            CaptureRecord(
                file: file, format: capture.format.rawValue, linkTypes: capture.linkTypes,
                snapLength: capture.snapLengths.first.flatMap { $0 > 0 ? $0 : nil }, isStreamed: capture.size == nil))
        capture.whenInterfaceLost { analyzer.noteLoss(of: $0.name, at: $0.time) }
        do throws(CaptureError) {
            var dropped = 0
            let count = capture.size == nil ? 1 : 256
            watch(capture, 0)
            while let pause = try analyzer.process(&capture, atMost: count) {
                if case .drops(let time) = pause {
                    analyzer.noteDrops(capture.droppedPackets &- dropped, at: time)
                    dropped = capture.droppedPackets
                }
                watch(capture, analyzer.frames)
            }
            watch(capture, analyzer.frames)
        } catch {
            if let wrong = capture.wrongTimes { analyzer.noteWrongTimes(wrong.frames, first: wrong.first) }
            analyzer.finish(
                damage: Damage(file: file, frame: error.frame ?? 1, offset: error.offset, reason: error.reason))
            throw error
        }
        if let wrong = capture.wrongTimes { analyzer.noteWrongTimes(wrong.frames, first: wrong.first) }
        if let end = capture.endTime { analyzer.advance(to: end) }
        analyzer.finish(keeping: remains)
    }
}
