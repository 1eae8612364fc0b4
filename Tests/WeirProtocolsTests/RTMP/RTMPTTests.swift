import Testing
import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

@Suite struct RTMPTTests {
    private typealias Feed = DissectorFeed<RTMPTDissector>

    private static func post(_ target: String, _ body: [UInt8]) -> [UInt8] {
        lines("POST \(target) HTTP/1.1", "Content-Type: application/x-fcs", "Content-Length: \(body.count)") + body
    }

    private static func ok(_ body: [UInt8]) -> [UInt8] {
        lines("HTTP/1.1 200 OK", "Content-Type: application/x-fcs", "Content-Length: \(body.count)") + body
    }

    private static let key = "rtmpt 192.0.2.2 1728724019"
    private static let dialogue: [([UInt8], Direction)] = [
        (post("/open/1", [0]), .clientToServer), (ok(Array("1728724019\n".utf8)), .serverToClient),
        (post("/send/1728724019/1", Array("abc".utf8)), .clientToServer),
        (ok([1] + Array("def".utf8)), .serverToClient),
        (post("/idle/1728724019/2", [0]) + post("/idle/1728724019/3", [0]), .clientToServer),
        (ok([9]) + ok([1, 0x67]), .serverToClient), (post("/close/1728724019/4", [0]), .clientToServer),
        (ok([0]), .serverToClient),
    ]

    @Test(arguments: [1, 7, 50, 100_000]) func unwraps(_ piece: Int) throws {
        var feed = Feed()
        for (octets, direction) in Self.dialogue {
            for start in stride(from: 0, to: octets.count, by: piece) {
                try feed.feed(octets[start..<min(octets.count, start + piece)], direction)
            }
        }
        var (client, server): ([UInt8], [UInt8]) = ([], [])
        var reported: [String] = []
        for said in feed.said {
            switch said {
            case .joined(let key, let direction, let octets):
                #expect(key == Self.key)
                if direction == .clientToServer { client += octets } else { server += octets }
            case .other(let text): reported.append(text)
            default: Issue.record("\(said)")
            }
        }
        #expect(client == Array("abc".utf8))
        #expect(server == Array("defg".utf8))
        #expect(reported == ["POST /open/1", "200 OK", "POST /close/1728724019/4", "200 OK"])
    }

    /// The server's octets are before the client's in the file, with any segmentation.
    @Test(arguments: [1, 7, 50, 100_000]) func answersBeforeTheirRequests(_ piece: Int) throws {
        var feed = Feed()
        for direction in [Direction.serverToClient, .clientToServer, .serverToClient] {
            let octets = Self.dialogue.filter { $0.1 == direction }.flatMap(\.0)
            // Unconsumed octets are passed again when more arrive.
            let isAgain = direction == .serverToClient && !feed.said.isEmpty
            for start in stride(from: 0, to: isAgain ? 0 : octets.count, by: piece) {
                try feed.feed(octets[start..<min(octets.count, start + piece)], direction)
            }
            if isAgain { try feed.feed([], direction) }
        }
        let joined = feed.said.compactMap {
            if case .joined(_, let way, let octets) = $0 { (way, octets) } else { nil }
        }
        #expect(joined.filter { $0.0 == .clientToServer }.flatMap(\.1) == Array("abc".utf8))
        #expect(joined.filter { $0.0 == .serverToClient }.flatMap(\.1) == Array("defg".utf8))
        #expect(feed.waiting(.serverToClient) == 0)
    }

    /// Responses too far ahead of their requests to be kept stay unmatched, and later responses are not matched to
    /// those requests.
    @Test func answersLongBeforeTheirRequests() throws {
        var limits = Limits()
        limits.carriedOctets = 400
        var feed = DissectorFeed<RTMPTDissector>(limits: limits)
        let early = Self.ok(Array("1728724019\n".utf8)) + Self.ok([1] + [UInt8](repeating: 0x61, count: 400))
        try feed.feed(early, .serverToClient)
        try feed.feed(Self.post("/open/1", [0]) + Self.post("/idle/1728724019/1", [0]), .clientToServer)
        try feed.feed(Self.post("/idle/1728724019/2", [0]), .clientToServer)
        try feed.feed(Self.ok([1] + Array("xyz".utf8)), .serverToClient)
        let joined = feed.said.compactMap { if case .joined(_, _, let octets) = $0 { octets } else { nil } }
        #expect(joined == [Array("xyz".utf8)])
    }

    @Test func gaps() throws {
        // Inside a body the carried stream has a gap; elsewhere nothing more can be read.
        for (start, missing, rest) in [(-3, 2, 2), (-30, 5, 0)] {
            var feed = Feed()
            for (octets, direction) in Self.dialogue.prefix(2) { try feed.feed(octets, direction) }
            let octets = Self.post("/send/1728724019/1", Array("abcdef".utf8))
            let cut = octets.count + start
            try feed.feed(octets[..<cut], .clientToServer)
            feed.gap(missing, .clientToServer)
            try feed.feed(octets[(cut + missing)...] + Self.post("/send/1728724019/2", [0x68]), .clientToServer)
            let joined = feed.said.compactMap {
                if case .joined(_, .clientToServer, let octets) = $0 { octets } else { nil }
            }
            #expect(joined.flatMap { $0 }.count(where: { $0 >= 0x66 }) == rest)
        }
    }

