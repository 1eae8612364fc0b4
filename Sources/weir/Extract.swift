import ArgumentParser
import CProcess
import SystemPackage
import WeirEngine
import WeirKit
import WeirPackets
import WeirProtocols
import WeirReports

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `weir extract`: the media of streams as playable files.
struct Extract: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Extract the media of a stream to a playable file.",
        discussion: """
            H.264, H.265 and MPEG-4 Visual are written as a byte stream, VP8, VP9 and AV1 as IVF, AAC and LATM as ADTS, \
            Opus as Ogg, G.711, L16 and L24 as WAV, JPEG as Motion JPEG; AC-3, MPEG-TS and MPEG-PS, in RTP, UDP, SRT or HTTP, are \
            copied. RTMP is written as FLV, with all tracks of a publisher in one file. Frames with missing packets are \
            skipped; nothing is concealed. Of unsignaled media, packets before its detection are skipped as well. \
            Streams are numbered as in the analysis (weir FILE --format ndjson).

            Examples:
              weir extract --stream 1 -o camera.h264 camera.pcap
              weir extract --stream 1 -o - camera.pcap | ffplay -
              weir extract --all media camera.pcap
            """
    )

    @Option(help: ArgumentHelp("The number of the stream to extract.", valueName: "number"))
    var stream: Int?

    @Option(name: .shortAndLong, help: ArgumentHelp("The output file; - is standard output.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Extract all streams to this directory, with a manifest.", valueName: "folder"))
    var all: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("With --all, extract only the streams of this session. Repeatable.", valueName: "number"))
    var session: [Int] = []

    @OptionGroup(title: "Input") var reading: AnalysisOptions

    @Argument(
        help: ArgumentHelp("The capture, pcap or pcapng, plain or compressed; - is standard input.", valueName: "file"))
    var file: String

    func validate() throws {
        let isOne = stream != nil && output != nil && all == nil
        let isAll = all != nil && stream == nil && output == nil
        guard isOne || isAll else {
            throw ValidationError(plain: "Give --stream NUMBER and --output FILE, or --all FOLDER.")
        }
        guard session.isEmpty || isAll else { throw ValidationError(plain: "--session requires --all FOLDER.") }
        guard session.isEmpty || file != "-" else {
            throw ValidationError(plain: "--session reads the capture twice, which standard input does not allow.")
        }
    }

    func run() throws {
        let options = try reading.analyzerOptions()
        let wanted = try wantedStreams(options)
        let writer = try MediaWriter(
            stream: stream, wanted: wanted, output: output, folder: all, capture: file, limits: options.limits)
        var analysis = Analysis(file)
        analysis.options = options
        analysis.filter = try reading.captureFilter()
        // Set after the options, which it modifies.
        analysis.tap = writer.extractor
        let streams = StreamList(wanted: stream)
        var failure: ExitCode?
        do {
            try analysis.run(file, into: streams)
        } catch {
            StandardError.write("weir: \(error)\n")
            failure = ExitCode(2)
        }
        DecryptionOptions.report(options, quiet: false)
        try writer.finish(streams, failure)
    }

    /// Returns the streams of the requested sessions, or nil for all. They are only known at the end of a session.
    private func wantedStreams(_ options: AnalyzerOptions) throws -> Set<Int>? {
        guard !session.isEmpty else { return stream.map { [$0] } }
        var analysis = Analysis(file)
        analysis.options = options
        analysis.filter = try reading.captureFilter()
        analysis.rules = []
        let sessions = SessionStreams()
        // Damage is reported by the second pass, which extracts everything before it.
        try? analysis.run(file, into: sessions)
        if let missing = session.sorted().first(where: { sessions.streams[$0] == nil }) {
            StandardError.write("weir: there is no session \(missing)\n")
            throw ExitCode.validationFailure
        }
        return session.reduce(into: []) { $0.formUnion(sessions.streams[$1] ?? []) }
    }
}

/// Collects the streams of each session.
private final class SessionStreams: ReportSink {
    private(set) var streams: [Int: Set<Int>] = [:]
    var factPolicies: Set<SecretPolicy> { [] }
    var listsFlows: Bool { false }
    func session(_ record: SessionRecord) { streams[record.id] = Set(record.streams) }
}

/// Opens the media files, and reports the result of each.
private final class MediaWriter {
    private(set) var extractor: MediaExtractor
    private let folder: String?
    private let stream: Int?
    private let files: MediaFiles

    /// - Parameter wanted: The streams to write, or nil for all.
    init(stream: Int?, wanted: Set<Int>?, output: String?, folder: String?, capture: String, limits: Limits) throws {
        if let output { try OutputNames.check(written: [output], read: [capture]) }
        self.folder = folder
        self.stream = stream
        let files = MediaFiles()
        self.files = files
        if let folder { try OutputFolder.make(folder) }
        extractor = MediaExtractor(isWanted: { wanted?.contains($0) ?? true }, limits: limits) { number, ending in
            let name = folder == nil ? output ?? "-" : "stream-\(number).\(ending)"
            return files.make(number, name, path: folder.map { "\($0)/\(name)" } ?? name)
        }
    }

