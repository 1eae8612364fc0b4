import CaptureTesting
import Foundation
import Testing
import WeirCapture
import WeirPackets
import WeirTesting

@testable import WeirRedaction

/// Redacted captures have the same story, and nothing that was replaced: each is written and proved.
struct RedactionTests {
    /// Of each kind; all captures with WEIR_ALL_REDACTIONS.
    private static let captures =
        ProcessInfo.processInfo.environment["WEIR_ALL_REDACTIONS"] != nil
        ? RecordedCaptures.all
        : [
            "Captures/rtsp/rtsp-digest.pcap", "Captures/rtsp/rtsp-loss-udp.pcap", "Captures/rtsp/rtsp-http-tunnel.pcap",
            "Captures/rtsp/rtsp-tcp-interleaved.pcap", "Captures/rtsp/rtsp-ipv6.pcap",
            "Captures/rtsp/rtsp-any-sll2.pcap",
            "Captures/rtsp/rtsp-two-interfaces.pcapng", "Captures/rtsp/rtsp-retransmission.pcap",
            "Captures/rtmp/rtmp-publish.pcap", "Captures/rtmp/rtmp-loss.pcap", "Captures/rtmp/rtmpt-publish.pcap",
            "Captures/rtp/rtp-mpegts.pcap", "Captures/srt/srt-live.pcap", "Captures/tls/rtsps-tls13.pcap",
            "Captures/rtsp/rtsp-srtp.pcap", "Captures/rtsp/rtsp-srtp-sdes.pcap", "Captures/rtmp/rtmp-midstream.pcap",
            "Captures/rtmp/rtmp-snaplen.pcap", "Captures/http/websocket-deflate.pcap",
            "Captures/webrtc/signaling-websocket-deflate.pcap", "Captures/webrtc/browser-turn.pcap",
            "Captures/webrtc/whip.pcap", "Captures/transport/made-cut-short.pcap",
            "Captures/http/rtsp-websocket.pcap", "Captures/rtsp/rtsp-snaplen-tcp.pcap", "Captures/rtsp/rtsp-vlc.pcap",
            "Captures/srt/srt-file.pcap", "Captures/webrtc/signaling-socketio.pcap",
        ]

    @Test(arguments: captures)
    func `a capture is redacted with both proofs`(capture: String) throws {
        try Self.redacted(RecordedCaptures.path(capture)) { _, _ in }
    }

    @Test func `two captures of a case are replaced alike with a mapping`() throws {
        var maps: [String] = []
        var addresses: [Set<String>] = []
        var mapping = MappingFile()
        for capture in ["Captures/rtsp/rtsp-udp.pcap", "Captures/rtsp/rtsp-basic.pcap"] {
            try Self.redacted(RecordedCaptures.path(capture), mapping) { redaction, _ in
                maps.append(redaction.map)
                addresses.append(
                    Set(redaction.map.split(separator: "\n").filter { $0.hasPrefix("address") }.map(String.init)))
                mapping = try MappingFile(redaction.map)
            }
        }
        #expect(!addresses[0].isEmpty && addresses[0].isSubset(of: addresses[1]))
    }

    @Test func `a name over two segments, and sent again, is replaced equally`() throws {
        let request = "OPTIONS rtsp://kitchen.example/kitchen RTSP/1.0\r\nCSeq: 1\r\n\r\n"
        let octets = Array(request.utf8)
        let split = 18
        let (client, server) = (PacketBuilder.client, Endpoint(address: PacketBuilder.server.address, port: 554))
        func segment(_ part: ArraySlice<UInt8>, _ sequence: UInt32, _ flags: TCPFlags = .ack) -> [UInt8] {
            PacketBuilder.ethernet(
                PacketBuilder.tcp(Array(part), from: client, to: server, sequence: sequence, flags: flags))
        }
        let frames = [
            segment([], 0, .syn), segment(octets[..<split], 1), segment(octets[split...], UInt32(1 + split)),
            segment(octets[10..<30], 11),
        ]
        let file = try Self.file(frames)
        defer { try? FileManager.default.removeItem(at: file) }
        try Self.redacted(file.path) { _, written in
            let new = try Self.frames(written).map { Array($0.dropFirst(54)) }
            let text = new[1] + new[2]
            let shown = String(decoding: text, as: UTF8.self)
            #expect(shown.hasPrefix("OPTIONS rtsp://") && !shown.contains("kitchen") && shown.contains(".example/"))
            #expect(new[3] == Array(text[10..<30]))
        }
    }

    @Test func `right checksums stay right, and wrong ones wrong`() throws {
        var wrong = PacketBuilder.ethernet(PacketBuilder.udp([UInt8](repeating: 7, count: 33)))
        wrong[14 + 20 + 6] ^= 0x55
        let right = PacketBuilder.ethernet(PacketBuilder.udp([UInt8](repeating: 9, count: 34)))
        let file = try Self.file([right, wrong])
        defer { try? FileManager.default.removeItem(at: file) }
        try Self.redacted(file.path) { _, written in
            var decoder = PacketDecoder()
            var states: [ChecksumState] = []
            var capture = try CaptureFile(written)
            while let frame = try capture.next() {
                if case .transport(let unit) = decoder.decode(frame) { states.append(unit.checksum) }
            }
            #expect(states == [.valid, .invalid])
            #expect(decoder.counters.ipv4HeaderChecksumErrors == 0)
        }
    }

