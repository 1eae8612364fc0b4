import CaptureTesting
import Foundation
import Testing
import WeirEngine
import WeirPackets
@testable import WeirKit
@testable import WeirProtocols

@Suite("Media extraction")
struct ExtractionTests {
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
        let written = try #require(try ExtractedFile.extract(name).first { $0.result.encoding == encoding })
        #expect(written.ending == ending && written.result.problem == nil)
        #expect(written.result.framesOut > 5 && written.result.framesOut == written.result.framesIn)
        guard let probed = try ExtractedFile.probe(written) else { return }
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
        let all = try ExtractedFile.extract(name)
        let written = try #require(all.first { $0.result.encoding?.uppercased() == encoding })
        #expect(written.ending == ending && written.result.problem == nil)
        #expect(written.result.framesOut > 5 && written.result.framesOut == written.result.framesIn)
        guard let probed = try ExtractedFile.probe(written) else { return }
        #expect(probed["codec_name"] == codec)
        if !rate.isEmpty { #expect(probed["sample_rate"] == rate) }
        // A decoded audio frame may span several packets, but for AAC each access unit is one.
        if codec == "aac" { #expect(probed["nb_read_frames"].flatMap { Int($0) } == written.result.framesOut) }
    }

    @Test("a picture with a missing packet is left out, and nothing else")
    func damaged() throws {
        let whole = try #require(try ExtractedFile.extract("rtsp/article-dialogue").first)
        let written = try #require(
            try ExtractedFile.extract("rtsp/rtsp-loss-udp").first { $0.result.encoding == "H264" })
        #expect(whole.result.missingPackets == 0 && whole.result.framesOut == whole.result.framesIn)
        #expect(written.result.missingPackets > 0)
        #expect(written.result.framesOut < written.result.framesIn)
    }

    @Test("packets before recognition are counted separately, and not as incomplete frames")
    func unannounced() throws {
        let written = try #require(try ExtractedFile.extract("rtp/rtp-static").first { $0.result.encoding == "PCMU" })
        #expect(written.result.earlyPackets > 0 && written.result.missingPackets == 0)
        #expect(written.result.framesOut == written.result.framesIn)
        #expect(written.result.framesIn == written.result.packets - written.result.earlyPackets)
        #expect(written.isClosed)
    }

