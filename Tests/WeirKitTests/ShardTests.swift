import CaptureTesting
import Foundation
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols

@testable import WeirKit
@testable import WeirReports

/// The shards of a capture together give the findings and sessions of the whole.
struct ShardTests {
    /// Of each protocol; all captures with WEIR_ALL_SHARDS.
    private static let captures =
        ProcessInfo.processInfo.environment["WEIR_ALL_SHARDS"] != nil
        ? RecordedCaptures.all
        : [
            "Captures/rtsp/rtsp-udp.pcap", "Captures/rtsp/rtsp-loss-udp.pcap", "Captures/rtsp/rtsp-http-tunnel.pcap",
            "Captures/rtsp/rtsp-port-unreachable.pcap", "Captures/rtsp/rtsp-two-interfaces.pcapng",
            "Captures/rtmp/rtmp-loss.pcap", "Captures/transport/made-cut-short.pcap", "Captures/rtp/rtp-red.pcap",
            "Captures/webrtc/signaling-wss-unnamed.pcap",
        ]

    @Test(arguments: captures)
    func `shards of a capture give its findings and sessions`(capture: String) throws {
        let path = RecordedCaptures.path(capture)
        try Self.check(path, count: 3)
    }

    @Test func `a hundred sessions stay whole, and are spread`() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let merged = folder.appendingPathComponent("merged.pcap")
        try Self.merge("Captures/rtsp/rtsp-basic.pcap", copies: 100, into: merged)
        let frames = try Self.check(merged.path, count: 4)
        let total = frames.reduce(0, +)
        #expect(frames.allSatisfy { $0 > total / 5 && $0 < total / 3 }, "\(frames)")
    }

    @Test func `one session is one group`() throws {
        let plan = try ShardSurvey.plan(
            RecordedCaptures.path("Captures/rtsp/rtsp-tcp-interleaved.pcap"), count: 4, options: AnalyzerOptions())
        #expect(plan.groups == 1)
        #expect(plan.largestShare == 1)
    }

    // MARK: - Comparing

    /// Splits a capture, and compares; returns the number of frames of each shard.
    @discardableResult
    private static func check(_ path: String, count: Int) throws -> [Int] {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let plan = try ShardSurvey.plan(path, count: count, options: AnalyzerOptions())
        let outputs = (0..<count).map { _ in MemoryOutput() }
        var writer = try #require(ShardWriter(plan, application: "weir", output: { outputs[$0].write($1) }))
        // Damage is at the end of the whole, and not in a shard.
        try? writer.write(path, limits: AnalyzerOptions().limits)
        var parts: [String] = []
        for (index, output) in outputs.enumerated() {
            let file = folder.appendingPathComponent("\(index).pcapng")
            try Data(output.octets).write(to: file)
            parts += try results(file.path)
        }
        let whole = try results(path)
        #expect(parts.sorted() == whole.sorted())
        // Some captures have neither sessions nor findings.
        #expect(whole.count > 0 || captures.count == RecordedCaptures.all.count)
        #expect(try KeptFrameCount.all(path) == writer.frames.reduce(0, +))
        return writer.frames
    }

    private enum KeptFrameCount {
        static func all(_ path: String) throws -> Int {
            var capture = try CaptureFile(path)
            var count = 0
            do {
                while let frame = try capture.next() { count = frame.info.number }
            } catch {
                // Damaged captures are split up to the damage.
            }
            return count
        }
    }

    /// The findings, sessions and streams in a form without numbers of frames, flows and sessions.
    private static func results(_ path: String) throws -> [String] {
        let sink = Sink()
        do throws(CaptureError) {
            try WholeAnalysis.run(path, into: sink)
        } catch {
            guard error.frame != nil else { throw error }
        }
        return sink.lines
    }

    private final class Sink: ReportSink {
        var lines: [String] = []
        private let catalogue = Catalogue(.english, .masked, BuiltIn.plugins)

        func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
            for finding in findings { self.finding(finding, session: session) }
        }
        func finding(_ finding: Finding, session: SessionReference?) {
            let words = plain(catalogue.sentence(finding.message))
            lines.append(
                "finding \(finding.rule) \(finding.verdict) \(finding.severity) \(finding.fingerprint) \(words)")
        }
        func stream(_ stream: StreamRecord, session: SessionReference?) {
            lines.append(
                "stream \(stream.source) \(stream.destination) \(stream.details.figures.count) "
                    + "\(stream.details.figures.lost ?? -1) \(stream.encoding ?? "")")
        }
        func session(_ record: SessionRecord) {
            let causes = record.causes.map { "\($0.id) \($0.verdict)" }
            lines.append(
                "session \(record.kind) \(record.reference.client) \(plain(catalogue.list(record.outcome))) \(causes) "
                    + "\(record.phases.map(\.phase.name)) \(record.flows.count) \(record.streams.count)")
        }

        private func plain(_ text: String) -> String {
            text.replacingOccurrences(
                of: "(frames?|in|connection|flow|session|event) [0-9][0-9, and\u{A0}]*", with: "$1 #",
                options: .regularExpression)
        }
    }

    // MARK: - Making

    private static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("weir-shards-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Writes copies of a capture of Ethernet and IPv4 one after the other, each with hosts of its own.
    private static func merge(_ capture: String, copies: Int, into file: URL) throws {
        let source = try Data(contentsOf: RecordedCaptures.root.appendingPathComponent(capture))
        var merged = source.prefix(24)
        for copy in 0..<copies {
            var offset = 24
            while offset + 16 <= source.count {
                let length = (0..<4).reduce(0) { $0 | Int(source[offset + 8 + $1]) << (8 * $1) }
                var record = Data(source[offset..<min(source.count, offset + 16 + length)])
                // One after the other: clocks do not step back.
                let seconds = (0..<4).reduce(0) { $0 | Int(record[$1]) << (8 * $1) } + copy * 60
                for index in 0..<4 { record[index] = UInt8(truncatingIfNeeded: seconds >> (8 * index)) }
                // The second octets of both addresses; checksums offloaded to the interface are not judged.
                if record.count > 16 + 34, record[16 + 12] == 8, record[16 + 13] == 0 {
                    record[16 + 26 + 1] = UInt8(copy)
                    record[16 + 30 + 1] = UInt8(copy)
                }
                merged.append(record)
                offset += 16 + length
            }
        }
        try merged.write(to: file)
    }
}
