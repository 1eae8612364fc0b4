import Testing
import WeirEngine
import WeirKit

@testable import WeirProtocols

/// State that rules keep about a flow before a session starts on it.
@Suite("State before a session") struct RuleMemoryTests {
    typealias P = PeerOctets

    @Test("a request repeated too soon is reported although a call started in between", arguments: [true, false])
    func retransmission(_ isSoon: Bool) {
        var dialogue = Dialogue(.udp, port: 3_478)
        dialogue.client(P.stun(0x0001, id: 1))
        dialogue.client(P.stun(0x0001, id: 1), after: 0.5)
        dialogue.client(P.check("srvr", "clnt", id: 2), after: 0.01)
        dialogue.client(P.stun(0x0001, id: 1), after: isSoon ? 0.03 : 1)
        let result = dialogue.analyzed()
        #expect(result.calls.count == 1)
        let found = result.findings.filter { $0.rule == "STUN-RETX" }
        #expect(found.map(\.message.key) == (isSoon ? ["STUN-RETX.hurried"] : []))
        #expect(found.allSatisfy { $0.session == result.calls.first?.record.id })
    }
}
