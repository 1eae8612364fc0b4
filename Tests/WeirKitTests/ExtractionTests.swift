import CaptureTesting
import Foundation
import Testing
import WeirEngine
import WeirPackets
@testable import WeirKit
@testable import WeirProtocols

@Suite("Media written into files")
struct ExtractionTests {
    /// A file in memory.
    private final class Memory: MediaFile {
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

    private final class Nobody: ReportSink {
        var streams: [Int: StreamRecord] = [:]
        func begin(_ capture: CaptureRecord) {}
        func event(_ event: Event, session: SessionReference?, findings: [Finding]) {}
        func finding(_ finding: Finding, session: SessionReference?) {}
        func flow(_ flow: FlowRecord) {}
        func stream(_ stream: StreamRecord, session: SessionReference?) { streams[stream.id] = stream }
        func session(_ record: SessionRecord) {}
        func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {}
    }

    private struct Written {
        var result: ExtractedStream
        var ending: String
        var octets: [UInt8]
        var isClosed = false
    }

    private func extract(_ name: String) throws -> [Written] {
        final class Files { var all: [Int: (ending: String, file: Memory)] = [:] }
        let files = Files()
        let extractor = MediaExtractor(isWanted: { _ in true }) { number, ending in
            let file = Memory()
            files.all[number] = (ending, file)
            return file
        }
        let path = RecordedCaptures.path("Captures/\(name).pcap")
        var analysis = Analysis(path)
        analysis.tap = extractor
        try analysis.run(path, into: Nobody())
        return extractor.results.map { result in
            let file = files.all[result.stream]
            return Written(
                result: result, ending: file?.ending ?? "", octets: file?.file.octets ?? [],
                isClosed: file?.file.isClosed ?? false)
        }
    }

    /// What ffprobe says of a file: frames that it decodes, width and height; nil where there is no ffprobe.
    private func probe(_ written: Written) throws -> [String: String]? {
        let tool = "/usr/bin/ffprobe"
        guard FileManager.default.isExecutableFile(atPath: tool) else { return nil }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "weir-\(UUID().uuidString).\(written.ending)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(written.octets).write(to: file)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tool)
        process.arguments = [
            "-v", "error", "-count_frames", "-show_entries",
            "stream=codec_name,width,height,nb_read_frames,sample_rate,channels", "-of", "default=noprint_wrappers=1",
            file.path,
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        var answers: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { answers[parts[0]] = parts[1] }
        }
        return answers
    }

    @Test(
        "every whole frame is there, and a decoder reads as many",
        arguments: [
            ("rtsp/rtsp-udp", "H264", "h264", "h264"), ("rtsp/rtsp-h265-opus", "H265", "h265", "hevc"),
            ("rtsp/rtsp-vp8-g722", "VP8", "ivf", "vp8"), ("rtsp/rtsp-jpeg-pcma", "JPEG", "mjpeg", "mjpeg"),
            ("rtsp/rtsp-record-udp", "H264", "h264", "h264"), ("rtsp/rtsp-b-frames", "H264", "h264", "h264"),
            ("rtsp/rtsp-tcp-interleaved", "H264", "h264", "h264"), ("rtsp/rtsp-vp9-l24", "VP9", "ivf", "vp9"),
        ])
    func video(_ name: String, _ encoding: String, _ ending: String, _ codec: String) throws {
        let written = try #require(try extract(name).first { $0.result.encoding == encoding })
        #expect(written.ending == ending && written.result.problem == nil)
        #expect(written.result.framesOut > 5 && written.result.framesOut == written.result.framesIn)
        guard let probed = try probe(written) else { return }
        #expect(probed["codec_name"] == codec)
        #expect(probed["width"].flatMap { Int($0) } ?? 0 > 0)
        #expect(probed["nb_read_frames"].flatMap { Int($0) } == written.result.framesOut)
    }

    @Test(
        "sound has the samples that were sent",
        arguments: [
            ("rtsp/rtsp-udp", "PCMU", "wav", "pcm_mulaw", "8000"),
            ("rtsp/rtsp-jpeg-pcma", "PCMA", "wav", "pcm_alaw", "8000"),
            ("rtsp/rtsp-mpeg4-l16", "L16", "wav", "pcm_s16le", ""),
            ("rtsp/rtsp-vp9-l24", "L24", "wav", "pcm_s24le", "8000"),
            ("rtsp/rtsp-h265-opus", "OPUS", "opus", "opus", "48000"),
            ("rtsp/rtsp-b-frames", "MPEG4-GENERIC", "aac", "aac", ""),
        ])
    func sound(_ name: String, _ encoding: String, _ ending: String, _ codec: String, _ rate: String) throws {
        let all = try extract(name)
        let written = try #require(all.first { $0.result.encoding?.uppercased() == encoding })
        #expect(written.ending == ending && written.result.problem == nil)
        #expect(written.result.framesOut > 5 && written.result.framesOut == written.result.framesIn)
        guard let probed = try probe(written) else { return }
        #expect(probed["codec_name"] == codec)
        if !rate.isEmpty { #expect(probed["sample_rate"] == rate) }
    }

    @Test("a picture of which a packet is missing is left out; nothing else is")
    func damaged() throws {
        let whole = try #require(try extract("rtsp/article-dialogue").first)
        let written = try #require(try extract("rtsp/rtsp-loss-udp").first { $0.result.encoding == "H264" })
        #expect(whole.result.missingPackets == 0 && whole.result.framesOut == whole.result.framesIn)
        #expect(written.result.missingPackets > 0)
        #expect(written.result.framesOut < written.result.framesIn)
    }

    @Test("packets before the stream was recognised are counted apart, and are no frames that are not whole")
    func unannounced() throws {
        let written = try #require(try extract("rtp/rtp-static").first { $0.result.encoding == "PCMU" })
        #expect(written.result.earlyPackets > 0 && written.result.missingPackets == 0)
        #expect(written.result.framesOut == written.result.framesIn)
        #expect(written.result.framesIn == written.result.packets - written.result.earlyPackets)
        #expect(written.isClosed)
    }

    @Test("encrypted media is refused, with the reason")
    func encrypted() throws {
        let written = try extract("rtsp/rtsp-srtp")
        #expect(!written.isEmpty && written.allSatisfy { $0.result.problem == .encrypted && $0.octets.isEmpty })
    }
}
