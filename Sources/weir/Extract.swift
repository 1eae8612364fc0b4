import ArgumentParser
import Foundation
import WeirEngine
import WeirKit
import WeirPackets
import WeirProtocols
import WeirReports

/// `weir extract`: the media of streams, playable.
struct Extract: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Write the media of a stream into a file that players open.",
        discussion: """
            H.264, H.265 and MPEG-4 Visual become a byte stream, VP8, VP9 and AV1 IVF, AAC and LATM ADTS, Opus Ogg, G.711, \
            L16 and L24 WAV, JPEG Motion JPEG; MPEG-TS and MPEG-PS stay as they are, in RTP or plain UDP. RTMP becomes FLV, all tracks of a publisher in one file. \
            A picture of which a packet is missing is left out, and nothing is made \
            up. Of media that nobody announced, the packets before it was recognised are left out, too. The number of a stream \
            is that of the analysis (weir FILE --format ndjson).

            Examples:
              weir extract --stream 1 -o camera.h264 camera.pcap
              weir extract --stream 1 -o - camera.pcap | ffplay -
              weir extract --all media camera.pcap
            """
    )

    @Option(help: ArgumentHelp("The stream to write.", valueName: "number"))
    var stream: Int?

    @Option(name: .shortAndLong, help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Write every stream into this folder, with a manifest.", valueName: "folder"))
    var all: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("With --all, the streams of this session only. Repeatable.", valueName: "number"))
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
        guard session.isEmpty || isAll else { throw ValidationError(plain: "--session goes with --all FOLDER.") }
        guard session.isEmpty || file != "-" else {
            throw ValidationError(plain: "--session reads the capture twice: standard input can be read only once.")
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
        // Behind the options, of which it is one.
        analysis.tap = writer.extractor
        let streams = StreamList()
        var failure: ExitCode?
        do {
            try analysis.run(file, into: streams)
        } catch {
            StandardError.write("weir: \(error)\n")
            failure = ExitCode(2)
        }
        try writer.finish(streams, failure)
    }

    /// The streams of the sessions that are asked for; nil for all. Which these are is known at a session's end only.
    private func wantedStreams(_ options: AnalyzerOptions) throws -> Set<Int>? {
        guard !session.isEmpty else { return stream.map { [$0] } }
        var analysis = Analysis(file)
        analysis.options = options
        analysis.filter = try reading.captureFilter()
        analysis.rules = []
        let sessions = SessionStreams()
        // What can be read of a damaged capture is extracted, and the damage is told then.
        try? analysis.run(file, into: sessions)
        if let missing = session.sorted().first(where: { sessions.streams[$0] == nil }) {
            StandardError.write("weir: there is no session \(missing)\n")
            throw ExitCode.validationFailure
        }
        return session.reduce(into: []) { $0.formUnion(sessions.streams[$1] ?? []) }
    }
}

/// The streams of each session of a capture.
private final class SessionStreams: ReportSink {
    private(set) var streams: [Int: Set<Int>] = [:]
    var factPolicies: Set<SecretPolicy> { [] }
    func session(_ record: SessionRecord) { streams[record.id] = Set(record.streams) }
}

/// Opens the files that streams are written to, and says what became of each.
private final class MediaWriter {
    private(set) var extractor: MediaExtractor
    private let folder: String?
    private let stream: Int?
    private let files: MediaFiles

    /// - Parameter wanted: the streams to write; nil for all.
    init(stream: Int?, wanted: Set<Int>?, output: String?, folder: String?, capture: String, limits: Limits) throws {
        if let output { try OutputNames.check(written: [output], read: [capture]) }
        self.folder = folder
        self.stream = stream
        let files = MediaFiles()
        self.files = files
        if let folder {
            do {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            } catch {
                StandardError.write("weir: cannot make the folder \(folder): \(error.localizedDescription)\n")
                throw ExitCode(2)
            }
        }
        extractor = MediaExtractor(isWanted: { wanted?.contains($0) ?? true }, limits: limits) { number, ending in
            let name = folder == nil ? output ?? "-" : "stream-\(number).\(ending)"
            return files.make(number, name, path: folder.map { "\($0)/\(name)" } ?? name)
        }
    }

