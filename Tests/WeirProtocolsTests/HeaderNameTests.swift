import Testing
import WeirPackets
@testable import WeirProtocols

/// Names of headers, methods and transport parameters, which are recognized by a few of their octets.
@Suite struct HeaderNameTests {
    private func find(_ text: String, before rest: String) -> HeaderName? {
        let octets = Array((text + rest).utf8)
        return HeaderName(spelled: octets.rawSpan, at: 0, count: text.utf8.count)
    }

    @Test(arguments: HeaderName.allCases)
    func spelledAsSpecified(_ name: HeaderName) {
        #expect(HeaderName(name.text) == name)
        // The longest names are found by their text.
        let isShort = name.text.utf8.count <= 16
        #expect(find(name.text, before: ": value\r\n") == (isShort ? name : nil))
    }

    @Test(arguments: HeaderName.allCases)
    func otherSpellings(_ name: HeaderName) {
        let lower = TextSyntax.lowercased(name.text)
        #expect(find(lower, before: ": value\r\n") == nil)
        #expect(HeaderName(lower) == name)
        #expect(HeaderName(name.text + "s") != name)
        #expect(find(String(name.text.dropLast()), before: ": value\r\n") != name)
    }

    /// Eight octets are loaded, of which the last ones may not be there.
    @Test(arguments: ["Via", "Date", "Transport"])
    func atTheEnd(_ text: String) {
        #expect(find(text, before: "") == (text.utf8.count < 8 ? nil : HeaderName(text)))
    }

    @Test func fieldsAreFoundInAnySpelling() throws {
        guard case .complete(let block) = HeaderBlock.parse("A\r\ncSEQ: 1\r\nCSeq: 2\r\nX-CSeq: 3\r\nVia:\r\n\r\n")
        else {
            Issue.record("no block")
            return
        }
        #expect(block.first(.cseq) == "1")
        #expect(block.all(.cseq) == ["1", "2"])
        #expect(block.first(.via) == "")
        #expect(block.first(.range) == nil)
        #expect(block.fields.map(\.isSpelled) == [false, true, false, true])
    }

    @Test(arguments: RTSPMethod.allCases)
    func methods(_ method: RTSPMethod) {
        #expect(RTSPMethod(method.name) == method)
        #expect(RTSPMethod(TextSyntax.lowercased(method.name)) == nil)
        #expect(RTSPMethod(method.name + "S") == nil)
        #expect(RTSPMethod(String(method.name.dropLast()) + "x") == nil)
    }

    @Test(arguments: ["", "P", "FLUSH", "GET", "POSTS", "DEVOURED", "RESTARTS"])
    func otherMethods(_ name: String) {
        #expect(RTSPMethod(name) == nil)
    }

    static let parameters = [
        "unicast", "multicast", "destination", "source", "interleaved", "append", "ttl", "layers", "port",
        "client_port",
        "server_port", "ssrc", "mode", "src_addr", "dest_addr", "setup", "connection", "RTCP-mux", "MIKEY",
    ]

    @Test(arguments: parameters)
    func transportParameters(_ name: String) {
        for text in [name, name.uppercased(), TextSyntax.lowercased(name)] {
            #expect(TransportSpec("RTP/AVP;\(text)=1").unknownParameters == [])
        }
        #expect(TransportSpec("RTP/AVP;\(name)s=1").unknownParameters == ["\(name)s"])
        #expect(TransportSpec("RTP/AVP;\(name)=1;\(name.uppercased())=2").oddities.contains(.repeatedParameter))
    }
}
