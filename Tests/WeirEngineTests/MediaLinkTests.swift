import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols

/// Media is assigned to the session that set it up, whatever its actual addresses.
@Suite("Media and the session that set it up")
struct MediaLinkTests {
    private static let client = "192.0.2.1"
    private static let server = "192.0.2.2"

    /// Returns a session up to the response to PLAY, followed by `media`.
    private func play(
        _ transport: String, _ granted: String, version: String = "1.0", connection: String = "0.0.0.0",
        direction: String = "recvonly", profile: String = "RTP/AVP", _ media: String
    ) -> AnalyzedTimeline {
        AnalyzedTimeline.emit(
            frames(
                transport, granted, version: version, connection: connection, direction: direction, profile: profile,
                media))
    }

    private func frames(
        _ transport: String, _ granted: String, version: String = "1.0", connection: String = "0.0.0.0",
        direction: String = "recvonly", profile: String = "RTP/AVP", _ media: String
    ) -> [KeptFrame] {
        Transcript(
            """
            C: DESCRIBE rtsp://h/live RTSP/\(version)
            CSeq: 1

            S: RTSP/\(version) 200 OK
            CSeq: 1
            Content-Base: rtsp://h/live/
            Content-Type: application/sdp
            Content-Length: *
            ~
            v=0
            o=- 1 1 IN IP4 192.0.2.2
            s=live
            c=IN IP4 \(connection)
            t=0 0
            m=video 0 \(profile) 96
            a=rtpmap:96 H264/90000
            a=control:track1
            a=\(direction)

            C: SETUP rtsp://h/live/track1 RTSP/\(version)
            CSeq: 2
            Transport: \(transport)

            S: RTSP/\(version) 200 OK
            CSeq: 2
            Session: 63A3E5E6
            Transport: \(granted)

            C: PLAY rtsp://h/live/ RTSP/\(version)
            CSeq: 3
            Session: 63A3E5E6

            S: RTSP/\(version) 200 OK
            CSeq: 3
            Session: 63A3E5E6

            \(media)

            C: TEARDOWN rtsp://h/live/ RTSP/\(version)
            CSeq: 4
            Session: 63A3E5E6

            S: RTSP/\(version) 200 OK
            CSeq: 4

            FIN
            """
        ).frames
    }

    /// Returns encoding, packets and session of each stream.
    private func streams(_ timeline: AnalyzedTimeline) -> [String] {
        timeline.streams.map { stream in
            let packets = (stream.details as? RTPStreamDetails)?.stream.packets ?? 0
            return "\(stream.encoding ?? "?") \(packets) \(stream.session.map { "session \($0)" } ?? "alone")"
        }
    }

    /// Returns both conversations in sequence, the second on another connection, from port 40001.
    private static func together(_ first: [KeptFrame], _ second: [KeptFrame]) -> [KeptFrame] {
        var frames = first
        let end = first.last?.info.time.nanoseconds ?? 0
        for frame in second {
            var frame = frame
            frame.info.number = frames.count + 1
            frame.info.time = Timestamp(nanoseconds: end + frame.info.time.nanoseconds + 100_000_000)
            if frame.octets[9] == 6 {
                for offset in [20, 22] where frame.octets[offset] == 0x9C && frame.octets[offset + 1] == 0x40 {
                    frame.octets[offset + 1] = 0x41
                }
            }
            // A different IP identification, so that no packet is a duplicate.
            frame.octets[4] = 7
            frames.append(frame)
        }
        return frames
    }

    private static let ports = "RTP/AVP;unicast;client_port=5000-5001"

    @Test("behind a NAT the client's endpoint differs from the signaled one")
    func translatedPorts() {
        let timeline = play(
            Self.ports, Self.ports + ";server_port=6000-6001",
            """
            F 192.0.2.1:62001 192.0.2.2:6001 11223344

            D 192.0.2.2:6000 192.0.2.1:62000 96 100 11223344 20

            E 192.0.2.2:6001 192.0.2.1:62001 11223344
            """)
        #expect(streams(timeline) == ["H264 20 session 1"])
        #expect(timeline.sessions.map(\.outcome.first?.key) == ["outcome.played"])
        let reports = zip(timeline.lines, timeline.places).filter { $0.0.protocolName == "rtcp" }
        #expect(reports.map(\.1.session) == [1, 1, 1, 1])
    }

    @Test("a second client at the same address and server port is another session's")
    func otherClient() {
        let timeline = play(
            Self.ports, Self.ports + ";server_port=6000-6001",
            """
            D 192.0.2.2:6000 192.0.2.1:5000 96 100 11223344 20

            D 192.0.2.2:6000 192.0.2.1:7000 96 700 55667788 20
            """)
        #expect(streams(timeline).sorted() == ["? 20 alone", "H264 20 session 1"])
    }

