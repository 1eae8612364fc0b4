public import WeirCapture
public import WeirEngine
import WeirPackets
public import WeirProtocols

/// Analyses captures: from files to sessions, streams, events and findings.
///
///     let result = try Analysis("camera.pcap").run()
///     for stream in result.streams { print(stream.encoding ?? "?", stream.details.summary) }
///     for finding in result.findings where finding.severity == .error { print(finding.rule, finding.frame ?? 0) }
///
/// All files are one analysis after the other; `run(_:into:)` reports as it goes and keeps nothing.
public struct Analysis {
    /// The files to read, in order: pcap or pcapng, compressed or not.
    public let files: [String]
    /// The protocols to look for, and their rules.
    public var plugins: [any Plugin.Type]
    /// The rules to judge by; those of `plugins` unless set otherwise.
    public var rules: [any Rule.Type]
    /// What to analyse, and how.
    public var options = AnalyzerOptions()
    /// How to judge.
    public var judging = RuleEngine.Options()
    /// The packets to read, as an expression of pcap-filter(7); nil for all.
    public var filter: CaptureFilter?

    /// Is shown every packet of media, to write it into files.
    package var tap: (any MediaTap & PieceTap)? { didSet { options.keepsMedia = tap != nil } }

    /// Prepares the analysis of files.
    ///
    /// - Parameter plugins: the protocols to look for; add your own to `BuiltIn.plugins`.
    public init(_ files: String..., plugins: [any Plugin.Type] = BuiltIn.plugins) {
        self.init(files, plugins: plugins)
    }

    /// Prepares the analysis of files.
    public init(_ files: [String], plugins: [any Plugin.Type] = BuiltIn.plugins) {
        self.files = files
        self.plugins = plugins
        rules = plugins.flatMap { $0.rules }
    }

    /// Analyses all files, and keeps what came of it: for captures of which the story fits into memory.
    ///
    /// - Throws: `CaptureError` when a file cannot be opened. One that breaks off in the middle is analysed as far as it
    ///   goes; the summary says where it broke.
    public func run() throws(CaptureError) -> AnalysisResult {
        let collector = ResultCollector(plugins: plugins)
        for file in files {
            let told = collector.result.summaries.count
            do throws(CaptureError) {
                try run(file, into: collector)
            } catch {
                // Of one that broke off the summary tells.
                if collector.result.summaries.count == told { throw error }
            }
        }
        return collector.result
    }

    /// Analyses one file and hands its story on as it happens.
    ///
    /// - Parameter watch: is called now and then with the file and how many of its frames were analysed: before each frame that
    ///   comes through a pipe and may have to be waited for, else before each 256th.
    /// - Throws: `CaptureError` when the file cannot be opened, or not be read to its end. What was read before was told.
    public func run(
        _ file: String, into sink: any ReportSink, watch: (borrowing CaptureFile, Int) -> Void = { _, _ in }
    ) throws(CaptureError) {
        try run(try CaptureFile(file, filter: filter), file, into: sink, watch: watch)
    }

    /// Analyses a file that was opened, with the analysis's filter.
    public func run(
        _ opened: consuming CaptureFile, _ file: String, into sink: any ReportSink,
        watch: (borrowing CaptureFile, Int) -> Void = { _, _ in }
    ) throws(CaptureError) {
        var capture = opened
        var options = options
        options.isFiltered = options.isFiltered || filter != nil
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
        } catch {
            if let wrong = capture.wrongTimes { analyzer.noteWrongTimes(wrong.frames, first: wrong.first) }
            analyzer.finish(
                damage: Damage(file: file, frame: error.frame ?? 1, offset: error.offset, reason: error.reason))
            throw error
        }
        if let wrong = capture.wrongTimes { analyzer.noteWrongTimes(wrong.frames, first: wrong.first) }
        if let end = capture.endTime { analyzer.advance(to: end) }
        analyzer.finish()
    }
}
