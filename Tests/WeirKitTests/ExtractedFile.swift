import CaptureTesting
import Foundation
import WeirEngine
@testable import WeirKit
@testable import WeirProtocols

/// A file that extraction wrote into memory.
struct ExtractedFile {
    var result: ExtractedStream
    var ending: String
    var octets: [UInt8]
    var isClosed = false

    /// A media file in memory.
    final class Memory: MediaFile {
        var octets: [UInt8] = []
        var isClosed = false
        func write(_ more: [UInt8]) { octets += more }
        func close() { isClosed = true }
        func patch(_ patch: FilePatch) {
            for (index, octet) in patch.octets.enumerated() where patch.offset + index < octets.count {
                octets[patch.offset + index] = octet
            }
        }
    }

    final class Nobody: ReportSink {
        var streams: [Int: StreamRecord] = [:]
        func begin(_ capture: CaptureRecord) {}
        func event(_ event: Event, session: SessionReference?, findings: [Finding]) {}
        func finding(_ finding: Finding, session: SessionReference?) {}
        func flow(_ flow: FlowRecord) {}
        func stream(_ stream: StreamRecord, session: SessionReference?) { streams[stream.id] = stream }
        func session(_ record: SessionRecord) {}
        func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {}
    }

    static func extract(
        _ name: String, only: Int? = nil, decodeAs: [AnalyzerOptions.DecodeAs] = []
    ) throws -> [ExtractedFile] {
        final class Files { var all: [Int: (ending: String, file: Memory)] = [:] }
        let files = Files()
        let extractor = MediaExtractor(isWanted: { only == nil || $0 == only }) { number, ending in
            let file = Memory()
            files.all[number] = (ending, file)
            return file
        }
        let path = RecordedCaptures.path("Captures/\(name).pcap")
        var analysis = Analysis(path)
        analysis.options.decodeAs = decodeAs
        analysis.tap = extractor
        try analysis.run(path, into: Nobody())
        extractor.finish()
        return extractor.results.map { result in
            let file = files.all[result.file ?? result.stream]
            return ExtractedFile(
                result: result, ending: file?.ending ?? "", octets: file?.file.octets ?? [],
                isClosed: file?.file.isClosed ?? false)
        }
    }

    /// Runs a program and returns its output.
    static func run(_ tool: String, _ arguments: [String]) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tool)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Array(said)
    }

    /// Returns ffprobe's output for a file (decoded frames, width and height), or nil without ffprobe.
    static func probe(_ written: ExtractedFile) throws -> [String: String]? {
        let tool = "/usr/bin/ffprobe"
        guard FileManager.default.isExecutableFile(atPath: tool) else { return nil }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "weir-\(UUID().uuidString).\(written.ending)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(written.octets).write(to: file)
        let said = try run(
            tool,
            [
                "-v", "error", "-count_frames", "-show_entries",
                "stream=codec_name,width,height,nb_read_frames,sample_rate,channels", "-of",
                "default=noprint_wrappers=1", file.path,
            ])
        let text = String(decoding: said, as: UTF8.self)
        var answers: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { answers[parts[0]] = parts[1] }
        }
        return answers
    }
}