    @Test("media from an address other than the server's belongs to the session, too")
    func otherServer() {
        let timeline = play(
            Self.ports, Self.ports + ";server_port=6000-6001",
            """
            D 192.0.2.9:7000 192.0.2.1:5000 96 100 11223344 20
            """)
        #expect(streams(timeline) == ["H264 20 session 1"])
    }

    @Test("RTSP 2.0 signals ports and addresses in dest_addr and src_addr (RFC 7826 §18.54)")
    func version2() {
        let timeline = play(
            #"RTP/AVP;unicast;dest_addr=":5000"/":5001""#,
            #"RTP/AVP;unicast;dest_addr="192.0.2.1:5000"/"192.0.2.1:5001";src_addr="192.0.2.2:6000"/"192.0.2.2:6001""#,
            version: "2.0",
            """
            D 192.0.2.2:6000 192.0.2.1:5000 96 100 11223344 20

            E 192.0.2.2:6001 192.0.2.1:5001 11223344
            """)
        #expect(streams(timeline) == ["H264 20 session 1"])
        #expect(zip(timeline.lines, timeline.places).first { $0.0.protocolName == "rtcp" }?.1.session == 1)
    }

    @Test("RTP and RTCP may share one port (RFC 5761)")
    func onePort() {
        let timeline = play(
            #"RTP/AVP;unicast;RTCP-mux;dest_addr=":5000""#,
            #"RTP/AVP;unicast;RTCP-mux;dest_addr=":5000";src_addr=":6000""#, version: "2.0",
            """
            D 192.0.2.2:6000 192.0.2.1:5000 96 100 11223344 20

            E 192.0.2.2:6000 192.0.2.1:5000 11223344
            """)
        #expect(streams(timeline) == ["H264 20 session 1"])
        #expect(zip(timeline.lines, timeline.places).first { $0.0.protocolName == "rtcp" }?.1.session == 1)
    }

    @Test("a multicast group given only by the description")
    func describedGroup() {
        let timeline = play(
            "RTP/AVP;multicast", "RTP/AVP;multicast;port=5000-5001;ttl=16", connection: "239.1.2.3/16",
            """
            D 192.0.2.2:6000 239.1.2.3:5000 96 100 11223344 20

            F 192.0.2.1:5001 239.1.2.3:5001 11223344
            """)
        #expect(streams(timeline) == ["H264 20 session 1"])
        let report = (timeline.streams.first?.details as? RTPStreamDetails)?.stream.reports.receiverReports
        #expect(report == 1)
    }