    /// - Parameter failure: why the capture was not read, or not to its end.
    func finish(_ streams: StreamList, _ failure: ExitCode?) throws {
        for result in extractor.results { StandardError.write("weir: \(line(result))\n") }
        if let folder { try writeManifest(folder) }
        if let failure = failure ?? files.failure { throw failure }
        guard let stream else { return }
        guard let result = extractor.results.first else {
            StandardError.write("weir: \(Self.absence(of: stream, streams))\n", keepingLines: true)
            throw ExitCode(2)
        }
        if result.problem != nil || result.framesOut == 0 { throw ExitCode(2) }
    }

    private static func absence(of stream: Int, _ streams: StreamList) -> String {
        if streams.others.contains(stream) { return "stream \(stream) is no RTP: its media is not written to files" }
        let known =
            streams.lines.isEmpty ? "the capture has none" : "there are\n" + streams.lines.joined(separator: "\n")
        return "there is no stream \(stream); \(known)"
    }

    private func line(_ result: ExtractedStream) -> String {
        let name = "stream \(result.stream)" + (result.encoding.map { " (\($0))" } ?? "")
        if let problem = result.problem { return "\(name) was not written: \(problem.reason)" }
        if files.failed.contains(result.file ?? result.stream) { return "\(name) was not written: its file cannot be" }
        func packets(_ count: Int) -> String { count == 1 ? "1 packet" : "\(count) packets" }
        let frames = result.framesIn == 1 ? "frame" : "frames"
        var line = "\(name): \(result.framesOut) of \(result.framesIn) \(frames) written"
        let left = result.framesIn - result.framesOut
        if left > 0 {
            let isDamaged = result.missingPackets + result.cutPackets + result.earlyPackets > 0
            line += isDamaged ? ", the others are not whole" : "; \(left) that cannot be put together left out"
        }
        if result.missingPackets > 0 { line += "; \(packets(result.missingPackets)) missing" }
        if result.cutPackets > 0 { line += "; \(packets(result.cutPackets)) cut by the snap length" }
        if result.earlyPackets > 0 { line += "; \(packets(result.earlyPackets)) before it was recognised left out" }
        if result.otherPackets > 0 { line += "; \(packets(result.otherPackets)) of other payload types left out" }
        if let file = result.file, file != result.stream { line += "; to the file of stream \(file)" }
        if result.lacksOctets { line += "; the capture lacks octets of its connection: times behind them may be early" }
        if result.tooLongPictures > 0 { line += "; limit reached: \(result.tooLongPictures) longer than is kept" }
        return line
    }

    private func writeManifest(_ folder: String) throws {
        let entries = extractor.results.sorted { $0.stream < $1.stream }.map { result in
            ManifestEntry(
                stream: result.stream, encoding: result.encoding, file: files.names[result.file ?? result.stream],
                packets: result.packets, missingPackets: result.missingPackets,
                earlyPackets: result.earlyPackets, frames: result.framesIn,
                writtenFrames: result.framesOut, problem: result.problem?.reason)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let output = try FileOutput("\(folder)/manifest.json")
        output.write(Array(try encoder.encode(["streams": entries])) + Array("\n".utf8))
        try output.close()
    }
}

/// What the manifest says of a stream.
private struct ManifestEntry: Encodable {
    var stream: Int
    var encoding: String?
    var file: String?
    var packets: Int
    var missingPackets: Int
    var earlyPackets: Int
    var frames: Int
    var writtenFrames: Int
    var problem: String?
}

/// The streams of a capture, for whoever asked for another.
private final class StreamList: ReportSink {
    private(set) var lines: [String] = []
    /// Those that there are.
    private(set) var others: Set<Int> = []
    func begin(_ capture: CaptureRecord) {}
    func event(_ event: Event, session: SessionReference?, findings: [Finding]) {}
    func finding(_ finding: Finding, session: SessionReference?) {}
    func flow(_ flow: FlowRecord) {}
    func stream(_ stream: StreamRecord, session: SessionReference?) {
        if others.count < 1_000 { others.insert(stream.id) }
        guard lines.count < 100 else { return }
        lines.append("  \(stream.id)  \(stream.source) → \(stream.destination)  \(stream.encoding ?? stream.kind)")
    }
    func session(_ record: SessionRecord) {}
    func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {}
}
