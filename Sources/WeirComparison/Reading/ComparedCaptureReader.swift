package import WeirCapture
package import WeirEngine
package import WeirPackets
internal import WeirProtocols
internal import WeirKit

/// A capture, read to be compared with another.
package struct ComparedCapture: Sendable {
    /// The name of the file.
    package var file: String
    /// The packets.
    package var trace: PacketTrace
    /// The results of the analysis.
    package var run: RunRecord
    /// Why it was not read to the end, if it was not.
    package var damage: CaptureError?
}

/// Reads a capture once, for both the packets and the analysis.
package final class ComparedCaptureReader {
    private let file: String
    private let collector: RunCollector
    private let analyzer: Analyzer
    private var trace: PacketTrace

    /// Creates a reader for the frames of a file.
    package init(
        _ record: CaptureRecord, options: AnalyzerOptions = AnalyzerOptions(),
        limits: ComparisonLimits = ComparisonLimits(),
        plugins: [any Plugin.Type] = BuiltIn.plugins
    ) {
        file = record.file
        collector = RunCollector(limits)
        trace = PacketTrace(limits, decoding: options.limits)
        let judge = RuleEngine(
            rules: plugins.flatMap { $0.rules }, of: plugins, options: RuleEngine.Options(), sink: collector)
        analyzer = Analyzer(options: options, plugins: plugins, sink: judge)
        analyzer.begin(record)
    }

    /// Adds a frame.
    package func add(_ frame: borrowing Frame) {
        trace.add(frame)
        analyzer.process(frame)
    }

    /// Ends the capture.
    package func finish(end: Timestamp? = nil, damage: CaptureError? = nil) -> ComparedCapture {
        if let end {
            trace.cover(to: end)
            analyzer.advance(to: end)
        }
        analyzer.finish(
            damage: damage.map { Damage(file: file, frame: $0.frame ?? 1, offset: $0.offset, reason: $0.reason) })
        return ComparedCapture(file: file, trace: trace, run: collector.run, damage: damage)
    }

    private func noteDrops(_ count: Int, at time: Timestamp) { analyzer.noteDrops(count, at: time) }

    /// Reads a capture file.
    ///
    /// - Parameter watch: Called before each 256th frame, with the number of frames and octets read, and the size of the
    ///   file if known.
    /// - Throws: `CaptureError` if the file cannot be opened; damage behind the start is part of the result.
    package static func read(
        _ file: String, filter: CaptureFilter? = nil, options: AnalyzerOptions = AnalyzerOptions(),
        limits: ComparisonLimits = ComparisonLimits(), watch: (Int, Int, Int?) -> Void = { _, _, _ in }
    ) throws(CaptureError) -> ComparedCapture {
        var capture = try CaptureFile(file, filter: filter)
        var options = options
        options.isFiltered = options.isFiltered || filter != nil
        Analysis.addSecrets(of: capture, file, &options)
        let reader = ComparedCaptureReader(
            CaptureRecord(
                file: file, format: capture.format.rawValue, linkTypes: capture.linkTypes,
                snapLength: capture.snapLengths.first.flatMap { $0 > 0 ? $0 : nil }, isStreamed: capture.size == nil),
            options: options, limits: limits)
        var dropped = 0
        var frames = 0
        do throws(CaptureError) {
            while true {
                if frames & 0xFF == 0 { watch(frames, capture.octetsRead, capture.size) }
                let drops = capture.droppedPackets &- dropped
                dropped = capture.droppedPackets
                guard let frame = try capture.next() else { break }
                if drops > 0 { reader.noteDrops(drops, at: frame.info.time) }
                reader.add(frame)
                frames &+= 1
            }
        } catch {
            return reader.finish(damage: error)
        }
        return reader.finish(end: capture.endTime)
    }
}