    @Test("audio back channel to a camera, as in ONVIF")
    func backchannel() {
        let media = "D 192.0.2.1:5000 192.0.2.2:6000 96 100 11223344 20"
        #expect(
            streams(play(Self.ports, Self.ports + ";server_port=6000-6001", direction: "sendonly", media)) == [
                "H264 20 session 1"
            ])
        #expect(streams(play(Self.ports, Self.ports + ";server_port=6000-6001", media)) == [])
    }

    @Test("a recording whose SETUP has only the server's port, as in AirPlay")
    func serverPortOnly() {
        let timeline = AnalyzedTimeline.emit(
            Transcript(
                """
                C: ANNOUNCE rtsp://h/1 RTSP/1.0
                CSeq: 1
                Content-Type: application/sdp
                Content-Length: *
                ~
                v=0
                o=iTunes 1 0 IN IP4 192.0.2.1
                s=iTunes
                c=IN IP4 192.0.2.2
                t=0 0
                m=audio 0 RTP/AVP 96
                a=rtpmap:96 AppleLossless
                a=fmtp:96 352 0 16 40 10 14 2 255 0 0 44100

                S: RTSP/1.0 200 OK
                CSeq: 1
                Server: AirTunes/220.68

                C: SETUP rtsp://h/1 RTSP/1.0
                CSeq: 2
                Transport: RTP/AVP/UDP;unicast;interleaved=0-1;mode=record;control_port=6001;timing_port=6002

                S: RTSP/1.0 200 OK
                CSeq: 2
                Session: 63A3E5E6
                Transport: RTP/AVP/UDP;unicast;mode=record;server_port=53561;control_port=63379;timing_port=50607

                C: RECORD rtsp://h/1 RTSP/1.0
                CSeq: 3
                Session: 63A3E5E6

                S: RTSP/1.0 200 OK
                CSeq: 3

                D 192.0.2.1:49000 192.0.2.2:53561 96 100 11223344 20

                FIN
                """
            ).frames)
        #expect(streams(timeline) == ["AppleLossless 20 session 1"])
        let stream = (timeline.streams.first?.details as? RTPStreamDetails)?.stream
        #expect(stream?.mainFormat?.clockRate == 44_100)
        #expect(timeline.sessions.first?.outcome.first?.key == "outcome.recorded")
    }

    @Test("media other than RTP is not dissected as RTP, whatever it looks like")
    func otherProtocol() {
        let timeline = play(
            "x-real-rdt/udp;client_port=5000;mode=play", "x-real-rdt/udp;client_port=5000;server_port=6000",
            """
            D 192.0.2.2:6000 192.0.2.1:5000 96 100 11223344 2
            """)
        #expect(streams(timeline) == [])
        #expect(timeline.sessions.first?.outcome.first?.key == "outcome.otherProtocol")
        let tunnelled = play(
            "x-pn-tng/tcp;mode=play", "x-pn-tng/tcp;interleaved=0",
            """
            M 0 100 9000

            M 0 101 9000

            R 0 S
            """)
        #expect(streams(tunnelled) == [])
        #expect(!tunnelled.lines.contains { $0.protocolName == "rtp" || $0.protocolName == "rtcp" })
    }

    @Test("a report belongs to the session of the stream that it is about")
    func sharedGroup() {
        let join = { (number: String) in
            """
            C: SETUP rtsp://h/live/track1 RTSP/1.0
            CSeq: 1
            Transport: RTP/AVP;multicast

            S: RTSP/1.0 200 OK
            CSeq: 1
            Session: \(number)
            Transport: RTP/AVP;multicast;destination=239.1.2.3;port=5000-5001

            C: PLAY rtsp://h/live/ RTSP/1.0
            CSeq: 2
            Session: \(number)

            S: RTSP/1.0 200 OK
            CSeq: 2
            Session: \(number)
            """
        }
        let first = Transcript(join("63A3E5E6") + "\n\nD 192.0.2.2:6000 239.1.2.3:5000 96 100 11223344 20").frames
        let second = Transcript(
            join("93A3E5E6")
                + "\n\nE 192.0.2.2:6001 239.1.2.3:5001 11223344\n\nD 192.0.2.2:6000 239.1.2.3:5000 96 120 11223344 20"
        ).frames
        let timeline = AnalyzedTimeline.emit(Self.together(first, second))
        #expect(timeline.sessions.count == 2)
        #expect(streams(timeline) == ["? 40 session 1"])
        let report = zip(timeline.lines, timeline.places).first { $0.0.protocolName == "rtcp" }
        #expect(report?.1.session == 1)
    }

    @Test("ports of an ended session belong to the next session that announces them")
    func portsAgain() {
        for granted in [Self.ports + ";server_port=6000-6001", Self.ports] {
            let first = frames(Self.ports, granted, "D 192.0.2.2:6000 192.0.2.1:5000 96 100 11223344 20")
            let second = frames(Self.ports, granted, "D 192.0.2.2:6000 192.0.2.1:5000 96 5100 55667788 30")
            let timeline = AnalyzedTimeline.emit(Self.together(first, second))
            #expect(streams(timeline) == ["H264 20 session 1", "H264 30 session 2"])
            #expect(timeline.sessions.map(\.outcome.first?.key) == ["outcome.played", "outcome.played"])
        }
    }

    @Test("only the headers of encrypted media are parsed")
    func encrypted() throws {
        let media = "D 192.0.2.2:6000 192.0.2.1:5000 96 100 11223344 20\n\nE 192.0.2.2:6001 192.0.2.1:5001 11223344"
        let ports = "RTP/SAVP;unicast;client_port=5000-5001"
        let timeline = play(ports, ports + ";server_port=6000-6001", profile: "RTP/SAVP", media)
        let details = try #require(timeline.streams.first?.details as? RTPStreamDetails)
        #expect(streams(timeline) == ["H264 20 session 1"])
        #expect(details.stream.content.h264 == nil && details.stream.mainFormat?.payload == .opaque)
        #expect(details.stream.jitter?.clockRate == 90_000)
        #expect(timeline.lines.first { $0.protocolName == "rtcp" }?.summary.contains("encrypted") == true)
    }

    @Test("a server that redirects the client")
    func redirected() {
        let timeline = AnalyzedTimeline.emit(
            Transcript(
                """
                C: DESCRIBE rtsp://h/live RTSP/1.0
                CSeq: 1

                S: RTSP/1.0 302 Found
                CSeq: 1
                Location: rtsp://other/live

                FIN
                """
            ).frames)
        #expect(
            timeline.sessions.first?.outcome.first
                == Text("outcome.redirected", .string("DESCRIBE"), .integer(302), .uri("rtsp://other/live")))
    }
}
