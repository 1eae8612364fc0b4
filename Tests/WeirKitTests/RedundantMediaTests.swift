import CaptureTesting
import Foundation
import Testing
import WeirEngine
import WeirPackets
@testable import WeirKit
@testable import WeirProtocols

/// Media in packets with redundancy (RFC 2198), and formats without a description: recognition and extraction.
@Suite("Media in RED packets, and formats named by option")
struct RedundantMediaTests {
    /// A media file in memory.
    private final class Memory: MediaFile {
        var octets: [UInt8] = []
        func write(_ more: [UInt8]) { octets += more }
        func close() {}
        func patch(_ patch: FilePatch) {}
    }

    private final class Streams: ReportSink {
        var all: [StreamRecord] = []
        func stream(_ stream: StreamRecord, session: SessionReference?) { all.append(stream) }
    }

    /// A capture, and the meanings of its payload types.
    struct Known: Sendable, CustomTestStringConvertible {
        var name: String
        var port: UInt16
        var meanings: [UInt8: String]
        var encoding: String
        var ending: String
        var frames: Int
        var testDescription: String { name }
    }

    static let captures = [
        Known(
            name: "rtp-red", port: 5_130, meanings: [97: "opus/48000/2", 100: "red/48000/2"], encoding: "opus",
            ending: "opus", frames: 184),
        Known(
            name: "rtp-red-ulpfec", port: 5_140,
            meanings: [96: "H264/90000", 100: "red/90000", 122: "ulpfec/90000"], encoding: "H264", ending: "h264",
            frames: 60),
        Known(
            name: "rtp-ulpfec", port: 5_090, meanings: [96: "H264/90000", 122: "ulpfec/90000"], encoding: "H264",
            ending: "h264", frames: 50),
        Known(name: "rtp-av1", port: 5_120, meanings: [96: "AV1/90000"], encoding: "AV1", ending: "ivf", frames: 60),
    ]

    private func analyzed(
        _ known: Known
    ) throws -> (stream: StreamRecord, written: ExtractedStream, ending: String, octets: [UInt8]) {
        final class Opened { var ending = "" }
        let (memory, opened, streams) = (Memory(), Opened(), Streams())
        let extractor = MediaExtractor(isWanted: { _ in true }) { _, ending in
            opened.ending = ending
            return memory
        }
        let path = RecordedCaptures.path("Captures/rtp/\(known.name).pcap")
        var analysis = Analysis(path)
        analysis.options.decodeAs = [
            AnalyzerOptions.DecodeAs(
                transport: .udp, port: known.port, protocolName: "rtp",
                meanings: known.meanings.sorted { $0.key < $1.key }.map {
                    AnalyzerOptions.DecodeAs.Meaning(number: $0.key, text: $0.value)
                })
        ]
        analysis.tap = extractor
        try analysis.run(path, into: streams)
        return (
            try #require(streams.all.first), try #require(extractor.results.first), opened.ending, memory.octets
        )
    }

    private func number(_ name: String, _ stream: StreamRecord) -> Int? {
        guard case .integer(let number)? = stream.details.fields(.masked).first(where: { $0.name == name })?.value
        else { return nil }
        return number
    }

    @Test("are reported by their content", arguments: captures)
    func reported(_ known: Known) throws {
        let (stream, _, _, _) = try analyzed(known)
        #expect(stream.encoding == known.encoding)
        #expect(number("frames", stream) == known.frames)
        guard stream.mediaType == "video" else { return }
        #expect((number("keyframes", stream) ?? 0) >= 3)
        guard case .double(let rate)? = stream.details.fields(.masked).first(where: { $0.name == "frameRate" })?.value
        else {
            Issue.record("no frame rate")
            return
        }
        #expect((rate - (known.encoding == "AV1" ? 15 : 20)).magnitude < 0.2)
    }

    @Test("are extracted as their content, with the other numbers counted", arguments: captures)
    func written(_ known: Known) throws {
        let (stream, written, ending, octets) = try analyzed(known)
        #expect(ending == known.ending && written.problem == nil && !octets.isEmpty)
        #expect(written.framesIn == known.frames)
        #expect(written.missingPackets == number("lost", stream))
        #expect(written.framesOut > known.frames * 2 / 3 && written.framesOut <= known.frames)
        if written.missingPackets == 0 { #expect(written.framesOut == known.frames) }
    }

    @Test("NAL units of H.266 follow start codes, with fragments reassembled")
    func h266() {
        let format = MediaFormat(mediaType: "video", encoding: "H266", clockRate: 90_000)
        var depacketizer = NALUnitDepacketizer(format)
        let payloads: [[UInt8]] = [
            [0x00, 0x79, 1, 2],  // A sequence parameter set (15).
            [0x00, 0xE1, 0, 3, 0x00, 0x81, 5, 0, 3, 0x00, 0x01, 6],  // A picture parameter set (16) and a slice (0).
            [0x00, 0xE9, 0x87, 7, 8], [0x00, 0xE9, 0x47, 9],  // An IDR slice (7) in two parts.
        ]
        var octets: [UInt8] = []
        for (index, payload) in payloads.enumerated() {
            octets += depacketizer.take(
                ExtractedPacket(
                    sequence: UInt16(index), timestamp: 9_000, marker: index == payloads.count - 1, payload: payload))
        }
        octets += depacketizer.finish()
        let code: [UInt8] = [0, 0, 0, 1]
        #expect(
            octets == code + [0x00, 0x79, 1, 2] + code + [0x00, 0x81, 5] + code + [0x00, 0x01, 6] + code
                + [0x00, 0x39, 7, 8, 9])
        #expect(depacketizer.fileExtension == "h266" && depacketizer.framesOut == 1)
    }
}
