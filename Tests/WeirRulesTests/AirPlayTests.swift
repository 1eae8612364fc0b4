import CaptureTesting
import Testing
import WeirEngine
import WeirProtocols

@Suite("AirPlay over RTSP")
struct AirPlayTests {
    private static let dialogue = Transcript(
        """
        C: GET /info RTSP/1.0
        X-Apple-ProtocolVersion: 1

        S: RTSP/1.0 200 OK
        Server: AirTunes/220.68
        Content-Type: application/x-apple-binary-plist
        Content-Length: *
        ~
        bplist00

        C: POST /fp-setup RTSP/1.0
        CSeq: 1
        Content-Type: application/octet-stream
        Content-Length: *
        ~
        FPLY

        S: RTSP/1.0 200 OK
        CSeq: 1
        Server: AirTunes/220.68

        C: ANNOUNCE rtsp://h/1 RTSP/1.0
        CSeq: 2
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
        CSeq: 2

        C: SETUP rtsp://h/1 RTSP/1.0
        CSeq: 3
        Transport: RTP/AVP/UDP;unicast;interleaved=0-1;mode=record;control_port=6001;timing_port=6002

        S: RTSP/1.0 200 OK
        CSeq: 3
        Session: 1
        Transport: RTP/AVP/UDP;unicast;mode=record;server_port=53561;control_port=63379;timing_port=50607

        C: RECORD rtsp://h/1 RTSP/1.0
        CSeq: 4
        Session: 1

        S: RTSP/1.0 200 OK
        CSeq: 4

        D 192.0.2.1:49000 192.0.2.2:53561 96 100 11223344 20

        C: FLUSH rtsp://h/1 RTSP/1.0
        CSeq: 5
        Session: 1

        S: RTSP/1.0 200 OK
        CSeq: 5

        C: TEARDOWN rtsp://h/1 RTSP/1.0
        CSeq: 6
        Session: 1

        S: RTSP/1.0 200 OK
        CSeq: 6

        FIN
        """)

    @Test("AirPlay's differences from RTSP are noted, and named")
    func mild() {
        let said = Self.dialogue.judged()
        #expect(said.findings.filter { $0.verdict == .fail && $0.severity != .note }.map(Collector.line) == [])
        #expect(said.said("RTSP-REQLINE") == ["note RTSP-REQLINE.relativeURI Q-AIRPLAY"])
        #expect(
            said.said("RTSP-CSEQ-PRESENT") == [
                "note RTSP-CSEQ-PRESENT.request Q-AIRPLAY", "note RTSP-CSEQ-PRESENT.answer Q-AIRPLAY",
            ])
        #expect(said.said("SDP-RTPMAP-CLOCK") == ["note SDP-RTPMAP-CLOCK.none Q-AIRPLAY"])
        #expect(said.said("RTSP-TRANSPORT-ONE") == [])
    }

    @Test("the same from a camera is an error")
    func camera() throws {
        let edits = [
            ("GET /info", "DESCRIBE /live"), ("X-Apple-ProtocolVersion: 1", "Accept: */*"),
            ("application/x-apple-binary-plist", "text/plain"), ("POST /fp-setup", "POST /x"),
            ("Server: AirTunes/220.68\nContent", "Content"), ("CSeq: 1\nServer: AirTunes/220.68", "CSeq: 1"),
            ("C: FLUSH", "C: PAUSE"),
        ]
        let said = try #require(Self.dialogue.replacing(edits)).judged()
        #expect(said.said("RTSP-REQLINE").first == "error RTSP-REQLINE.relativeURI")
        #expect(said.said("RTSP-CSEQ-PRESENT").first == "error RTSP-CSEQ-PRESENT.request")
    }
}
