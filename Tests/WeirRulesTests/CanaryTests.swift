import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols

/// A marked secret in each field of each protocol that no report may contain: in no summary, field, finding, title,
/// outcome or record, in any language or format.
@Suite("Canaries") struct CanaryTests {
    private static let word = Canary.word

    /// URIs with a secret, in all forms.
    static let forms = [
        "rtsp://user:\(word)@h/live", "rtsp://user:p/\(word)@10.0.0.2/live", "rtsp://user:p?\(word)@10.0.0.2/live",
        "rtsp://user:p@\(word)@10.0.0.2/live", "rtsp://user:/\(word)@10.0.0.2/live", "rtsp://\(word)@10.0.0.2/live",
        "rtsp://\(word):@10.0.0.2/live", "rtsp://admin%3A\(word)@10.0.0.2/live",
        "rtsp://user:12/\(word)@camera/live", "rtsp://h/live?token=\(word)", "rtsp://h/live?api_key=\(word)",
        "rtsp://h/live?x-api-key=\(word)&a=b", "rtsp://h/live?loginpas=\(word)", "rtsp://h/live?sessionid=\(word)",
        "rtsp://h/live?X-Amz-Signature=\(word)", "rtsp://h/live?access-key=\(word)", "rtsp://h/live?stream_key=\(word)",
        "rtsp://h/live?password=p?\(word)", "rtsp://h/live?tok%65n=\(word)", "rtsp://h/live?\(word)", "/live?\(word)",
        "rtsp://h/live?token%3D\(word)", "rtsp://h/live?token=a%26\(word)", "rtsp://h/?url=rtsp://u:\(word)@x/",
        "rtsp://h/?url=rtsp%3A%2F%2Fu%3A\(word)%40x%2F", "rtsp://h/?url=rtsp%253A%252F%252Fu%253A\(word)%2540x%252F",
        "rtsp://h/?u=http%3A%2F%2Fx%2F%3Ftoken%3D\(word)%26a%3Db", "/user=admin&password=\(word)&channel=1",
        "rtsp://h/live?user[password]=\(word)", "rtsp://h/live?a%5Btoken%5D=\(word)", "rtsp://h/live?hash=\(word)",
        "rtsp://h/live?password[]=\(word)",
    ]

    /// A dialogue with `{}` in every place that may contain text.
    private static let everywhere = """
        C: OPTIONS {} RTSP/1.0
        CSeq: 1
        User-Agent: {}
        X-Strange: a, {}; b
        Timestamp: {}
        Date: {}
        Scale: {}
        Speed: {}
        Blocksize: {}
        If-Modified-Since: {}
        Require: {}
        Proxy-Require: {}
        x-token-url: {}

        S: RTSP/1.0 200 OK {}
        CSeq: 1
        Public: OPTIONS, DESCRIBE, {}
        Server: {}
        Date: {}

        C: DESCRIBE {} RTSP/1.0
        CSeq: {}
        Accept: {}
        Referer: {}

        S: RTSP/1.0 200 OK
        CSeq: 2
        Content-Base: {}
        Content-Location: {}
        Content-Type: application/sdp
        Content-Length: *
        ~
        v=0
        o=- 1 1 IN IP4 192.0.2.2
        s={}
        i={}
        u={}
        e={}
        t=0 0
        a=control:{}
        a=tool:{}
        a={}
        m=video 0 RTP/AVP 96
        i={}
        a=rtpmap:96 H264/90000
        a=fmtp:96 {}
        a=control:{}
        a=extmap:1 {}
        a=mid:{}
        a=fingerprint:sha-256 {}
        a=candidate:{}
        a=rtcp-fb:96 {}
        a=strange {}
        x={}

        C: SETUP {} RTSP/1.0
        CSeq: 3
        Transport: RTP/AVP;unicast;client_port=5000-5001;destination={};url={};mode={};setup={}

        S: RTSP/1.0 461 {}
        CSeq: 3
        Unsupported: {}
        Transport: {}

        C: SETUP rtsp://h/live/1 RTSP/1.0
        CSeq: 4
        Transport: RTP/AVP;unicast;client_port=5000-5001

        S: RTSP/1.0 200 OK
        CSeq: 4
        Session: {};timeout={}
        Transport: RTP/AVP;unicast;client_port=5000-5001;server_port=6000-6001;source={};ssrc={}

        C: PLAY {} RTSP/1.0
        CSeq: 5
        Session: 1
        Range: {}

        S: RTSP/1.0 200 OK
        CSeq: 5
        Session: 2
        Range: npt={}
        RTP-Info: url={};seq=1;rtptime=2,url="{}";seq={}

        U 5000 6000 1 90000

        S: REDIRECT {} RTSP/1.0
        CSeq: 1
        Location: {}

        C: STRANGE {} RTSP/1.0
        CSeq: 6

        S: RTSP/1.0 301 Moved
        CSeq: 6
        Location: {}
        WWW-Authenticate: Digest realm="{}", nonce="{}", domain="{}"
        """

    private static func reports(_ transcript: String, _ policy: SecretPolicy = .masked) -> [(
        name: String, text: String
    )] {
        Canary.reports(policy) { Transcript(transcript).play(into: $0, options: $1) }
    }

    @Test("Secrets in URIs are never shown", arguments: forms)
    func inURIs(_ form: String) {
        let text = Self.everywhere.replacing("{}", with: form)
        #expect(Canary.shown(in: Self.reports(text)) == [])
        #expect(!Canary.shown(in: Self.reports(text, .revealed)).isEmpty)
    }

