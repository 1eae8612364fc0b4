import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols

/// A marked secret in each field of call signaling (HTTP with WHIP, WebSocket, JSON signaling, STUN and TURN) that no
/// report may contain.
@Suite("Canaries of calls") struct CallCanaryTests {
    private static let word = Canary.word

    private static func shown(_ make: (inout Wire) -> Void) -> [String] {
        var wire = Wire()
        make(&wire)
        let packets = wire.packets
        let reports = Canary.reports { sink, options in
            let analyzer = Analyzer(options: options, sink: sink)
            analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.raw], snapLength: nil))
            for (index, packet) in packets.enumerated() {
                KeptFrame(packet: packet.octets, number: index + 1, time: Timestamp(nanoseconds: packet.nanoseconds))
                    .use { analyzer.process($0) }
            }
            analyzer.finish()
        }
        return Canary.shown(in: reports)
    }

    private static func description(_ line: String) -> String {
        let lines = [
            "v=0", "o=- 1 2 IN IP4 192.0.2.1", "s=-", "t=0 0", "a=group:BUNDLE 0", "m=audio 9 UDP/TLS/RTP/SAVPF 111",
            "c=IN IP4 0.0.0.0", "a=ice-ufrag:abcd", "a=ice-pwd:\(word)\(word)\(word)", "a=mid:0", "a=setup:actpass",
            "a=rtcp-mux", "a=rtpmap:111 opus/48000/2", line,
            "a=fingerprint:sha-256 " + Array(repeating: "AB", count: 32).joined(separator: ":"),
        ]
        return lines.map { $0 + "\r\n" }.joined()
    }

    /// Description lines with a secret.
    static let lines = [
        "a=ice-pwd:\(word)", "a=ICE-PWD:\(word)", "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:\(word)",
        "a=x-token:\(word)", "a=fmtp:111 password=\(word)",
        "a=candidate:1 1 udp 1 192.0.2.1 5000 typ host token=\(word)",
        "a=candidate:1 1 udp 1 192.0.2.1 5000 typ host password \(word)",
        "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline: \(word)",
        "a=tool:https://u:\(word)@h/",
    ]

    private static func http(_ head: [String], _ body: String = "") -> [UInt8] {
        Array((head + ["Content-Length: \(body.utf8.count)", "", body]).joined(separator: "\r\n").utf8)
    }

    /// HTTP header fields with a secret.
    static let headers = [
        "Authorization: Bearer \(word)", "Authorization: Basic \(word)", "authorization: \(word)",
        "Proxy-Authorization: Digest username=\"a\", response=\"\(word)\"", "Cookie: sid=\(word)",
        "Set-Cookie: \(word); path=/", "X-API-Key: \(word)", "X-Auth-Token: \(word)",
        "Referer: https://h/?token=\(word)", "Referer: https://h/?\(word)",
        "Location: /whip/1?token=\(word)", "Location: https://u:\(word)@h/whip/1", "Origin: https://u:\(word)@h",
        "Link: <turn:turn.example.net?transport=udp>; rel=\"ice-server\"; username=\"a\"; credential=\"\(word)\"",
        "Link: <turn:u:\(word)@h>; rel=\"ice-server\"", "User-Agent: a password=\(word)", "ETag: \"token=\(word)\"",
        "Sec-WebSocket-Protocol: access_token, token=\(word)", "Access-Control-Allow-Origin: https://h/?key=\(word)",
        "If-Match: \"secret=\(word)\"", "WWW-Authenticate: Bearer realm=\"https://u:\(word)@h/\"",
        "X-Folded: a\r\n Authorization: Basic \(word)",
    ]

    @Test("The URL of a WHIP resource is never shown", arguments: ["", "https://h", "https://h:8443/a"])
    func resource(_ authority: String) {
        let shown = Self.shown { wire in
            wire.serverPort = 8_080
            wire.connect()
            let type = "Content-Type: application/sdp"
            wire.send(fromClient: true, Self.http(["POST /whip HTTP/1.1", "Host: h", type], Self.description("a=x")))
            let location = "\(authority)/r/\(Self.word)"
            wire.send(
                fromClient: false,
                Self.http(
                    ["HTTP/1.1 201 Created", type, "Location: \(location)", "Content-Location: \(location)/"],
                    Self.description("a=x")))
            let path = location.replacing("https://h:8443", with: "").replacing("https://h", with: "")
            for (method, more) in [
                ("OPTIONS", "Accept: a"), ("OPTIONS", "Access-Control-Request-Method: DELETE"), ("PATCH", "Accept: a"),
                ("GET", "Accept: a"), ("DELETE", "Accept: a"),
            ] {
                wire.send(fromClient: true, Self.http(["\(method) \(path) HTTP/1.1", "Host: h", more]))
                wire.send(fromClient: false, Self.http(["HTTP/1.1 200 OK", "Location: \(location)?a=\(Self.word)"]))
            }
            wire.close()
        }
        #expect(shown == [])
    }

    @Test("Secret header fields of WHIP are never shown", arguments: headers)
    func whip(_ header: String) {
        let shown = Self.shown { wire in
            wire.serverPort = 8_080
            wire.connect()
            let type = "Content-Type: application/sdp"
            wire.send(
                fromClient: true,
                Self.http(
                    ["POST /whip/live?token=\(Self.word) HTTP/1.1", "Host: h", type, header], Self.description("a=x")))
            wire.send(
                fromClient: false,
                Self.http(
                    ["HTTP/1.1 201 Created", type, header, "Location: /r/1?token=\(Self.word)"], Self.description("a=x")
                ))
            wire.send(
                fromClient: true,
                Self.http(
                    [
                        "PATCH /r/1?token=\(Self.word) HTTP/1.1", "Host: h", header,
                        "Content-Type: application/trickle-ice-sdpfrag",
                    ], "a=ice-ufrag:abcd\r\na=ice-pwd:\(Self.word)\(Self.word)\(Self.word)\r\n"))
            wire.send(fromClient: false, Self.http(["HTTP/1.1 401 token=\(Self.word)", header]))
            wire.send(fromClient: true, Self.http(["DELETE /r/1?token=\(Self.word) HTTP/1.1", "Host: h", header]))
            wire.send(fromClient: false, Self.http(["HTTP/1.1 404 Not Found", header], "{\"token\":\"\(Self.word)\"}"))
            wire.close()
        }
        #expect(shown == [])
    }

    /// JSON texts with a secret.
    static let texts =
        lines.map { "{\"type\":\"offer\",\"sdp\":\"\(description($0).replacing("\r\n", with: "\\r\\n"))\"}" } + [
            "{\"type\":\"login\",\"name\":\"a\",\"password\":\"\(word)\"}",
            "{\"type\":\"login\",\"apiKey\":\"\(word)\",\"user\":{\"accessToken\":\"\(word)\"}}",
            "{\"type\":\"join\",\"room\":\"a\",\"data\":\"{\\\"token\\\":\\\"\(word)\\\"}\"}",
            "{\"type\":\"config\",\"iceServers\":[{\"urls\":\"turn:h\",\"username\":\"a\",\"credential\":\"\(word)\"}]}",
            "{\"type\":\"config\",\"iceServers\":[{\"urls\":[\"turn:u:\(word)@h\"]}]}",
            "{\"type\":\"error\",\"error\":\"no such token=\(word)\"}",
            "{\"type\":\"error\",\"code\":4,\"reason\":\"pw=\(word)\"}",
            "{\"type\":\"password=\(word)\"}", "{\"id\":\"token=\(word)\",\"type\":\"ping\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"join\",\"params\":{\"jwt\":\"\(word)\"}}",
            "{\"type\":\"candidate\",\"password\":\"\(word)\",\"candidate\":\"candidate:1 1 udp 1 192.0.2.1 61022 typ host\"}",
            "{\"type\":\"candidate\",\"candidate\":\"candidate:1 1 udp 1 192.0.2.1 61022 typ host ice-pwd \(word)\"}",
            "{\"janus\":\"success\",\"transaction\":\"1\",\"data\":{\"id\":\"\(word)\"}}",
            "{\"janus\":\"event\",\"session_id\":\"\(word)\",\"sender\":7,\"plugindata\":{}}",
            "{\"type\":\"login\",\"name\":\"eyJhbGciOiJIUzI1NiJ9.\(word)\(word).\(word)\"}",
            "{\"type\":\"login\",\"options\":[{\"name\":\"token\",\"value\":\"\(word)\"}]}",
            "{\"type\":\"login\",\"data\":\"{\\\"name\\\":\\\"pin\\\",\\\"value\\\":\\\"\(word)\\\"}\"}",
            "{\"type\":\"login\",\"keyBase64\":\"\(word)\",\"roomKey\":\"\(word)\"}",
            "{\"type\":\"bye\",\"reason\":\"https://h/whip?\(word)\"}",
            "{\"type\":\"bye\",\"reason\":\"https://u:\(word)@h/\"}", "{\"type\":\"login\",\"secret\":\"\(word)",
        ]

    /// Messages that carry a secret by name, and messages that repeat it in text.
    static let repeated = [
        ("{\"type\":\"login\",\"token\":\"\(word)\"}", "{\"type\":\"error\",\"message\":\"token \(word) is invalid\"}"),
        (
            "{\"janus\":\"success\",\"transaction\":\"1\",\"data\":{\"id\":\"\(word)\"}}",
            "{\"janus\":\"error\",\"error\":{\"code\":458,\"reason\":\"No such session \(word)\"}}"
        ),
        ("{\"type\":\"join\",\"data\":[{\"pin\":\"\(word)\"}]}", "{\"type\":\"bye\",\"why\":[\"\(word) again\"]}"),
    ]

    @Test("Secrets repeated by a later message are never shown", arguments: repeated.indices)
    func again(_ index: Int) {
        let (reported, again) = Self.repeated[index]
        let shown = Self.shown { wire in
            wire.serverPort = 9_000
            wire.connect()
            wire.send(fromClient: true, Array((Self.offer + "\n" + reported + "\n").utf8))
            wire.send(fromClient: false, Array((again + "\n" + again + "\n").utf8))
            wire.close()
        }
        #expect(shown == [])
        #expect(Self.webSocket([reported, again], offers: "a", chooses: "a") == [])
    }

    private static let offer =
        "{\"type\":\"offer\",\"sdp\":\"\(description("a=x").replacing("\r\n", with: "\\r\\n"))\"}"

    @Test("Secrets in signaling over TCP are never shown", arguments: texts)
    func signaling(_ text: String) {
        let shown = Self.shown { wire in
            wire.serverPort = 9_000
            wire.connect()
            for one in [Self.offer, text, text] {
                wire.send(fromClient: true, Array((one + "\n").utf8))
                wire.send(fromClient: false, Array((one + "\n").utf8))
            }
            wire.close()
        }
        #expect(shown == [])
    }

    private static func frame(_ text: String, opcode: UInt8 = 1, isMasked: Bool) -> [UInt8] {
        let octets = Array(text.utf8)
        var frame: [UInt8] = [0x80 | opcode]
        let mask: UInt8 = isMasked ? 0x80 : 0
        if octets.count < 126 {
            frame.append(mask | UInt8(octets.count))
        } else {
            frame += [mask | 126, UInt8(octets.count >> 8 & 255), UInt8(octets.count & 255)]
        }
        return frame + (isMasked ? [0, 0, 0, 0] : []) + octets
    }

    /// Subprotocol lists with a token.
    static let subprotocols = [
        word, "chat, \(word)", "access_token, \(word)", "chat,bearer,\(word)", "chat, bearer.\(word)", "token-\(word)",
        "chat, eyJhbGciOiJIUzI1NiJ9.\(word)\(word).\(word)", "chat, 0123456789abcdef\(word)0123",
        "base64url.bearer.authorization.k8s.io.0123456789abcdef\(word)",
    ]

    @Test("Tokens among subprotocols are never shown, whatever the server selects", arguments: subprotocols)
    func subprotocol(_ list: String) {
        for chosen in ["chat", list.split(separator: ",").last.map { String($0) } ?? ""] {
            #expect(Self.webSocket(["a"], offers: list, chooses: chosen) == [], "\(chosen)")
        }
    }

    @Test("Secrets in signaling over WebSocket are never shown", arguments: texts)
    func webSocket(_ text: String) {
        #expect(Self.webSocket([text, "42[\"login\",\(text)]"], offers: "a", chooses: "a") == [])
    }

    private static func webSocket(_ texts: [String], offers: String, chooses: String) -> [String] {
        shown { wire in
            wire.serverPort = 8_080
            wire.connect()
            wire.send(
                fromClient: true,
                Array(
                    [
                        "GET /ws?access_token=\(Self.word)&room=a HTTP/1.1", "Host: h", "Upgrade: websocket",
                        "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: \(offers)",
                        "Cookie: session=\(Self.word)", "", "",
                    ].joined(separator: "\r\n").utf8))
            wire.send(
                fromClient: false,
                Array(
                    [
                        "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
                        "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
                        "Sec-WebSocket-Protocol: \(chooses)", "Set-Cookie: session=\(Self.word)", "", "",
                    ].joined(separator: "\r\n").utf8))
            for one in [Self.offer] + texts {
                wire.send(fromClient: true, Self.frame(one, isMasked: true))
                wire.send(fromClient: false, Self.frame(one, isMasked: false))
            }
            wire.send(fromClient: true, Self.frame("\u{3}\u{20}token=\(Self.word)", opcode: 8, isMasked: true))
            wire.close()
        }
    }

    /// STUN attributes with a secret, or with text that contains one.
    static let attributes: [(type: UInt16, text: String)] = [
        (0x0006, "https://u:\(word)@h/"), (0x0006, "a:token=\(word)"), (0x0007, word), (0x0014, "https://u:\(word)@h/"),
        (0x0014, "realm password=\(word)"), (0x0015, "token=\(word)"), (0x001B, word), (0x0022, word),
        (0x8022, "a token=\(word)"),
        (0x8003, "turn:u:\(word)@h"), (0x8030, word), (0x0009, "\u{0}\u{0}\u{4}\u{1}token=\(word)"),
        (0x802E, "https://u:\(word)@h/"),
    ]

    @Test("Secrets in STUN and TURN are never shown", arguments: attributes.indices)
    func stun(_ index: Int) {
        let (type, text) = Self.attributes[index]
        var value = Array(text.utf8)
        let length = value.count
        while value.count % 4 != 0 { value.append(0) }
        func message(_ kind: UInt16, _ id: UInt8) -> [UInt8] {
            let head: [UInt8] = [
                UInt8(kind >> 8), UInt8(kind & 255), 0, UInt8(value.count + 4), 0x21, 0x12, 0xA4, 0x42,
            ]
            return head + [UInt8](repeating: id, count: 12)
                + [UInt8(type >> 8), UInt8(type & 255), UInt8(length >> 8), UInt8(length & 255)] + value
        }
        let shown = Self.shown { wire in
            for (number, kinds) in [[0x0001, 0x0101], [0x0003, 0x0113], [0x0004, 0x0114], [0x0011, 0x0016]].enumerated()
            {
                for (side, kind) in kinds.enumerated() {
                    wire.datagram(
                        fromClient: side == 0, clientPort: 5_000, serverPort: 3_478,
                        message(UInt16(kind), UInt8(number + 1)))
                }
            }
        }
        #expect(shown == [])
    }
}
