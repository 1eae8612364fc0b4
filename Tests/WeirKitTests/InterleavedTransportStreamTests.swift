import CaptureTesting
import Testing
import WeirEngine
@testable import WeirKit
import WeirPackets
import WeirProtocols

/// MPEG transport streams in interleaved frames of RTSP, without RTP.
@Suite("Transport streams interleaved with RTSP") struct InterleavedTransportStreamTests {
    /// The datagrams of a recorded transport stream.
    private static func datagrams() throws -> [[UInt8]] {
        try KeptFrame.read(RecordedCaptures.path("Captures/rtp/mpegts-udp.pcap")).compactMap { frame in
            frame.datagram.map(Array.init)
        }.filter { $0.first == 0x47 }
    }

    private static func frame(_ payload: [UInt8], channel: UInt8 = 0) -> [UInt8] {
        [0x24, channel, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
    }

    /// A conversation that sets up and plays a transport stream, with these frames as media.
    private func played(_ frames: [[UInt8]], setUp: Bool = true, port: UInt16 = 554, lost: Range<Int> = 0..<0) -> Wire {
        var wire = Wire()
        wire.serverPort = port
        if setUp {
            wire.connect()
            let transport = "Transport: MP2T/H2221/TCP;unicast;interleaved=0-1"
            wire.send(fromClient: true, lines: "SETUP rtsp://h/tv RTSP/1.0", "CSeq: 1", transport, "")
            wire.send(fromClient: false, lines: "RTSP/1.0 200 OK", "CSeq: 1", "Session: 1", transport, "")
            wire.send(fromClient: true, lines: "PLAY rtsp://h/tv RTSP/1.0", "CSeq: 2", "Session: 1", "")
            wire.send(fromClient: false, lines: "RTSP/1.0 200 OK", "CSeq: 2", "Session: 1", "")
        }
        for (index, frame) in frames.enumerated() {
            wire.seconds += 0.01
            if lost.contains(index) {
                wire.lose(fromClient: false, octets: frame.count)
            } else {
                wire.send(fromClient: false, frame)
                wire.offer(fromClient: true, window: 8_000)
            }
        }
        guard setUp else { return wire }
        wire.send(fromClient: true, lines: "TEARDOWN rtsp://h/tv RTSP/1.0", "CSeq: 3", "Session: 1", "")
        wire.send(fromClient: false, lines: "RTSP/1.0 200 OK", "CSeq: 3", "Session: 1", "")
        wire.close()
        return wire
    }

    private func failed(_ result: AnalysisResult) -> [String] {
        result.findings.filter { $0.verdict == .fail && ($0.rule.hasPrefix("TS-") || $0.rule.hasPrefix("RTSP-IL")) }
            .map(\.rule)
    }

    private func outcome(_ result: AnalysisResult) -> [String] {
        result.sessions.flatMap(\.outcome)
    }

    @Test("are streams of the session, with programs, in frames of any size", arguments: [0, 1_024, 700])
    func stream(_ size: Int) throws {
        var payloads = try Self.datagrams()
        if size > 0 {
            let octets = payloads.flatMap { $0 }
            payloads = stride(from: 0, to: octets.count, by: size).map {
                Array(octets[$0..<min($0 + size, octets.count)])
            }
        }
        let result = played(payloads.map { Self.frame($0) }).analyzed(rules: BuiltIn.rules)
        let stream = try #require(result.streams.first)
        #expect(
            result.streams.count == 1 && stream.kind == "mpegts" && stream.session == result.sessions.first?.record.id)
        #expect(stream.details.summary.contains("program 1: H264, AAC"))
        #expect(stream.details.fields(.masked).contains { $0.name == "channel" })
        #expect(failed(result) == [])
        #expect(result.tallies.first?.first { $0.rule == "TS-CC" }?.pass == 1)
        let session = try #require(result.sessions.first)
        #expect(result.sessions.count == 1 && session.record.streams == [stream.id])
        #expect(result.findings.filter { $0.rule == "RTSP-RTPINFO" }.isEmpty)
        #expect(outcome(result).first?.hasPrefix("played for") == true, "\(outcome(result))")
    }

    @Test("with a packet missing in one frame have a continuity error there")
    func continuity() throws {
        var payloads = try Self.datagrams()
        payloads[20].removeSubrange(376..<564)
        let result = played(payloads.map { Self.frame($0) }).analyzed(rules: BuiltIn.rules)
        #expect(failed(result) == ["TS-CC"])
    }

    @Test("with frames missing from the capture have no continuity error")
    func gap() throws {
        let frames = try Self.datagrams().map { Self.frame($0) }
        let result = played(frames, lost: 20..<22).analyzed(rules: BuiltIn.rules)
        #expect(failed(result) == [])
        #expect(result.streams.count == 1)
    }

    @Test("are recognized in the middle, on any port", arguments: [554, 20_554])
    func late(_ port: Int) throws {
        let frames = try Self.datagrams().map { Self.frame($0, channel: 2) }
        var octets = frames.flatMap { $0 }
        octets.removeFirst(500)
        let result = played([octets], setUp: false, port: UInt16(port)).analyzed(rules: BuiltIn.rules)
        let stream = try #require(result.streams.first)
        #expect(result.streams.count == 1 && stream.kind == "mpegts")
        #expect(result.sessions.map(\.record.kind) == ["rtsp"])
        #expect(failed(result) == [])
    }

    @Test("are not found in frames that only start alike")
    func others() {
        var octets: [UInt8] = []
        for number in 0..<20 { octets += Self.frame([0x47] + [UInt8](repeating: UInt8(number), count: 375)) }
        #expect(played([octets], setUp: false, port: 20_554).analyzed().streams.isEmpty)
    }

    @Test("set up over UDP belong to the session")
    func datagrams() throws {
        var wire = Wire()
        wire.connect()
        let transport = "Transport: MP2T/H2221/UDP;unicast;client_port=7000-7001"
        wire.send(fromClient: true, lines: "SETUP rtsp://h/tv RTSP/1.0", "CSeq: 1", transport, "")
        wire.send(fromClient: false, lines: "RTSP/1.0 200 OK", "CSeq: 1", "Session: 1", transport, "")
        wire.send(fromClient: true, lines: "PLAY rtsp://h/tv RTSP/1.0", "CSeq: 2", "Session: 1", "")
        wire.send(fromClient: false, lines: "RTSP/1.0 200 OK", "CSeq: 2", "Session: 1", "")
        for payload in try Self.datagrams() {
            wire.seconds += 0.01
            wire.datagram(fromClient: false, clientPort: 7_000, serverPort: 8_000, payload)
        }
        let result = wire.analyzed(rules: BuiltIn.rules)
        let stream = try #require(result.streams.first)
        #expect(stream.kind == "mpegts" && stream.session == result.sessions.first?.record.id)
        #expect(outcome(result).first?.hasPrefix("played for") == true)
        #expect(failed(result) == [])
    }
}