    @Test func `what nobody knows is blanked`() throws {
        let secret = Array("my private words".utf8)
        let file = try Self.file([
            PacketBuilder.ethernet(PacketBuilder.udp(secret)), PacketBuilder.ethernet(PacketBuilder.tcp(secret)),
            PacketBuilder.ethernet(secret, type: 0x88CC),
        ])
        defer { try? FileManager.default.removeItem(at: file) }
        try Self.redacted(file.path) { _, written in
            for frame in try Self.frames(written) {
                #expect(!String(decoding: frame, as: UTF8.self).contains("private"))
            }
        }
    }

    /// Lengths, nesting and repetition that no peer sends.
    @Test(arguments: [
        "RTSP/1.0 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nx",
        "RTSP/1.0 200 OK\r\nContent-Length: -7\r\n\r\nx",
        "OPTIONS rtsp://a/ RTSP/1.0\r\nCSeq: 1\r\n\r\n" + String(repeating: "\u{1}GET / HTTP/1.1", count: 1_500),
    ])
    func `hostile heads are redacted`(text: String) throws {
        let server = Endpoint(address: PacketBuilder.server.address, port: 554)
        let frames = [[], Array(text.utf8)].enumerated().map { index, part in
            PacketBuilder.ethernet(
                PacketBuilder.tcp(part, to: server, sequence: UInt32(index), flags: index == 0 ? .syn : .ack))
        }
        let file = try Self.file(frames)
        defer { try? FileManager.default.removeItem(at: file) }
        try Redaction(file.path, RedactionOptions(), MappingFile()).write(application: "weir") { _ in }
    }

    @Test func `layers without end are not followed`() throws {
        let tags = PacketBuilder.ethernet(
            [UInt8](repeating: 0x42, count: 40), vlans: [Int](repeating: 1, count: 12_000))
        let channels = [UInt8](repeating: 0, count: 12_000).enumerated().map {
            $0.offset % 4 == 0 ? 0x40 : $0.offset % 4 == 2 ? 0x20 : 0 as UInt8
        }
        let file = try Self.file([tags, PacketBuilder.ethernet(PacketBuilder.udp(channels))])
        defer { try? FileManager.default.removeItem(at: file) }
        try Redaction(file.path, RedactionOptions(), MappingFile()).write(application: "weir") { _ in }
    }

    @Test func `a failed proof names places, and no content`() throws {
        let redaction = try Redaction(
            RecordedCaptures.path("Captures/rtsp/rtsp-basic.pcap"), RedactionOptions(), MappingFile())
        // Another story, and the original, which has all names still.
        let error = #expect(throws: RedactionError.self) {
            try redaction.prove(RecordedCaptures.path("Captures/rtsp/rtsp-digest.pcap"))
        }
        #expect(throws: RedactionError.self) { try redaction.prove(redaction.file) }
        guard case .proof(let reasons)? = error else { return }
        #expect(!reasons.isEmpty)
        for reason in reasons { #expect(reason.count < 120 && !reason.contains("10.77."), "\(reason)") }
    }

    @Test func `any octets are redacted without a trap`() throws {
        var generator = SeededGenerator(37)
        var original: [[UInt8]] = []
        for capture in [
            "Captures/rtsp/rtsp-basic.pcap", "Captures/webrtc/webrtc-turn-udp.pcap",
            "Captures/rtmp/article-publish.pcap",
        ] {
            original += try Self.frames(RecordedCaptures.path(capture)).prefix(60)
        }
        for _ in 0..<20 {
            let frames = original.map { frame in
                var frame = frame
                for _ in 0..<1 + Int(generator.next() % 4) where !frame.isEmpty {
                    frame[Int(generator.next() % UInt64(frame.count))] = UInt8(truncatingIfNeeded: generator.next())
                }
                return generator.chance(8) ? Array(frame.prefix(Int(generator.next() % 80))) : frame
            }
            let file = try Self.file(frames)
            defer { try? FileManager.default.removeItem(at: file) }
            let redaction = try Redaction(file.path, RedactionOptions(), MappingFile())
            var octets = 0
            try redaction.write(application: "weir") { octets += $0.count }
            #expect(octets == 24 + frames.reduce(0) { $0 + 16 + $1.count })
        }
    }

    // MARK: - Files

    /// Redacts a capture with proofs, and passes the redaction and the file written.
    private static func redacted(
        _ path: String, _ mapping: MappingFile = MappingFile(), _ body: (Redaction, String) throws -> Void
    ) throws {
        let redaction = try Redaction(path, RedactionOptions(), mapping)
        let file = temporary()
        defer { try? FileManager.default.removeItem(at: file) }
        var octets: [UInt8] = []
        try redaction.write(application: "weir") { octets += $0 }
        try Data(octets).write(to: file)
        try redaction.prove(file.path)
        try body(redaction, file.path)
    }

    private static func temporary() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("weir-\(UUID().uuidString).pcap")
    }

    /// Writes frames of Ethernet as a capture.
    private static func file(_ frames: [[UInt8]]) throws -> URL {
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        var octets = number(0xA1B2_C3D4)
        octets += [2, 0, 4, 0]
        for value in [0, 0, 65_535, 1] { octets += number(value) }
        for (index, frame) in frames.enumerated() {
            for value in [1_700_000_000, index * 1_000, frame.count, frame.count] { octets += number(value) }
            octets += frame
        }
        let file = temporary()
        try Data(octets).write(to: file)
        return file
    }

    private static func frames(_ path: String) throws -> [[UInt8]] {
        var capture = try CaptureFile(path)
        var frames: [[UInt8]] = []
        while let frame = try capture.next() { frames.append(frame.bytes.array()) }
        return frames
    }
}
