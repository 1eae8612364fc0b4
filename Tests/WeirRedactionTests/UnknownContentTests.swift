import Testing
import WeirPackets

@testable import WeirRedaction

/// What the analysis tells nothing about is replaced, too: texts word by word, other content as a whole.
struct UnknownContentTests {
    private let text: TextRedactor
    private let streams: StreamRedactor
    private let noise = Noise(seed: 1)

    init() {
        let key = RedactionKey()
        let words = WordMapping(key)
        let addresses = AddressMapping(key, isKept: false)
        var texts = SensitiveTexts(limit: 100)
        texts.add("kitchen".utf8)
        let text = TextRedactor(texts, words, addresses)
        let media = MediaRedactor(isKept: false)
        let rtp = RTPRedactor(
            media: media, text: text, encodings: [:], encrypted: [], protected: ProtectedMedia([], text))
        let stun = STUNRedactor(text: text, addresses: addresses, passwords: [:], newPassword: { $0 })
        self.text = text
        streams = StreamRedactor(
            text: text, media: media, datagrams: DatagramRedactor(rtp: rtp, stun: stun, text: text, media: media),
            misfits: Misfits())
    }

    private func redacted(_ octets: [UInt8], _ protocols: Set<String>) -> String {
        var octets = octets
        var rtmp = streams.rtmp(nil)
        let count = octets.count
        streams.redact(&octets, protocols: protocols, start: 0, &rtmp, noise)
        #expect(octets.count == count)
        return String(decoding: octets, as: UTF8.self)
    }

    @Test(arguments: [
        ("text/parameters", "owner: AnnaBell\r\ndoor-code: 491234\r\n", ["AnnaBell", "door", "491234"]),
        ("application/json", #"{"user":"annabell","pin":77441}"#, ["annabell", "77441"]),
        ("application/xml", "<secret>xmlsecret</secret>", ["xmlsecret"]),
        (
            "application/sdp",
            "v=0\r\no=anna 1 1 IN IP4 cam.garden.test\r\ns=My Garden\r\ne=anna@garden.test\r\np=+49 171 380\r\nk=clear:gardenkey\r\n"
                + "a=note:for Anna\r\na=candidate:1 1 udp 1 anna.local 5000 typ host\r\nm=video 0 RTP/AVP 96\r\n",
            ["anna", "Garden", "garden", "gardenkey", "Anna"]
        ),
    ])
    func `bodies of messages`(type: String, body: String, names: [String]) {
        let message =
            "SET_PARAMETER rtsp://h/live RTSP/1.0\r\nCSeq: 4\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        let redacted = redacted(Array((message + body).utf8), ["rtsp"])
        #expect(redacted.hasPrefix(message))
        for name in names { #expect(!redacted.contains(name), "\(redacted)") }
        if type == "application/sdp" {
            #expect(redacted.contains("m=video 0 RTP/AVP 96\r\n") && redacted.contains("k=clear:"))
            #expect(redacted.contains(".local 5000 typ host"))
        }
    }

    @Test(arguments: [0x1, 0x2, 0x8] as [UInt8])
    func `WebSocket messages that are no signaling`(opcode: UInt8) {
        let content =
            Array((opcode == 8 ? "\u{3}\u{4d}" : "").utf8) + Array(#"{"login":"annabell","pw":"topsecret"}"#.utf8)
        let head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"
        let octets = Array(head.utf8) + [0x80 | opcode, UInt8(content.count)] + content
        let redacted = redacted(octets, ["http", "websocket"])
        #expect(!redacted.contains("annabell") && !redacted.contains("topsecret"))
    }

    @Test func `the server name of a flow of unknown content`() {
        let name = Array("anna.garden.test".utf8)
        func sized(_ octets: [UInt8], _ more: Int = 0) -> [UInt8] { [0, UInt8(octets.count + more)] + octets }
        let list = sized([0] + sized(name))
        let hello =
            [3, 3] + [UInt8](repeating: 7, count: 32) + [0, 0, 2, 0x13, 0x01, 1, 0] + sized([0, 0] + sized(list))
        let record = [22, 3, 1] + sized([1, 0] + sized(hello)) + [23, 3, 3, 0, 8] + Array("appldata".utf8)
        let redacted = redacted(record, [])
        #expect(!redacted.contains("anna") && !redacted.contains("garden") && !redacted.contains("appldata"))
        #expect(redacted.contains(".") && redacted.hasPrefix("\u{16}\u{3}\u{1}"))
    }

    @Test func `items of source descriptions, reasons, application data`() {
        func packet(_ first: UInt8, _ type: UInt8, _ content: [UInt8]) -> [UInt8] {
            let padded = content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
            return [first, type, 0, UInt8(padded.count / 4)] + padded
        }
        let source: [UInt8] = [1, 2, 3, 4]
        func item(_ type: UInt8, _ text: String) -> [UInt8] { [type, UInt8(text.utf8.count)] + Array(text.utf8) }
        var octets = packet(0x81, 202, source + item(1, "anna@cam") + item(4, "+49171555666") + [0])
        octets += packet(0x81, 203, source + [10] + Array("annaleaves".utf8))
        octets += packet(0x80, 204, source + Array("TESTannasdata".utf8))
        let count = octets.count
        streams.datagrams.redact(&octets, 0..<count, protocols: ["rtcp"], noise)
        let redacted = String(decoding: octets, as: UTF8.self)
        #expect(octets.count == count && octets[1] == 202)
        for name in ["anna", "171555666", "annaleaves"] { #expect(!redacted.contains(name)) }
    }

    @Test func `realms and nonces of STUN`() {
        func attribute(_ type: UInt16, _ value: String) -> [UInt8] {
            [UInt8(type >> 8), UInt8(type & 0xFF), 0, UInt8(value.utf8.count)] + Array(value.utf8)
        }
        let attributes = attribute(0x14, "turn.garden.test") + attribute(0x15, "obMatJos2AAAAnonceofanna")
        var octets: [UInt8] =
            [1, 0x13, 0, UInt8(attributes.count), 0x21, 0x12, 0xA4, 0x42] + [UInt8](repeating: 9, count: 12)
            + attributes
        streams.datagrams.redact(&octets, 0..<octets.count, protocols: ["stun"], noise)
        let redacted = String(decoding: octets, as: UTF8.self)
        #expect(!redacted.contains("garden") && !redacted.contains("nonceofanna") && redacted.contains("obMatJos2AAAA"))
    }

    @Test func `the reason of a response, and escapes in a URI`() {
        let redacted = redacted(Array("RTSP/1.0 302 Moved to Annabell\r\nCSeq: 1\r\n\r\n".utf8), ["rtsp"])
        #expect(redacted.hasPrefix("RTSP/1.0 302 Moved to ") && !redacted.contains("Annabell"))
        #expect(SensitiveTexts.words(Array("n=J%C3%BCrgen%20Urlname".utf8)).contains(Array("Urlname".utf8)))
    }
}
