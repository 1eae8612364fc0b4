import CaptureTesting
import Testing
import WeirEngine
@testable import WeirKit
import WeirPackets
@testable import WeirProtocols
import WeirTesting

// Audio and video of one session, with one clock drifting.

extension MeasuredTruthTests {
    private static let dialogue: [(request: String, answer: String)] = [
        (
            "DESCRIBE rtsp://h/live RTSP/1.0\r\nCSeq: 1\r\n\r\n",
            """
            RTSP/1.0 200 OK\r\nCSeq: 1\r\nContent-Base: rtsp://h/live/\r\nContent-Type: application/sdp\r
            Content-Length: 149\r\n\r\nv=0\r\no=- 1 1 IN IP4 192.0.2.2\r\ns=live\r\nt=0 0\r\nm=video 0 RTP/AVP 96\r
            a=rtpmap:96 H264/90000\r\na=control:track1\r\nm=audio 0 RTP/AVP 0\r\na=control:track2\r\n
            """
        ),
        (
            "SETUP rtsp://h/live/track1 RTSP/1.0\r\nCSeq: 2\r\nTransport: RTP/AVP;unicast;client_port=5000-5001\r\n\r\n",
            """
            RTSP/1.0 200 OK\r\nCSeq: 2\r\nSession: 63A3E5E6\r
            Transport: RTP/AVP;unicast;client_port=5000-5001;server_port=6000-6001\r\n\r\n
            """
        ),
        (
            """
            SETUP rtsp://h/live/track2 RTSP/1.0\r\nCSeq: 3\r\nSession: 63A3E5E6\r
            Transport: RTP/AVP;unicast;client_port=5002-5003\r\n\r\n
            """,
            """
            RTSP/1.0 200 OK\r\nCSeq: 3\r\nSession: 63A3E5E6\r
            Transport: RTP/AVP;unicast;client_port=5002-5003;server_port=6002-6003\r\n\r\n
            """
        ),
        (
            "PLAY rtsp://h/live/ RTSP/1.0\r\nCSeq: 4\r\nSession: 63A3E5E6\r\n\r\n",
            "RTSP/1.0 200 OK\r\nCSeq: 4\r\nSession: 63A3E5E6\r\n\r\n"
        ),
    ]

    /// A session with audio and video, of which one drifts by a given amount, with random jitter.
    private static func session(
        drift: Double, ofVideo: Bool, noise: Double, seconds: Int, _ generator: inout SeededGenerator
    ) -> Wire {
        var packets: [(seconds: Double, port: UInt16, octets: [UInt8])] = []
        for index in 0..<seconds * 50 {
            let media = Double(index) * 160 * (ofVideo ? 1 : 1 + drift)
            let octets = packet(0, 700 + index, Int(media), ssrc: 0xA0, [UInt8](repeating: 0xD5, count: 160))
            packets.append((1 + Double(index) * 0.02 + uniform(&generator) * noise, 5_002, octets))
        }
        for index in 0..<seconds * 25 {
            let media = Double(index) * 3_600 * (ofVideo ? 1 + drift : 1)
            var octets = packet(96, 300 + index, Int(media), ssrc: 0xB0, [0x41, 0x9A, 0x24])
            octets[1] |= 0x80
            packets.append((1 + Double(index) * 0.04 + uniform(&generator) * noise, 5_000, octets))
        }
        var wire = Wire()
        wire.connect()
        for (request, answer) in dialogue {
            wire.send(fromClient: true, Array(request.utf8))
            wire.send(fromClient: false, Array(answer.utf8))
        }
        for packet in packets.sorted(by: { $0.seconds < $1.seconds }) {
            wire.seconds = packet.seconds
            wire.datagram(
                fromClient: false, clientPort: packet.port, serverPort: packet.port + 1_000, packet.octets)
        }
        return wire
    }

    @Test("whether audio or video drifted, how far, and how certain it is", arguments: seeds)
    func skew(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed)
        let seconds = 20
        let noise = 0.001 + Self.uniform(&generator) * 0.009
        let ofVideo = generator.chance(2)
        // One in three does not drift; the others drift by 70 to 250 ms in total.
        let moves = seed % 3 != 0
        let size = (0.07 + Self.uniform(&generator) * 0.18) / Double(seconds) * (generator.chance(2) ? -1 : 1)
        let drift = moves ? size : 0
        let wire = Self.session(drift: drift, ofVideo: ofVideo, noise: noise, seconds: seconds, &generator)
        var options = AnalyzerOptions()
        options.verifiesChecksums = false
        let result = Self.analyzed(wire, options)
        let findings = result.findings.filter { $0.rule == "RTP-SKEW" && $0.verdict == .fail }
        #expect(result.streams.count == 2)
        for stream in result.streams {
            let isMoved = moves && (stream.mediaType == "video") == ofVideo
            let measured = try #require(Self.value("clock.driftPpm", stream))
            let uncertainty = try #require(Self.value("clock.uncertaintyPpm", stream))
            let truth = isMoved ? drift * 1_000_000 : 0
            #expect(abs(measured - truth) < 4 * uncertainty + 5, "\(measured) ± \(uncertainty), in truth \(truth)")
        }
        guard moves else {
            #expect(findings.isEmpty)
            return
        }
        let finding = try #require(findings.first)
        #expect(findings.count == 1 && finding.message.key == (ofVideo ? "RTP-SKEW.video" : "RTP-SKEW.audio"))
        let said = finding.message.arguments.map { argument -> Double in
            if case .decimal(let value, _) = argument { value } else { .nan }
        }
        try #require(said.count == 4)
        let apart = drift.magnitude * said[1] * 1_000
        #expect(abs(said[0] - apart) < 4 * said[2] + 0.5, "\(said[0]) ± \(said[2]) ms, in truth \(apart)")
        #expect(said[2] < 5)
    }
}
