import CaptureTesting
import Foundation
import Testing
import WeirEngine
import WeirPackets
@testable import WeirKit
@testable import WeirProtocols

@Suite("Media extraction")
struct ExtractionTests {
    /// A media file in memory.
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

    private func extract(
        _ name: String, only: Int? = nil, decodeAs: [AnalyzerOptions.DecodeAs] = []
    ) throws -> [Written] {
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
            return Written(
                result: result, ending: file?.ending ?? "", octets: file?.file.octets ?? [],
                isClosed: file?.file.isClosed ?? false)
        }
    }

    /// Runs a program and returns its output.
    private func run(_ tool: String, _ arguments: [String]) throws -> [UInt8] {
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
    private func probe(_ written: Written) throws -> [String: String]? {
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

    @Test(
        "every complete frame is written, and a decoder decodes as many",
        arguments: [
            ("rtsp/rtsp-udp", "H264", "h264", "h264"), ("rtsp/rtsp-h265-opus", "H265", "h265", "hevc"),
            ("rtsp/rtsp-vp8-g722", "VP8", "ivf", "vp8"), ("rtsp/rtsp-jpeg-pcma", "JPEG", "mjpeg", "mjpeg"),
            ("rtsp/rtsp-record-udp", "H264", "h264", "h264"), ("rtsp/rtsp-b-frames", "H264", "h264", "h264"),
            ("rtsp/rtsp-tcp-interleaved", "H264", "h264", "h264"), ("rtsp/rtsp-vp9-l24", "VP9", "ivf", "vp9"),
            ("rtsp/rtsp-mp4v-latm", "MP4V-ES", "m4v", "mpeg4"),
            ("rtsp/rtsp-record-mp4v-latm", "MP4V-ES", "m4v", "mpeg4"),
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
        "audio has the number of samples sent",
        arguments: [
            ("rtsp/rtsp-udp", "PCMU", "wav", "pcm_mulaw", "8000"),
            ("rtsp/rtsp-jpeg-pcma", "PCMA", "wav", "pcm_alaw", "8000"),
            ("rtsp/rtsp-mpeg4-l16", "L16", "wav", "pcm_s16le", ""),
            ("rtsp/rtsp-vp9-l24", "L24", "wav", "pcm_s24le", "8000"),
            ("rtsp/rtsp-h265-opus", "OPUS", "opus", "opus", "48000"),
            ("rtsp/rtsp-b-frames", "MPEG4-GENERIC", "aac", "aac", ""),
            ("rtsp/rtsp-mp4v-latm", "MP4A-LATM", "aac", "aac", "16000"),
            ("rtsp/rtsp-record-mp4v-latm", "MP4A-LATM", "aac", "aac", "16000"),
        ])
    func sound(_ name: String, _ encoding: String, _ ending: String, _ codec: String, _ rate: String) throws {
        let all = try extract(name)
        let written = try #require(all.first { $0.result.encoding?.uppercased() == encoding })
        #expect(written.ending == ending && written.result.problem == nil)
        #expect(written.result.framesOut > 5 && written.result.framesOut == written.result.framesIn)
        guard let probed = try probe(written) else { return }
        #expect(probed["codec_name"] == codec)
        if !rate.isEmpty { #expect(probed["sample_rate"] == rate) }
        // A decoded audio frame may span several packets, but for AAC each access unit is one.
        if codec == "aac" { #expect(probed["nb_read_frames"].flatMap { Int($0) } == written.result.framesOut) }
    }

    @Test("a picture with a missing packet is left out, and nothing else")
    func damaged() throws {
        let whole = try #require(try extract("rtsp/article-dialogue").first)
        let written = try #require(try extract("rtsp/rtsp-loss-udp").first { $0.result.encoding == "H264" })
        #expect(whole.result.missingPackets == 0 && whole.result.framesOut == whole.result.framesIn)
        #expect(written.result.missingPackets > 0)
        #expect(written.result.framesOut < written.result.framesIn)
    }

    @Test("packets before recognition are counted separately, and not as incomplete frames")
    func unannounced() throws {
        let written = try #require(try extract("rtp/rtp-static").first { $0.result.encoding == "PCMU" })
        #expect(written.result.earlyPackets > 0 && written.result.missingPackets == 0)
        #expect(written.result.framesOut == written.result.framesIn)
        #expect(written.result.framesIn == written.result.packets - written.result.earlyPackets)
        #expect(written.isClosed)
    }

    @Test("telephone events and FEC among the packets of a stream are not missing packets")
    func interrupted() throws {
        let dialled = try #require(
            try extract(
                "rtp/rtp-telephone-event",
                decodeAs: [AnalyzerOptions.DecodeAs(transport: .udp, port: 5_080, protocolName: "rtp")]
            ).first)
        #expect(dialled.result.otherPackets == 24 && dialled.result.missingPackets == 0)
        #expect(dialled.result.framesOut == 100)
    }

    @Test("encrypted media is refused with the reason")
    func encrypted() throws {
        let written = try extract("webrtc/webrtc-call")
        #expect(!written.isEmpty && written.allSatisfy { $0.result.problem == .encrypted && $0.octets.isEmpty })
    }

    /// The streams that ffmpeg sent in the script that recorded the capture.
    private static let sent: [(port: UInt16, encoding: String, codec: String, format: String)] = [
        (5_010, "PCMU", "pcm_mulaw", "mulaw"), (5_020, "PCMA", "pcm_alaw", "alaw"),
    ]

    @Test("audio has exactly the samples of the sender", arguments: sent.indices)
    func samples(_ index: Int) throws {
        let (port, encoding, codec, format) = Self.sent[index]
        let written = try extract(
            "rtp/rtp-static",
            decodeAs: [AnalyzerOptions.DecodeAs(transport: .udp, port: port, protocolName: "rtp")])
        let found = try #require(written.first { $0.result.encoding == encoding })
        let tool = "/usr/bin/ffmpeg"
        guard FileManager.default.isExecutableFile(atPath: tool) else { return }
        let samples = try run(
            tool,
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=frequency=440", "-t", "2", "-ar", "8000", "-c:a",
                codec,
                "-f", format, "-",
            ])
        // After the WAV header.
        let extracted = Array(found.octets.dropFirst(44))
        #expect(extracted.count > 15_000)
        #expect(samples.starts(with: extracted))
    }

    @Test(
        "a publisher's tracks are written to one FLV file, with every frame",
        arguments: [
            ("rtmp/rtmp-publish", 40, 88), ("rtmp/rtmp-play", 41, 90), ("rtmp/rtmpt-publish", 30, 66),
            ("rtmp/rtmp-chunks-128", 0, 0),
        ])
    func flv(_ name: String, _ pictures: Int, _ sounds: Int) throws {
        let written = try extract(name)
        let video = try #require(written.first { $0.result.encoding == "H.264" })
        let audio = try #require(written.first { $0.result.encoding == "AAC" })
        #expect(video.octets == audio.octets && video.ending == "flv")
        #expect(video.octets.starts(with: [0x46, 0x4C, 0x56, 1, 5, 0, 0, 0, 9, 0, 0, 0, 0]))
        for track in [video.result, audio.result] {
            #expect(track.framesOut == track.framesIn && track.framesOut > 10 && track.problem == nil)
        }
        if pictures > 0 { #expect(video.result.framesOut == pictures && audio.result.framesOut == sounds) }
        guard let probed = try probe(video) else { return }
        // ffprobe's last stream wins; both are present.
        #expect(["h264", "aac"].contains(probed["codec_name"]))
        #expect(
            [video.result.framesOut, audio.result.framesOut].contains(probed["nb_read_frames"].flatMap { Int($0) } ?? 0)
        )
    }

    @Test("a capture begun behind the sequence headers says that its file cannot be decoded")
    func noSequenceHeader() throws {
        let written = try extract("rtmp/rtmp-midstream")
        #expect(written.count == 2 && written.allSatisfy { $0.result.lacksConfiguration && $0.result.framesOut > 10 })
        #expect(try extract("rtmp/rtmp-publish").allSatisfy { !$0.result.lacksConfiguration })
    }

    @Test("a later sequence header is written before the frames that need it")
    func laterSequenceHeader() throws {
        final class Files { var all: [Memory] = [] }
        let files = Files()
        let extractor = MediaExtractor(isWanted: { _ in true }) { _, _ in
            let file = Memory()
            files.all.append(file)
            return file
        }
        func tag(_ octet: UInt8, at time: UInt32) -> [UInt8] {
            FLVFile.tag(type: 9, timestamp: time, [octet, octet]) ?? []
        }
        for (octet, time) in [(UInt8(1), UInt32(500)), (2, 540), (0, 580), (3, 580)] {
            var piece = MediaPiece(
                stream: 4, file: 4, encoding: "H.264", ending: "flv", octets: tag(octet, at: time))
            piece.fileHeader = FLVFile.header(hasAudio: false, hasVideo: true)
            piece.timeOctets = FLVFile.timestamp
            piece.isFrame = octet > 0
            piece.isConfiguration = octet == 0
            piece.lacksConfiguration = octet == 1 || octet == 2
            extractor.take(piece)
        }
        extractor.end(piecesOf: 4, lacksOctets: false)
        let result = try #require(extractor.results.first)
        #expect(!result.lacksConfiguration && result.framesOut == 3 && result.framesIn == 3)
        let tags = [tag(0, at: 500), tag(1, at: 500), tag(2, at: 540), tag(3, at: 580)]
        #expect(files.all.map(\.octets) == [FLVFile.header(hasAudio: false, hasVideo: true) + tags.joined()])
    }

    @Test(
        "a sequence header of another connection is written if that carries the same stream",
        arguments: [(true, "cam", true), (false, "cam", true), (true, "other", false), (false, "other", false)])
    func sequenceHeaderOfAnother(_ isEarlier: Bool, _ name: String, _ isSame: Bool) throws {
        final class Files { var all: [Int: Memory] = [:] }
        let files = Files()
        let extractor = MediaExtractor(isWanted: { _ in true }) { number, _ in
            let file = Memory()
            files.all[number] = file
            return file
        }
        func tag(_ octet: UInt8, at time: UInt32) -> [UInt8] {
            FLVFile.tag(type: 9, timestamp: time, [octet, octet]) ?? []
        }
        func piece(_ stream: Int, _ octet: UInt8, at time: UInt32, name: String?) -> MediaPiece {
            var piece = MediaPiece(
                stream: stream, file: stream, encoding: "H.264", ending: "flv", octets: tag(octet, at: time))
            piece.fileHeader = FLVFile.header(hasAudio: false, hasVideo: true)
            piece.timeOctets = FLVFile.timestamp
            piece.isFrame = octet > 0
            piece.isConfiguration = octet == 0
            piece.lacksConfiguration = stream == 4
            piece.medium = MediaPiece.Medium(ends: "192.0.2.1 192.0.2.2:1935", encoding: "9 H.264", name: name)
            return piece
        }
        // The name of the stream is known only if its publish request was captured.
        func publish() {
            for octet in UInt8(0)...1 { extractor.take(piece(6, octet, at: 0, name: "cam")) }
            extractor.end(piecesOf: 6, lacksOctets: false)
        }
        if isEarlier { publish() }
        for octet in UInt8(2)...3 {
            extractor.take(piece(4, octet, at: UInt32(octet) * 100, name: name == "cam" ? nil : name))
        }
        extractor.end(piecesOf: 4, lacksOctets: false)
        if !isEarlier { publish() }
        extractor.finish()
        let result = try #require(extractor.results.first { $0.stream == 4 })
        #expect(result.configurationOf == (isSame ? 6 : nil) && result.lacksConfiguration == !isSame)
        #expect(result.framesOut == 2 && extractor.results.count == 2)
        let tags = (isSame ? [tag(0, at: 200)] : []) + [tag(2, at: 200), tag(3, at: 300)]
        #expect(files.all[4]?.octets == FLVFile.header(hasAudio: false, hasVideo: true) + tags.joined())
    }

    @Test("selecting one track writes the file of all, from its start", arguments: [1, 2])
    func oneTrack(_ stream: Int) throws {
        let all = try #require(try extract("rtmp/rtmp-publish").first)
        let one = try extract("rtmp/rtmp-publish", only: stream)
        #expect(one.count == 1 && one.first?.octets == all.octets)
    }

    @Test("a transport stream in UDP is written unchanged")
    func transportStream() throws {
        let written = try #require(try extract("rtp/mpegts-udp").first)
        #expect(written.ending == "ts" && written.result.framesOut > 30 && written.octets.count % 188 == 0)
        guard let probed = try probe(written) else { return }
        #expect(["h264", "aac"].contains(probed["codec_name"]))
    }

    @Test("a transport stream in bodies of HTTP is written without what is around it")
    func httpTransportStream() throws {
        let written = try #require(try extract("http/mpegts-progressive").first)
        #expect(written.ending == "ts" && written.octets.count == 192 * 188 && written.octets.first == 0x47)
    }

    @Test("what RIST retransmits is written among the original packets")
    func repeated() throws {
        let written = try extract("rtp/rtp-rist-librist").filter { !$0.octets.isEmpty }
        #expect(written.count == 1)
        let octets = try #require(written.first?.octets)
        var stream = TransportStream(limits: TransportStreamLimits())
        let faults = stream.take(octets.rawSpan, at: Timestamp(nanoseconds: 0))
        #expect(!faults.contains(.continuity) && !faults.contains(.sync))
    }

    @Test("a program stream in RTP is written unchanged")
    func programStream() throws {
        let rule = AnalyzerOptions.DecodeAs(
            transport: .udp, port: 5_110, protocolName: "rtp",
            meanings: [AnalyzerOptions.DecodeAs.Meaning(number: 96, text: "PS/90000")])
        let written = try #require(try extract("rtp/rtp-ps", decodeAs: [rule]).first)
        #expect(written.ending == "mpg" && written.octets.starts(with: [0, 0, 1, 0xBA]))
        #expect(written.result.framesOut == written.result.framesIn && written.result.framesOut > 30)
        guard let probed = try probe(written) else { return }
        #expect(probed["codec_name"] == "h264" && probed["nb_read_frames"] == "40")
    }

    @Test("media over TCP is written like any other")
    func framed() throws {
        let rule = AnalyzerOptions.DecodeAs(
            transport: .tcp, port: 5_060, protocolName: "rtp",
            meanings: [AnalyzerOptions.DecodeAs.Meaning(number: 96, text: "H264/90000")])
        let written = try #require(try extract("rtp/rtp-tcp-framed", decodeAs: [rule]).first)
        #expect(written.result.framesOut == written.result.framesIn && written.result.framesOut > 30)
        guard let probed = try probe(written) else { return }
        #expect(probed["nb_read_frames"].flatMap { Int($0) } == written.result.framesOut)
    }

    @Test("A clock rate that no file format can express is not written", arguments: ["L16", "PCMU", "L24"])
    func absurdRate(_ encoding: String) {
        for rate in [Int.max, 0, -1] {
            let format = MediaFormat(mediaType: "audio", encoding: encoding, clockRate: rate, parameters: "")
            #expect(throws: ExtractionFailure.self) { try Depacketizers.make(format) }
        }
    }

    private func feed(
        _ extractor: MediaExtractor, _ sequence: UInt16, _ timestamp: UInt32, _ payload: [UInt8], _ format: MediaFormat,
        marker: Bool = false
    ) throws {
        let bytes: [UInt8] =
            [0x80, marker ? 0xE0 : 96, UInt8(sequence >> 8), UInt8(sequence & 0xFF)]
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: timestamp >> $0) } + [0, 0, 0, 7] + payload
        let header = try RTPHeader(bytes.rawSpan)
        extractor.take(1, header, bytes.rawSpan.clamped(12), format)
    }

    @Test(
        "A picture without an end is left out, and counted",
        arguments: [("H264", [0x41] as [UInt8]), ("H265", [0x02, 0x01]), ("VP8", [0x10])])
    func endlessPicture(_ encoding: String, _ head: [UInt8]) throws {
        let file = Memory()
        var limits = Limits()
        limits[RTPLimits.self].pictureOctets = 20_000
        let extractor = MediaExtractor(isWanted: { _ in true }, limits: limits) { _, _ in file }
        let format = MediaFormat(mediaType: "video", encoding: encoding, clockRate: 90_000, parameters: "")
        let payload = head + [UInt8](repeating: 0x55, count: 1_000)
        for number in 0..<100 as Range<UInt16> { try feed(extractor, number, 9_000, payload, format) }
        for number in 100..<110 as Range<UInt16> { try feed(extractor, number, 12_600, payload, format) }
        extractor.end(1, isEncrypted: false, format)
        let result = try #require(extractor.results.first)
        #expect(result.tooLongPictures == 1 && result.framesOut == 1 && result.framesIn == 2)
        #expect(10_000...11_000 ~= file.octets.count)
    }

    @Test(
        "A picture without its first packet is left out, also at the start of the capture",
        arguments: [
            ("H264", [0x41, 0x88] as [UInt8], [0x41, 0x48] as [UInt8]),
            ("H265", [0x02, 0x01, 0x80], [0x02, 0x01, 0x08]),
            ("VP8", [0x10, 0x01, 0x02], [0x00, 0x01, 0x02]),
            ("VP9", [0x08, 0x80, 0x02], [0x04, 0x80, 0x02]),
        ])
    func withoutBeginning(_ encoding: String, _ first: [UInt8], _ second: [UInt8]) throws {
        let format = MediaFormat(mediaType: "video", encoding: encoding, clockRate: 90_000, parameters: "")
        let packets = (0..<8 as Range<UInt16>).map { number in
            (number: number, time: UInt32(number / 2) * 3_600, isFirst: number % 2 == 0)
        }
        for (lost, whole) in [(nil, 4), (0, 3), (4, 3), (5, 3)] as [(UInt16?, Int)] {
            let extractor = MediaExtractor(isWanted: { _ in true }) { _, _ in Memory() }
            for packet in packets where packet.number != lost {
                try feed(
                    extractor, packet.number, packet.time, packet.isFirst ? first : second, format,
                    marker: !packet.isFirst)
            }
            extractor.end(1, isEncrypted: false, format)
            let result = try #require(extractor.results.first)
            #expect(result.framesIn == 4 && result.framesOut == whole, "without \(lost.map(String.init) ?? "none")")
        }
    }

    @Test("The first captured packet may have been overtaken, by few packets or many", arguments: [1, 5, 60])
    func overtaken(_ others: Int) throws {
        let format = MediaFormat(mediaType: "audio", encoding: "PCMU", clockRate: 8_000)
        let file = Memory()
        let extractor = MediaExtractor(isWanted: { _ in true }) { _, _ in file }
        var numbers = Array(UInt16(0)..<100)
        numbers.swapAt(0, others)
        for number in numbers {
            try feed(
                extractor, number &+ 65_500, UInt32(number) * 160, [UInt8](repeating: UInt8(number), count: 160), format
            )
        }
        extractor.end(1, isEncrypted: false, format)
        let result = try #require(extractor.results.first)
        #expect(result.framesOut == 100 && result.missingPackets == 0)
        let sound = file.octets.suffix(16_000)
        #expect(Array(sound) == (0..<100).flatMap { [UInt8](repeating: $0, count: 160) })
    }

    @Test("Buffers of all streams together are bounded")
    func gathered() throws {
        var limits = Limits()
        limits.memoryOctets = 20_000
        let extractor = MediaExtractor(isWanted: { _ in true }, limits: limits) { _, _ in Memory() }
        let format = MediaFormat(mediaType: "video", encoding: "H264", clockRate: 90_000, parameters: "")
        for number in 0..<100 as Range<UInt16> {
            try feed(extractor, number, 9_000, [0x41] + [UInt8](repeating: 0x55, count: 1_000), format)
        }
        extractor.end(1, isEncrypted: false, format)
        #expect(extractor.results.first?.tooLongPictures == 1)
    }

    @Test(
        "A stream of which no frame is complete gets no file",
        arguments: ["rtsp/rtsp-snaplen-udp", "rtmp/rtmp-snaplen"])
    func noFrames(_ name: String) throws {
        for written in try extract(name) where written.result.framesOut == 0 {
            #expect(written.octets.isEmpty && written.ending.isEmpty)
        }
    }

    private static func packet(_ sequence: Int, _ timestamp: Int, _ payload: [UInt8], missing: Int = 0)
        -> ExtractedPacket
    {
        ExtractedPacket(
            sequence: UInt16(sequence), timestamp: UInt32(timestamp), marker: true, payload: payload,
            missingBefore: missing)
    }

    @Test("A delimiter or parameter sets alone are no picture")
    func delimiters() throws {
        var depacketizer = try Depacketizers.make(MediaFormat(mediaType: "video", encoding: "H264", clockRate: 90_000))
        let units: [[UInt8]] = [
            [0x09, 0xF0], [0x67, 0x42], [0x09, 0x10], [0x65, 0x88, 1], [0x09, 0x30], [0x41, 0x88, 2],
        ]
        var octets: [UInt8] = []
        for (index, unit) in units.enumerated() {
            octets += depacketizer.take(Self.packet(index, index, unit))
        }
        octets += depacketizer.finish()
        let start: [UInt8] = [0, 0, 0, 1]
        #expect(octets == start + [0x67, 0x42] + start + [0x65, 0x88, 1] + start + [0x41, 0x88, 2])
        #expect(depacketizer.framesIn == 2 && depacketizer.framesOut == 2)
    }

    @Test("AC-3 is written frame by frame; one with a missing fragment is left out")
    func surround() throws {
        var depacketizer = try Depacketizers.make(MediaFormat(mediaType: "audio", encoding: "AC3", clockRate: 48_000))
        #expect(depacketizer.fileExtension == "ac3")
        let whole: [UInt8] = [0x0B, 0x77, 1, 2]
        var octets = depacketizer.take(Self.packet(1, 0, [0, 1] + whole))
        octets += depacketizer.take(Self.packet(2, 1_536, [1, 2, 0x0B, 0x77, 3]))
        octets += depacketizer.take(Self.packet(3, 1_536, [3, 2, 4]))
        octets += depacketizer.take(Self.packet(4, 3_072, [1, 3, 0x0B, 0x77, 5]))
        octets += depacketizer.take(Self.packet(6, 3_072, [3, 3, 6], missing: 1))
        #expect(octets == whole + [0x0B, 0x77, 3, 4])
        #expect(depacketizer.framesIn == 3 && depacketizer.framesOut == 2)
    }

    @Test("An AAC access unit longer than the format allows is not kept")
    func endlessAccessUnit() throws {
        let format = MediaFormat(
            mediaType: "audio", encoding: "MPEG4-GENERIC", clockRate: 48_000,
            parameters: "config=1190; sizelength=32; indexlength=0; indexdeltalength=0")
        let file = Memory()
        let extractor = MediaExtractor(isWanted: { _ in true }) { _, _ in file }
        let unit: [UInt8] = [0, 32, 0x00, 0x0F, 0xFF, 0xFF] + [UInt8](repeating: 0x55, count: 1_000)
        for number in 0..<2_000 as Range<UInt16> { try feed(extractor, number, 9_000, unit, format) }
        extractor.end(1, isEncrypted: false, format)
        let result = try #require(extractor.results.first)
        #expect(result.problem == nil && result.framesOut == 0 && file.octets.isEmpty)
    }
}
