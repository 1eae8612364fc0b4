import Testing
import WeirEngine
import WeirPackets
@testable import WeirProtocols

/// Classification of JSON texts.
@Suite("Signaling by content") struct SignalingMessageTests {
    private static let sdp =
        #"v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=rtpmap:111 opus/48000/2\r\n"#
    private static let line = "candidate:1 1 udp 2122260223 192.0.2.1 61022 typ host"

    private func messages(_ text: String) -> [SignalingMessage] {
        SignalingMessage.all(JSONText(text), SignalingCarriage(), Limits())
    }

    private func isSignaling(_ text: String) -> Bool {
        let octets = Array(text.utf8)
        return SignalingProbe.isSignaling(octets.rawSpan, Limits())
    }

    private func words(_ text: String) -> [String] {
        messages(text).map { message in
            [message.kind, message.envelope.from, message.envelope.to, message.envelope.type]
                .map { $0 ?? "-" }.joined(separator: " ")
        }
    }

    static let cases: [(String, [String])] = [
        // The article of 2020.
        (#"{"type":"login","source":0,"destination":0,"params":{}}"#, ["login 0 0 login"]),
        (
            #"{"type":"sdp","source":7,"destination":8,"params":{"sdp":{"sdp":"\#(sdp)","type":"offer"}}}"#,
            ["offer 7 8 sdp"]
        ),
        (
            #"{"type":"icecandidate","source":7,"destination":8,"params":{"icecandidate":{"sdp":"\#(line)","sdpMLineIndex":0,"sdpMid":"0"}}}"#,
            ["candidate 7 8 icecandidate"]
        ),
        (#"{"type":"heartbeat","source":"7","destination":"0"}"#, ["heartbeat 7 0 heartbeat"]),
        // Offers and answers of browsers, also in strings.
        (#"{"type":"offer","sdp":"\#(sdp)"}"#, ["offer - - offer"]),
        (#"{"type":"answer","sdp":"\#(sdp)","from":"a","to":"b"}"#, ["answer a b answer"]),
        (
            #"{"event":"message","data":"{\"type\":\"answer\",\"sdp\":\"\#(sdp.replacing(#"\"#, with: #"\\"#))\"}"}"#,
            ["answer - - message"]
        ),
        (#"{"candidate":"\#(line)","sdpMid":"0","sdpMLineIndex":0}"#, ["candidate - - -"]),
        (#"{"candidate":"","sdpMid":"0","sdpMLineIndex":0}"#, ["endOfCandidates - - -"]),
        (#"{"type":"candidate","candidate":null}"#, ["endOfCandidates - - candidate"]),
        (#"[{"type":"ping"},{"type":"bye","from":1}]"#, ["heartbeat - - ping", "bye 1 - bye"]),
        // Janus.
        (#"{"janus":"create","transaction":"a"}"#, ["login - - create"]),
        (#"{"janus":"attach","plugin":"janus.plugin.echotest","session_id":1}"#, ["login - - attach"]),
        (#"{"janus":"keepalive","session_id":1,"transaction":"b"}"#, ["heartbeat - - keepalive"]),
        (#"{"janus":"ack","session_id":1,"transaction":"b"}"#, ["other - - ack"]),
        (
            #"{"janus":"event","sender":22,"session_id":1,"jsep":{"type":"answer","sdp":"\#(sdp)"}}"#,
            ["answer 22 - event"]
        ),
        (#"{"janus":"trickle","handle_id":22,"candidate":{"completed":true}}"#, ["endOfCandidates - - trickle"]),
        (#"{"janus":"hangup","sender":22,"reason":"ICE failed"}"#, ["bye 22 - hangup"]),
        (#"{"janus":"error","error":{"code":458,"reason":"No such session"}}"#, ["error - - error"]),
        // Kurento, ion, LiveKit, protoo, Jitsi.
        (#"{"id":"processOffer","sdpOffer":"\#(sdp)"}"#, ["offer - - processOffer"]),
        (#"{"id":"startResponse","sdpAnswer":"\#(sdp)"}"#, ["answer - - startResponse"]),
        (
            #"{"id":"onIceCandidate","candidate":{"candidate":"\#(line)","sdpMid":"0","sdpMLineIndex":0}}"#,
            ["candidate - - onIceCandidate"]
        ),
        (
            #"{"method":"join","params":{"sid":"r","uid":"u","offer":{"type":"offer","sdp":"\#(sdp)"}},"id":"1"}"#,
            ["offer - - join"]
        ),
        (#"{"trickle":{"candidateInit":"{\"candidate\":\"\#(line)\"}","target":0}}"#, ["candidate - 0 trickle"]),
        (
            #"{"response":true,"id":3,"ok":true,"data":{"id":"t","iceParameters":{"usernameFragment":"a","password":"b"},"iceCandidates":[{"foundation":"udpcandidate","ip":"192.0.2.9","port":40000,"priority":1076302079,"protocol":"udp","type":"host"},{"foundation":"tcpcandidate","ip":"192.0.2.9","port":40001,"priority":1076276479,"protocol":"tcp","tcpType":"passive","type":"host"}]}}"#,
            ["candidate - - -", "candidate - - -"]
        ),
        // Errors, and unrelated messages.
        (#"{"type":"leave","error":"no such room"}"#, ["error - - leave"]),
        (#"{"type":"closeProducer"}"#, ["other - - closeProducer"]),
        (#"{"type":"createWebRtcTransport"}"#, ["other - - createWebRtcTransport"]),
        (#"{"jsonrpc":"2.0","method":"eth_call","params":[],"id":1}"#, ["other - - eth_call"]),
    ]

    @Test("the kind follows from the content, or from the type without content", arguments: cases)
    func kinds(text: String, expected: [String]) {
        #expect(words(text) == expected)
    }

    @Test(
        "errors and ends have a reason, as far as the text gives one",
        arguments: [
            (#"{"janus":"error","error":{"code":465,"reason":"Unknown element"}}"#, "465 Unknown element"),
            (#"{"janus":"hangup","sender":22,"reason":"ICE failed"}"#, "ICE failed"),
            (#"{"type":"error","code":486,"message":"busy here"}"#, "486 busy here"),
            (#"{"error":"no such room"}"#, "no such room"),
            (#"{"type":"error","code":"8f14e45fceea"}"#, nil), (#"{"type":"bye"}"#, nil),
            (#"{"type":"error","message":"token=8f14e45fceea is old"}"#, "token=*** is old"),
        ])
    func reasons(text: String, expected: String?) throws {
        let summary = try #require(messages(text).first).summary(.masked)
        #expect(summary.split(separator: "\"").dropFirst().first.map(String.init) == expected, "\(summary)")
    }

    @Test("descriptions are parsed, also in base64 and with line ends escaped twice")
    func descriptions() throws {
        let plain = try #require(messages(#"{"type":"offer","sdp":"\#(Self.sdp)"}"#).first?.description)
        #expect(plain.role == .offer && plain.media.map(\.type) == ["audio"])
        let twice = Self.sdp.replacing(#"\"#, with: #"\\"#)
        #expect(messages(#"{"type":"offer","sdp":"\#(twice)"}"#).first?.description?.media.count == 1)
        // {"type":"answer","sdp":"v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n"}
        let encoded =
            "eyJ0eXBlIjoiYW5zd2VyIiwic2RwIjoidj0wXHJcbm89LSAxIDEgSU4gSVA0IDAuMC4wLjBcclxucz0tXHJcbnQ9MCAwXHJcbiJ9"
        #expect(messages(#"{"data":"\#(encoded)"}"#).map(\.kind) == ["answer"])
        // Without a type, the DTLS role decides.
        let setup = Self.sdp + #"a=setup:actpass\r\n"#
        #expect(messages(#"{"x":"\#(setup)"}"#).map(\.kind) == ["offer"])
        #expect(messages(#"{"x":"\#(setup.replacing("actpass", with: "active"))"}"#).map(\.kind) == ["answer"])
    }

    @Test("a description may be an object with one member per line")
    func object() throws {
        let text = #"""
            {"type":"offer","sdp":{"version":0,"origin":{"username":"-","sessionId":7,"sessionVersion":2,"netType":"IN","ipVer":4,"address":"127.0.0.1"},"name":"-","timing":{"start":0,"stop":0},"groups":[{"type":"BUNDLE","mids":"0"}],"media":[{"rtp":[{"payload":111,"codec":"opus","rate":48000,"encoding":2}],"fmtp":[{"payload":111,"config":"minptime=10"}],"type":"audio","port":9,"protocol":"UDP/TLS/RTP/SAVPF","payloads":"111","connection":{"version":4,"ip":"0.0.0.0"},"iceUfrag":"abcd","icePwd":"C4NARYC4NARYC4NARYC4NA","fingerprint":{"type":"sha-256","hash":"AB:CD"},"setup":"actpass","mid":0,"direction":"sendrecv","rtcpMux":"rtcp-mux","candidates":[{"foundation":1,"component":1,"transport":"udp","priority":5,"ip":"192.0.2.1","port":4000,"type":"host"}]}]}}
            """#
        let message = try #require(messages(text).first)
        #expect(messages(text).map(\.kind) == ["offer"])
        let medium = try #require(message.description?.media.first)
        #expect(medium.iceUfrag == "abcd" && medium.mid == "0" && medium.rtcpMux && medium.candidates.count == 1)
        #expect(
            medium.rtpMap(111)?.encoding == "opus" && medium.setup == "actpass" && message.description?.bundle == ["0"])
        #expect(!"\(message.fields(.masked))".contains("C4NARY"))
        #expect(isSignaling(text))
    }

    @Test("a candidate has its medium and generation")
    func candidates() throws {
        let text =
            #"{"candidate":"\#(Self.line) ufrag abcd","sdpMid":"audio","sdpMLineIndex":1,"usernameFragment":"abcd"}"#
        let candidate = try #require(messages(text).first?.candidate)
        #expect(candidate.mid == "audio" && candidate.lineIndex == 1 && candidate.ufrag == "abcd" && candidate.isText)
        #expect(candidate.wording.english == "host UDP 192.0.2.1:61022  mid audio")
    }

    @Test(
        "other JSON contains no call",
        arguments: [
            #"{"jsonrpc":"2.0","method":"login","params":["user","password"],"id":4}"#,
            #"{"version":"0","candidates":["alice","bob"],"offer":"10 % off","answer":42}"#,
            #"{"type":"offer","price":3.5,"sdp":"none"}"#, #"{"query":"v=0.5","x":"candidate: nobody"}"#,
            #"{"log":"v=0 was read","candidate":"John 1 2 3 4 5 6 7 8"}"#, #"{"candidate":null}"#,
        ])
    func unrelated(text: String) {
        #expect(messages(text).allSatisfy { !$0.isEvidence })
        #expect(!isSignaling(text))
    }

    @Test("secrets in JSON are masked, also in descriptions and in JSON within strings")
    func secrets() throws {
        let pwd = "a=ice-pwd:C4NARYC4NARYC4NARYC4NA"
        let text = #"""
            {"type":"offer","token":"C4NARY","sdp":"v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n\#(pwd)\r\na=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:C4NARY\r\n","iceServers":[{"urls":"turn:t.example?password=C4NARY","username":"u","credential":"C4NARY"}],"iceParameters":{"usernameFragment":"f","password":"C4NARY"},"inner":"{\"pwd\":\"C4NARY\",\"x\":[1]}","authorization":{"value":"C4NARY","n":12},"jwt":"eyJhbGciOiJIUzI1NiJ9.C4NARYC4NARYC4NARY"}
            """#
        let message = try #require(messages(text).first)
        #expect(message.kind == "offer")
        let masked = "\(message.fields(.masked)) \(message.summary(.masked))"
        #expect(!masked.contains("C4NARY") && masked.contains("usernameFragment"))
        #expect("\(message.fields(.revealed))".contains("C4NARY"))
    }
}
