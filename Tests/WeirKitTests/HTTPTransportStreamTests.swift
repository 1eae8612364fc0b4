import CaptureTesting
import Testing
import WeirEngine
@testable import WeirKit
import WeirPackets
import WeirProtocols

/// MPEG transport streams in bodies of HTTP messages, read with all packets.
@Suite("Transport streams in HTTP bodies") struct HTTPTransportStreamTests {
    /// The octets of a recorded transport stream.
    private static func stream() throws -> [UInt8] {
        try KeptFrame.read(RecordedCaptures.path("Captures/rtp/mpegts-udp.pcap"))
            .compactMap { $0.datagram.map(Array.init) }.filter { $0.first == 0x47 }.flatMap { $0 }
    }

    private static let length = 188

    /// The responses of one connection, each with a type and a body of known length. `lost` octets of each body are
    /// missing from the capture.
    private func responses(_ bodies: [(type: String, octets: [UInt8])], lost: Range<Int> = 0..<0) -> Wire {
        var wire = Wire()
        wire.serverPort = 8_080
        wire.connect()
        for body in bodies {
            wire.send(fromClient: true, lines: "GET /live.ts HTTP/1.1", "Host: h", "Connection: close", "")
            wire.send(
                fromClient: false, lines: "HTTP/1.1 200 OK", "Content-Type: \(body.type)",
                "Content-Length: \(body.octets.count)", "")
            for start in stride(from: 0, to: body.octets.count, by: 1_000) {
                wire.seconds += 0.01
                let piece = Array(body.octets[start..<min(start + 1_000, body.octets.count)])
                if lost.contains(start) {
                    wire.lose(fromClient: false, octets: piece.count)
                } else {
                    wire.send(fromClient: false, piece)
                    wire.offer(fromClient: true, window: 8_000)
                }
            }
        }
        wire.close()
        return wire
    }

    private func analyzed(_ wire: Wire, packets: Bool = true) -> AnalysisResult {
        var options = AnalyzerOptions()
        options.packets = packets
        return wire.analyzed(rules: BuiltIn.rules, options: options)
    }

    private func failed(_ result: AnalysisResult) -> [String] {
        result.findings.filter { $0.verdict == .fail && $0.rule.hasPrefix("TS-") }.map(\.rule)
    }

    private func packets(_ stream: StreamRecord) -> Int? {
        for field in stream.details.fields(.masked) where field.name == "transportPackets" {
            if case .integer(let value) = field.value { return value }
        }
        return nil
    }

    @Test("are streams with programs, by type or by structure", arguments: ["video/mp2t", "application/octet-stream"])
    func stream(_ type: String) throws {
        let octets = try Self.stream()
        let result = analyzed(responses([(type, octets)]))
        let stream = try #require(result.streams.first)
        #expect(result.streams.count == 1 && stream.kind == "mpegts" && result.sessions.isEmpty)
        #expect(stream.details.summary.contains("program 1: H264, AAC"))
        #expect(packets(stream) == octets.count / Self.length)
        #expect(failed(result) == [])
        #expect(result.tallies.first?.first { $0.rule == "TS-CC" }?.pass == 1)
    }

    @Test("are not read unless every packet is shown") func onlyWithPackets() throws {
        let result = analyzed(responses([("video/mp2t", try Self.stream())]), packets: false)
        #expect(result.streams.isEmpty)
    }

    @Test("are read without the framing of chunks", arguments: [1, 100, 188, 777, 4_096]) func chunks(_ size: Int)
        throws
    {
        let octets = Array(try Self.stream().prefix(Self.length * 60))
        var wire = Wire()
        wire.serverPort = 8_080
        wire.connect()
        wire.send(fromClient: true, lines: "GET /live HTTP/1.1", "Host: h", "")
        wire.send(
            fromClient: false, lines: "HTTP/1.1 200 OK", "Content-Type: video/MP2T", "Transfer-Encoding: chunked", "")
        var body: [UInt8] = []
        for start in stride(from: 0, to: octets.count, by: size) {
            let chunk = octets[start..<min(start + size, octets.count)]
            body += Array((String(chunk.count, radix: 16) + "\r\n").utf8) + chunk + [13, 10]
        }
        wire.send(fromClient: false, body + Array("0\r\n\r\n".utf8))
        wire.close()
        let result = analyzed(wire)
        #expect(result.streams.count == 1 && result.streams.first.flatMap(packets) == 60)
        #expect(failed(result) == [])
    }

    @Test("with a missing packet have a continuity error") func continuity() throws {
        var octets = try Self.stream()
        octets.removeSubrange(Self.length * 100..<Self.length * 101)
        #expect(failed(analyzed(responses([("video/mp2t", octets)]))) == ["TS-CC"])
    }

    @Test("with octets missing from the capture continue at the next packet", arguments: [3, 10, 17]) func gap(
        _ piece: Int
    ) throws {
        let octets = try Self.stream()
        let lost = piece * 1_000..<piece * 1_000 + 2_000
        let result = analyzed(responses([("video/mp2t", octets)], lost: lost))
        let stream = try #require(result.streams.first)
        #expect(result.streams.count == 1 && failed(result) == [])
        let whole = lost.lowerBound / Self.length + octets.count / Self.length
        #expect(packets(stream) == whole - (lost.upperBound + Self.length - 1) / Self.length)
    }

    @Test("in several bodies of a connection are one stream, whose counters may start again") func bodies() throws {
        let octets = Array(try Self.stream().prefix(Self.length * 50))
        let result = analyzed(responses([("video/mp2t", octets), ("text/vnd.trolltech.linguist", octets)]))
        #expect(result.streams.count == 1 && result.streams.first.flatMap(packets) == 100)
        #expect(failed(result) == [])
    }

    @Test("are not found in other bodies") func others() {
        var body: [UInt8] = Array("GIF89a".utf8)
        for number in 0..<2_000 { body.append(UInt8(truncatingIfNeeded: number)) }
        #expect(analyzed(responses([("image/gif", body), ("video/mp2t", body)])).streams.isEmpty)
    }

    /// The packets of each stream, as counted in the octets of the bodies.
    @Test(
        "of real programs are read",
        arguments: [
            ("mpegts-progressive", "program 1: H264, AAC", [192]),
            ("mpegts-segments", "program 1: H264, AAC", [170, 84]),
            ("mpegts-post", "program 1: H264", [65]),
        ])
    func recorded(_ name: String, _ content: String, _ counts: [Int]) throws {
        var analysis = Analysis(RecordedCaptures.path("Captures/http/\(name).pcap"))
        analysis.options.packets = true
        let result = try analysis.run()
        #expect(result.streams.compactMap(packets) == counts)
        #expect(result.streams.allSatisfy { $0.details.summary.contains(content) })
        #expect(failed(result) == [])
    }
}
