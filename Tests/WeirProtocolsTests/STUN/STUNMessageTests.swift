import Testing
import WeirEngine
import WeirPackets
import WeirTesting

@testable import WeirProtocols

/// STUN messages: the sample request of RFC 5769, whose integrity and fingerprint verify with its password.
@Suite struct STUNMessageTests {
    private static let sample = hex(
        """
        00010058 2112a442 b7e7a701 bc34d686 fa87dfae
        80220010 5354554e 20746573 7420636c 69656e74
        00240004 6e0001ff
        80290008 932ff9b1 51263b36
        00060009 6576746a 3a683676 59202020
        00080014 9aeaa70c bfd8cb56 781ef2b5 b2d3f249 c1b571a2
        80280004 e57a3bcf
        """)

    @Test func readsARequest() throws {
        let message = try STUNMessage(Self.sample.rawSpan)
        #expect(message.isRequest && message.methodName == "binding" && message.isICECheck && message.isWellFormed)
        #expect(message.transaction.text == "b7e7a701bc34d686fa87dfae")
        #expect(message.username == "evtj:h6vY" && message.software == "STUN test client")
        #expect(message.fragments?.receiver == "evtj" && message.fragments?.sender == "h6vY")
        #expect(message.priority == 0x6E00_01FF && message.iceRole == "controlled" && !message.usesCandidate)
        #expect(message.fingerprint == .valid && message.integrity == .present)
        #expect(message.verify(password: "VOkJxbRl1RmTxUk/WvJxBt") == true)
        #expect(message.verify(password: "VOkJxbRl1RmTxUk/WvJxBu") == false)
    }

    @Test func aChangedOctetIsSeen() throws {
        var octets = Self.sample
        octets[40] ^= 1
        let message = try STUNMessage(octets.rawSpan)
        #expect(message.fingerprint == .invalid)
        #expect(message.verify(password: "VOkJxbRl1RmTxUk/WvJxBt") == false)
    }

    @Test func addressesAreMixedWithTheCookie() throws {
        // The sample IPv4 response of RFC 5769: 192.0.2.1, port 32853.
        let octets = hex("0101000c 2112a442 b7e7a701 bc34d686 fa87dfae 00200008 0001a147 e112a643")
        let message = try STUNMessage(octets.rawSpan)
        #expect(message.messageClass == .success)
        #expect(message.mappedAddress == Endpoint(address: IPAddress(ipv4: 0xC000_0201), port: 32_853))
    }

    @Test func refusalsHaveTheirCodes() throws {
        let octets = hex("01130010 2112a442 00000000 00000000 00000001 0009000c 00000401 4e6f2077 61792021")
        let message = try STUNMessage(octets.rawSpan)
        #expect(message.methodName == "allocate" && message.messageClass == .error)
        #expect(message.errorCode?.code == 401 && message.errorCode?.reason == "No way !")
    }

    @Test func cutAnywhereIsAnError() {
        for length in 0..<Self.sample.count {
            #expect(throws: DecodeError.self) { _ = try STUNMessage(Array(Self.sample.prefix(length)).rawSpan) }
        }
    }

    @Test func anyOctetsAreRead() {
        var random = SeededGenerator(7)
        for _ in 0..<2_000 {
            var octets = Self.sample
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                octets[Int.random(in: 0..<octets.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            guard let message = try? STUNMessage(octets.rawSpan) else { continue }
            #expect(!message.summary(.masked).isEmpty && !message.fields(.masked).isEmpty)
            _ = message.verify(password: "x")
        }
    }
}