    /// Commas are part of a password if the field contains a single URI.
    @Test(
        "Commas do not unmask parts of a URI",
        arguments: ["rtsp://u:a,\(word)@10.0.0.2/live", "rtsp://h/live?password=p,\(word)"])
    func commas(_ form: String) {
        let text = """
            C: DESCRIBE {} RTSP/1.0
            CSeq: 1
            Referer: {}

            S: RTSP/1.0 301 Moved
            CSeq: 1
            Location: {}
            Content-Base: {}

            C: PLAY rtsp://h/live RTSP/1.0
            CSeq: 2

            S: RTSP/1.0 200 OK
            CSeq: 2
            RTP-Info: url={};seq=1;rtptime=2
            """
        #expect(Canary.shown(in: Self.reports(text.replacing("{}", with: form))) == [])
    }

    /// Header fields that are secret or contain a secret.
    private static let headers = [
        "Authorization: Basic \(word)", "Authorization: \(word)", "Authorization: \(word) x", "Authorization:\(word)",
        "Authorization: Bearer \(word)", "Authorization: Digest password=\(word), username=\"a\"",
        "Authorization: Digest username=\"a\", response=\"\(word)\"", "Authorization: Digest response='\(word)'",
        "Authorization: Digest username=\"admin, response=\"\(word)", "Authorization: Digest username=\"a\", \(word)",
        "Proxy-Authorization: Basic \(word)", "Authentication-Info: rspauth=\"\(word)\", nc=1",
        "authentication-info: rspauth = \(word)", "X-API-Key: \(word)", "x-api-key:\(word)", "api_key: \(word)",
        "X-Access-Key: \(word)", "stream_key: \(word)", "Cookie: a=\(word)", "Set-Cookie: \(word); path=/",
        "KeyMgmt: prot=mikey;uri=\"\";data=\"\(word)\"", "X-Folded: a\n Authorization: Basic \(word)",
        "X-Folded: a\n X-Auth-Token: \(word)", "X-Json: {\"token\":\"\(word)\", \"a\":1}",
        "RTP-Info: url=user:\(word)@h/live;seq=1", "Location: user:\(word)@h/live",
        "Content-Base: user:\(word)@h/live/",
        "X-Json: {\"password\" : \"a b\(word)", "X-Quoted: token=\"a \(word)\"", "X-Open: token=\"a \(word)",
        "X-Text: see password: \(word)", "X-SIP: <sip:u:\(word)@h>",
        "Transport: RTP/AVP;unicast;client_port=5-6;key=\(word);uri=\"rtsp://u:\(word)@h\"",
        "Transport: RTP/SAVP;unicast;client_port=5-6;MIKEY=\(word)",
    ]

    @Test("Secret header fields are never shown", arguments: headers)
    func inHeaders(_ header: String) {
        let text = """
            C: SETUP rtsp://h/live/1 RTSP/1.0
            CSeq: 1
            \(header)

            S: RTSP/1.0 200 OK
            CSeq: 1
            Session: 1
            \(header)
            """
        #expect(Canary.shown(in: Self.reports(text)) == [])
        #expect(!Canary.shown(in: Self.reports(text, .revealed)).isEmpty)
    }

    private static let lines = [
        "k=clear:\(word)", "k=base64:\(word)", "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:\(word)|2^20|1:4",
        "a=Crypto:1 AES_CM_128_HMAC_SHA1_80 inline:\(word)", "a=CRYPTO:\(word)", "a=crypto:1 X inline:a;inline:\(word)",
        "a=ice-pwd:\(word)", "a=ICE-PWD:\(word)", "a=key-mgmt:mikey \(word)", "a=Key-Mgmt:mikey \(word)",
        "a=acap:1 crypto:1 AES_CM_128_HMAC_SHA1_80 inline:\(word)", "a=X-Token:\(word)", "a=fmtp:96 key=\(word);a=1",
        "a=strange:{\"apiKey\":\"\(word)\"}", "a=tool:x inline:\(word)",
    ]

    @Test("Keys in descriptions are never shown", arguments: lines)
    func inDescriptions(_ line: String) {
        let text = """
            C: DESCRIBE rtsp://h/live RTSP/1.0
            CSeq: 1

            S: RTSP/1.0 200 OK
            CSeq: 1
            Content-Type: application/sdp
            Content-Length: *
            ~
            v=0
            o=- 1 1 IN IP4 192.0.2.2
            s=-
            \(line)
            t=0 0
            m=video 0 RTP/SAVP 96
            a=rtpmap:96 H264/90000
            \(line)
            """
        #expect(Canary.shown(in: Self.reports(text)) == [])
    }

    /// CI runners execute output lines that start like this.
    @Test("A received line feed starts no line of a report")
    func lineFeeds() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-standstill-udp.pcap")).map {
            $0.info.number == 264 ? $0.replacing("@host-ec4173db", with: "\r\n::error::3db") : $0
        }
        let reports = Canary.reports { sink, options in
            let analyzer = Analyzer(options: options, sink: sink)
            analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
            for frame in frames { frame.use { analyzer.process($0) } }
            analyzer.finish()
        }
        let junit = try #require(reports.first { $0.name.contains("junit") })
        #expect(junit.text.contains("::error::3db"))
        for report in reports {
            #expect(!report.text.split(separator: "\n").contains { $0.hasPrefix("::error::3db") }, "\(report.name)")
        }
    }
}
