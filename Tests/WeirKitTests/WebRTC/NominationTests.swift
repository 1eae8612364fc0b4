import CaptureTesting
import Testing
import WeirEngine
import WeirPackets

@testable import WeirKit
@testable import WeirProtocols

/// Nomination and keep-alive of libwebrtc.
@Suite("Nominations and pings of libwebrtc") struct NominationTests {
    typealias P = PeerOctets

    @Test("a numbered nomination nominates")
    func numbered() throws {
        let result = try EditedCalls.recorded("browser-renomination")
        let checks = result.events.compactMap { $0.message as? STUNMessage }.filter(\.isICECheck)
        #expect(!checks.contains(where: \.usesCandidate) && checks.contains { $0.nomination == 1 })
        let session = try #require(result.calls.first)
        #expect(session["selectedPair"] != nil && session.heldCauses == [])
        #expect(result.findings.filter { $0.rule == "ICE-PAIR" }.isEmpty && result.errors.isEmpty)
        let nominating = try #require(result.events.first { ($0.message as? STUNMessage)?.nomination != nil })
        #expect(nominating.message.summary(.masked).contains("nominates the pair (nomination 1)"))
        let names = nominating.message.fields(.masked).first { $0.name == "attributes" }
        #expect("\(String(describing: names))".contains("NOMINATION"))
    }

    @Test("the attribute with another length, or outside checks, does not")
    func others() throws {
        let user: (UInt16, [UInt8]) = (0x0006, Array("a:b".utf8))
        for (attributes, isNomination) in [
            ([user, (0xC001, [0, 0, 0, 3])], true), ([user, (0xC001, [0, 0, 0, 0])], false),
            ([user, (0xC001, [0, 0, 0, 0, 0, 0, 0, 3])], false), ([(0xC001, [0, 0, 0, 3])], false),
        ] as [([(UInt16, [UInt8])], Bool)] {
            let octets = P.stun(0x0001, id: 1, attributes)
            let message = try STUNMessage(octets.rawSpan)
            #expect((message.nomination != nil) == isNomination)
        }
    }

    @Test("without its nomination a call is undecided, not failed")
    func unseen() throws {
        let frames = try EditedCalls.frames("browser-renomination").filter { frame in
            guard let octets = frame.datagram.map(Array.init), let message = try? STUNMessage(octets.rawSpan) else {
                return true
            }
            return message.nomination == nil
        }
        let result = EditedCalls.analyzed(frames)
        let found = result.findings.filter { $0.rule == "ICE-PAIR" }
        #expect(found.map(\.message.key) == ["ICE-PAIR.unseen"] && found.allSatisfy { $0.verdict == .inconclusive })
    }

    @Test("pings renew the consent")
    func pings() {
        func result(_ kind: (UInt16, UInt16)) -> AnalysisResult {
            var dialogue = Dialogue(.udp, port: 40_000)
            dialogue.client(P.check("srvr", "clnt", id: 1, nominates: true))
            dialogue.server(P.granted(id: 1))
            for id in 10..<30 {
                dialogue.client(P.stun(kind.0, id: UInt64(id), [(0xC060, [1, 2, 3, 4])]), after: 2)
                dialogue.server(P.stun(kind.1, id: UInt64(id)))
                dialogue.client(P.rtp(UInt16(id)), after: 0.5)
            }
            return dialogue.analyzed()
        }
        let kept = result((0x0200, 0x0300))
        #expect(kept.findings.filter { $0.rule == "ICE-CONSENT" }.isEmpty)
        #expect(kept.events.contains { $0.message.summary(.masked).contains("consent check") })
        let lost = result((0x0011, 0x0011))
        #expect(lost.findings.contains { $0.rule == "ICE-CONSENT" })
    }
}