    @Test("telephone events and FEC among the packets of a stream are not missing packets")
    func interrupted() throws {
        let dialled = try #require(
            try ExtractedFile.extract(
                "rtp/rtp-telephone-event",
                decodeAs: [AnalyzerOptions.DecodeAs(transport: .udp, port: 5_080, protocolName: "rtp")]
            ).first)
        #expect(dialled.result.otherPackets == 24 && dialled.result.missingPackets == 0)
        #expect(dialled.result.framesOut == 100)
    }

    @Test("encrypted media is refused with the reason")
    func encrypted() throws {
        let written = try ExtractedFile.extract("webrtc/webrtc-call")
        #expect(!written.isEmpty && written.allSatisfy { $0.result.problem == .encrypted && $0.octets.isEmpty })
    }

    /// The streams that ffmpeg sent in the script that recorded the capture.
    private static let sent: [(port: UInt16, encoding: String, codec: String, format: String)] = [
        (5_010, "PCMU", "pcm_mulaw", "mulaw"), (5_020, "PCMA", "pcm_alaw", "alaw"),
    ]

    @Test("audio has exactly the samples of the sender", arguments: sent.indices)
    func samples(_ index: Int) throws {
        let (port, encoding, codec, format) = Self.sent[index]
        let written = try ExtractedFile.extract(
            "rtp/rtp-static",
            decodeAs: [AnalyzerOptions.DecodeAs(transport: .udp, port: port, protocolName: "rtp")])
        let found = try #require(written.first { $0.result.encoding == encoding })
        let tool = "/usr/bin/ffmpeg"
        guard FileManager.default.isExecutableFile(atPath: tool) else { return }
        let samples = try ExtractedFile.run(
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
        let written = try ExtractedFile.extract(name)
        let video = try #require(written.first { $0.result.encoding == "H.264" })
        let audio = try #require(written.first { $0.result.encoding == "AAC" })
        #expect(video.octets == audio.octets && video.ending == "flv")
        #expect(video.octets.starts(with: [0x46, 0x4C, 0x56, 1, 5, 0, 0, 0, 9, 0, 0, 0, 0]))
        for track in [video.result, audio.result] {
            #expect(track.framesOut == track.framesIn && track.framesOut > 10 && track.problem == nil)
        }
        if pictures > 0 { #expect(video.result.framesOut == pictures && audio.result.framesOut == sounds) }
        guard let probed = try ExtractedFile.probe(video) else { return }
        // ffprobe's last stream wins; both are present.
        #expect(["h264", "aac"].contains(probed["codec_name"]))
        #expect(
            [video.result.framesOut, audio.result.framesOut].contains(probed["nb_read_frames"].flatMap { Int($0) } ?? 0)
        )
    }

    @Test("a capture begun behind the sequence headers says that its file cannot be decoded")
    func noSequenceHeader() throws {
        let written = try ExtractedFile.extract("rtmp/rtmp-midstream")
        #expect(written.count == 2 && written.allSatisfy { $0.result.lacksConfiguration && $0.result.framesOut > 10 })
        #expect(try ExtractedFile.extract("rtmp/rtmp-publish").allSatisfy { !$0.result.lacksConfiguration })
    }

    @Test("a later sequence header is written before the frames that need it")
    func laterSequenceHeader() throws {
        final class Files { var all: [ExtractedFile.Memory] = [] }
        let files = Files()
        let extractor = MediaExtractor(isWanted: { _ in true }) { _, _ in
            let file = ExtractedFile.Memory()
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
        final class Files { var all: [Int: ExtractedFile.Memory] = [:] }
        let files = Files()
        let extractor = MediaExtractor(isWanted: { _ in true }) { number, _ in
            let file = ExtractedFile.Memory()
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
        let all = try #require(try ExtractedFile.extract("rtmp/rtmp-publish").first)
        let one = try ExtractedFile.extract("rtmp/rtmp-publish", only: stream)
        #expect(one.count == 1 && one.first?.octets == all.octets)
    }

    @Test("a transport stream in UDP is written unchanged")
    func transportStream() throws {
        let written = try #require(try ExtractedFile.extract("rtp/mpegts-udp").first)
        #expect(written.ending == "ts" && written.result.framesOut > 30 && written.octets.count % 188 == 0)
        guard let probed = try ExtractedFile.probe(written) else { return }
        #expect(["h264", "aac"].contains(probed["codec_name"]))
    }

    @Test("a transport stream in bodies of HTTP is written without what is around it")
    func httpTransportStream() throws {
        let written = try #require(try ExtractedFile.extract("http/mpegts-progressive").first)
        #expect(written.ending == "ts" && written.octets.count == 192 * 188 && written.octets.first == 0x47)
    }

    @Test("what RIST retransmits is written among the original packets")
    func repeated() throws {
        let written = try ExtractedFile.extract("rtp/rtp-rist-librist").filter { !$0.octets.isEmpty }
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
        let written = try #require(try ExtractedFile.extract("rtp/rtp-ps", decodeAs: [rule]).first)
        #expect(written.ending == "mpg" && written.octets.starts(with: [0, 0, 1, 0xBA]))
        #expect(written.result.framesOut == written.result.framesIn && written.result.framesOut > 30)
        guard let probed = try ExtractedFile.probe(written) else { return }
        #expect(probed["codec_name"] == "h264" && probed["nb_read_frames"] == "40")
    }

    @Test("media over TCP is written like any other")
    func framed() throws {
        let rule = AnalyzerOptions.DecodeAs(
            transport: .tcp, port: 5_060, protocolName: "rtp",
            meanings: [AnalyzerOptions.DecodeAs.Meaning(number: 96, text: "H264/90000")])
        let written = try #require(try ExtractedFile.extract("rtp/rtp-tcp-framed", decodeAs: [rule]).first)
        #expect(written.result.framesOut == written.result.framesIn && written.result.framesOut > 30)
        guard let probed = try ExtractedFile.probe(written) else { return }
        #expect(probed["nb_read_frames"].flatMap { Int($0) } == written.result.framesOut)
    }

    @Test(
        "A stream of which no frame is complete gets no file",
        arguments: ["rtsp/rtsp-snaplen-udp", "rtmp/rtmp-snaplen"])
    func noFrames(_ name: String) throws {
        for written in try ExtractedFile.extract(name) where written.result.framesOut == 0 {
            #expect(written.octets.isEmpty && written.ending.isEmpty)
        }
    }
}