    /// - Parameter failure: The exit code if the capture could not be read completely.
    func finish(_ streams: StreamList, _ failure: ExitCode?) throws {
        extractor.finish()
        for result in extractor.results {
            let isEncrypted = streams.encrypted.contains(result.stream)
            StandardError.write("weir: \(line(result))\(isEncrypted ? Self.encrypted : "")\n")
        }
        if let folder { try writeManifest(folder) }
        if let failure = failure ?? files.failure { throw failure }
        guard let stream else {
            // The manifest lists no stream; the capture was read, so that this is no failure.
            if extractor.results.isEmpty {
                StandardError.write("weir: no media to extract: the capture contains no media stream\n")
            }
            return
        }
        guard let result = extractor.results.first else {
            StandardError.write("weir: \(Self.absence(of: stream, streams))\n", keepingLines: true)
            throw ExitCode(2)
        }
        if result.problem != nil || result.framesOut == 0 { throw ExitCode(2) }
    }

    private static func absence(of stream: Int, _ streams: StreamList) -> String {
        if streams.others.contains(stream) { return "stream \(stream) is not RTP: its media cannot be extracted" }
        let known =
            streams.lines.isEmpty
            ? "the capture contains none" : "the capture contains\n" + streams.lines.joined(separator: "\n")
        return "there is no stream \(stream); \(known)"
    }

    private static let encrypted = "; its payload is encrypted, and was written as it is"

    private func line(_ result: ExtractedStream) -> String {
        let name = "stream \(result.stream)" + (result.encoding.map { " (\($0))" } ?? "")
        if let problem = result.problem { return "\(name) was not written: \(problem.reason)" }
        if files.failed.contains(result.file ?? result.stream) {
            return "\(name) was not written: cannot write its file"
        }
        func packets(_ count: Int) -> String { count == 1 ? "1 packet" : "\(count) packets" }
        let frames = result.framesIn == 1 ? "frame" : "frames"
        var line = "\(name): \(result.framesOut) of \(result.framesIn) \(frames) written"
        let left = result.framesIn - result.framesOut
        if left > 0 {
            let isDamaged = result.missingPackets + result.cutPackets + result.earlyPackets > 0
            line += isDamaged ? ", the others are incomplete" : "; \(left) that cannot be reassembled skipped"
        }
        if result.missingPackets > 0 { line += "; \(packets(result.missingPackets)) missing" }
        if result.cutPackets > 0 { line += "; \(packets(result.cutPackets)) truncated by the snap length" }
        if result.earlyPackets > 0 { line += "; \(packets(result.earlyPackets)) before its detection skipped" }
        if result.otherPackets > 0 { line += "; \(packets(result.otherPackets)) of other payload types skipped" }
        if let file = result.file, file != result.stream { line += "; in the file of stream \(file)" }
        if result.lacksConfiguration {
            line += "; the capture has no sequence header for it: players cannot decode it"
        }
        if let other = result.configurationOf {
            line += "; its sequence header was not captured: that of stream \(other) was written"
        }
        if result.lacksOctets { line += "; octets of its connection were not captured: later times may be early" }
        if result.tooLongPictures > 0 { line += "; limit reached: \(result.tooLongPictures) too long to buffer" }
        return line
    }

    private func writeManifest(_ folder: String) throws {
        let entries = extractor.results.sorted { $0.stream < $1.stream }.map { result in
            ManifestEntry(
                stream: result.stream, encoding: result.encoding, file: files.names[result.file ?? result.stream],
                packets: result.packets, missingPackets: result.missingPackets,
                earlyPackets: result.earlyPackets, frames: result.framesIn,
                writtenFrames: result.framesOut, lacksSequenceHeader: result.lacksConfiguration ? true : nil,
                sequenceHeaderOf: result.configurationOf, problem: result.problem?.reason)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let output = try FileOutput("\(folder)/manifest.json")
        output.write(Array(try encoder.encode(["streams": entries])) + Array("\n".utf8))
        try output.close()
    }
}

/// The manifest entry of a stream.
private struct ManifestEntry: Encodable {
    var stream: Int
    var encoding: String?
    var file: String?
    var packets: Int
    var missingPackets: Int
    var earlyPackets: Int
    var frames: Int
    var writtenFrames: Int
    var lacksSequenceHeader: Bool?
    var sequenceHeaderOf: Int?
    var problem: String?
}

/// Collects the streams of a capture, for the error message about an unknown stream.
private final class StreamList: ReportSink {
    private(set) var lines: [String] = []
    /// The IDs of the streams.
    private(set) var others: Set<Int> = []
    /// Those with encrypted payload, among the wanted ones.
    private(set) var encrypted: Set<Int> = []
    private let wanted: Int?

    /// Creates an empty list; all streams are wanted if no number is given.
    init(wanted: Int?) {
        self.wanted = wanted
    }

    var listsFlows: Bool { false }
    func begin(_ capture: CaptureRecord) {}
    func event(_ event: Event, session: SessionReference?, findings: [Finding]) {}
    func finding(_ finding: Finding, session: SessionReference?) {}
    func flow(_ flow: FlowRecord) {}
    func stream(_ stream: StreamRecord, session: SessionReference?) {
        if others.count < 1_000 { others.insert(stream.id) }
        if wanted == nil || wanted == stream.id, (stream.details as? RTPStreamDetails)?.isUndecrypted == true {
            encrypted.insert(stream.id)
        }
        guard lines.count < 100 else { return }
        lines.append("  \(stream.id)  \(stream.source) → \(stream.destination)  \(stream.encoding ?? stream.kind)")
    }
    func session(_ record: SessionRecord) {}
    func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {}
}