    @Test func requests() {
        #expect(RTMPTRequest("/open/1")?.command == .open)
        #expect(RTMPTRequest("/send/a1b2/17") == RTMPTRequest("/send/a1b2/18"))
        #expect(RTMPTRequest("/close/a1b2")?.session == "a1b2")
        #expect(RTMPTRequest("/fcs/ident2")?.command == .ident)
        for target in [
            "/fcs/ident3", "/ident/1", "/", "/open", "/index.html", "/send/../x/1", "/send/a/1/2", "/opens/1", "open/1",
            "/idle//3",
        ] {
            #expect(RTMPTRequest(target) == nil, "\(target)")
        }
    }

    @Test func probe() {
        func answer(_ client: [UInt8], _ server: [UInt8] = []) -> ProbeAnswer {
            let opening = FirstBytes(client: client.rawSpan, server: server.rawSpan, flow: .test())
            return RTMPTDissector.probe(opening)
        }
        #expect(answer(Self.post("/open/1", [0])) == .yes)
        #expect(answer([], Self.ok([0x31])) == .yes)
        #expect(answer([], lines("HTTP/1.1 200 OK", "Content-Type: text/html", "Content-Length: 0")) == .no)
        #expect(answer(Array("POST /op".utf8)) == .needMore)
        #expect(answer(lines("GET /open/1 HTTP/1.1")) == .no)
        #expect(answer(Self.post("/upload/1", [])) == .no)
        #expect(answer(Self.post("/fcs/ident2", [0])) == .yes)
    }

    /// A ClientHello of openssl s_client 3.0, reduced to the parsed parts: server name and ALPN.
    private static let hello = hex(
        """
        16 0301 0063 01 00005F 0303
        000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F 00 0004 1301 C02F 01 00 0032
        0000 0013 0011 00 000E 612E72746D70732E74657374 2E61
        0010 000E 000C 02 6832 08 687474702F312E31
        002B 0005 04 0304 0303
        """)

    @Test func clientHello() throws {
        let hello = try TLSClientHello(Self.hello.rawSpan)
        #expect(hello.serverName == "a.rtmps.test.a")
        #expect(hello.applicationProtocols == ["h2", "http/1.1"])
        #expect(hello.versionName == "TLS 1.3")
        #expect(hello.cipherSuites == 2)
        var feed = DissectorFeed<TLSDissector>()
        for octet in Self.hello { try feed.feed([octet], .clientToServer) }
        #expect(feed.said == [.other("ClientHello, TLS 1.3, server a.rtmps.test.a, for h2, http/1.1")])
        let opening = FirstBytes(client: Self.hello.rawSpan, server: Self.hello.rawSpan, flow: .test())
        #expect(TLSDissector.probe(opening) == .yes)
        for offset in Self.hello.indices {
            var damaged = Self.hello
            damaged[offset] ^= 0xFF
            _ = try? TLSClientHello(damaged.rawSpan)
            _ = try? TLSClientHello(Array(Self.hello[..<offset]).rawSpan)
        }
        // Other TLS is ignored.
        var other = Self.hello
        other.replaceSubrange(65..<70, with: Array("xxxxx".utf8))
        #expect(TLSDissector.probe(FirstBytes(client: other.rawSpan, server: other.rawSpan, flow: .test())) != .yes)
    }

    /// A note about TLS is based only on server name, ALPN and port.
    @Test(arguments: [
        (1935, nil, "tls.rtmps.port"), (1443, nil, "tls.port"), (2935, nil, "tls.port"), (443, nil, nil),
        (1443, "a.rtmps.test.a", "tls.rtmps.name"), (443, "a.rtmps.test.a", "tls.rtmps.name"),
        (8443, "live.cloudflare.com", "tls.rtmps.name"), (443, "live.example.com", nil),
        (443, "wss.example.com", "tls.name.websocket"), (443, "signaling.example.com", "tls.name.signaling"),
        (443, "eu-turn.example.com", "tls.name.turn"), (443, "whip.example.com", "tls.name.whip"),
        (443, "signal.example.com", nil), (443, "returns.example.com", nil),
    ])
    func evidenceOfRTMPS(_ port: UInt16, _ name: String?, _ note: String?) throws {
        var hello = Self.hello
        let place = try #require(hello.firstRange(of: Array("a.rtmps.test.a".utf8)))
        // A name of the same length; only its labels matter.
        let padded = (name ?? "www").utf8.prefix(60)
        hello.replaceSubrange(place, with: padded)
        let more = padded.count - 14
        for offset in [3, 7, 52, 56, 58, 61] {
            let value = Int(hello[offset]) << 8 + Int(hello[offset + 1]) + more
            hello[offset] = UInt8(value >> 8)
            hello[offset + 1] = UInt8(value & 0xFF)
        }
        #expect(try TLSClientHello(hello.rawSpan).serverName == (name ?? "www"))
        let flow = FlowContext(
            id: 1, transport: .tcp, client: Endpoint(address: IPAddress(ipv4: 1), port: 50_000),
            server: Endpoint(address: IPAddress(ipv4: 2), port: port))
        let nothing = [UInt8]()
        let opening = FirstBytes(client: hello.rawSpan, server: nothing.rawSpan, flow: flow)
        #expect(TLSDissector.probe(opening) == (note == nil ? .hidden : .yes))
        var dissector = TLSDissector(flow: flow)
        let outlet = Outlet()
        _ = try dissector.read(hello.rawSpan, .clientToServer, outlet)
        guard case .message(let message, _)? = outlet.items.first else {
            Issue.record("nothing was said")
            return
        }
        #expect(message.note?.key == note)
    }
}
